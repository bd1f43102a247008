package import Foundation

/// A program of this package that a test starts, talks to and kills.
package final class ChildProgram {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Starts it; it is built beside the tests.
    package init(_ name: String, _ arguments: [String] = []) throws {
        process.executableURL = URL(filePath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(component: name)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.runApart()
    }

    /// The next line that the process writes, or nil at its end; a line cut by the end is none.
    package func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = unread[(end + 1)...] }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread += more
        }
    }

    /// Gives it something to read, and no more after that.
    package func tell(_ input: Data) throws {
        try self.input.fileHandleForWriting.write(contentsOf: input)
        try self.input.fileHandleForWriting.close()
    }

    /// Ends the process as the system does: without a word.
    package func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Ends its input, for which a process waits that holds something.
    package func release() { input.fileHandleForWriting.closeFile() }

    package func waitUntilExit() { process.waitUntilExit() }
}
