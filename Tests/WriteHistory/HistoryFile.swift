import Foundation

/// A file of steps, one a line, that a process which is killed leaves behind.
///
/// Each line is one `write(2)`: what a step says has been said once it is there, whatever becomes of the
/// process. A line that a kill has cut is no JSON and counts as unsaid.
package final class HistoryFile: Sendable {
    private let descriptor: Int32

    /// Opens the file, or makes it.
    package init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        // What follows a cut line begins a new one.
        try write(Data("\n".utf8))
    }

    /// Adds a step.
    package func append(_ entry: HistoryEntry) throws {
        try write(try JSONEncoder().encode(entry) + Data("\n".utf8))
    }

    private func write(_ line: Data) throws {
        let written = line.withUnsafeBytes {
            Foundation.write(descriptor, $0.baseAddress, $0.count)
        }
        guard written == line.count else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The steps that a file has.
    package static func entries(_ path: String) throws -> [HistoryEntry] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let decoder = JSONDecoder()
        return try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n"))
            .compactMap { try? decoder.decode(HistoryEntry.self, from: Data($0)) }
    }

    deinit { close(descriptor) }
}
