import OfflineCore

/// Where the body of an answer gathers: in memory or in a file.
struct AnswerBody: Sendable {
    private(set) var bytes: ContiguousArray<UInt8> = []
    private(set) var fileFailed = false
    private let file: OutputFile?

    /// Gathers in `file`, or in memory without one.
    init(file: OutputFile?) { self.file = file }

    /// Makes room for the length that a head announces; what a server says is believed up to 8 MiB.
    mutating func reserve(_ announced: Int?) {
        guard file == nil, let announced, announced > 0 else { return }
        bytes.reserveCapacity(min(announced, 8 << 20))
    }

    /// Adds bytes; false if they can't be stored.
    mutating func append(_ chunk: UnsafeRawBufferPointer) -> Bool {
        guard let file else {
            bytes.append(contentsOf: chunk)
            return true
        }
        if !file.append(chunk) { fileFailed = true }
        return !fileFailed
    }

    /// Finishes the file, if there is one; false if it is not whole.
    func keep() -> Bool { file?.keep() ?? true }
}
