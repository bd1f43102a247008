#if canImport(CCurl)
import OfflineCore

/// The body of a request, read piece by piece and only once.
struct CurlUpload {
    static var none: CurlUpload { CurlUpload(source: .bytes([]), length: 0) }

    private enum Source {
        case bytes(ContiguousArray<UInt8>)
        case file(InputFile)
    }

    let length: Int
    private(set) var hasFailed = false
    private let source: Source
    private var position = 0

    private init(source: Source, length: Int) {
        self.source = source
        self.length = length
    }

    init(_ body: HTTPRequest.Body) throws(TransportError) {
        switch body {
        case .none:
            self = .none
        case .bytes(let bytes):
            self.init(source: .bytes(bytes), length: bytes.count)
        case .file(let path):
            let file = try InputFile(path: path)
            self.init(source: .file(file), length: file.length)
        }
    }

    /// Copies the next bytes, and says how many; nil if they can't be read.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let wanted = min(buffer.count, length - position)
        guard wanted > 0 else { return 0 }
        let space = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        switch source {
        case .bytes(let bytes):
            bytes.withUnsafeBytes { bytes in
                let piece = bytes[position..<(position + wanted)]
                space.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
            }
            position += wanted
            return wanted
        case .file(let file):
            // A file that has become shorter can't be what was announced.
            guard let count = file.read(into: space), count > 0 else {
                hasFailed = true
                return nil
            }
            position += count
            return count
        }
    }
}
#endif
