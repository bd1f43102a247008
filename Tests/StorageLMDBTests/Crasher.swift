import Foundation
import TestSupport

/// The process that tests kill, or let hold a store.
final class Crasher {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    init(_ arguments: String...) throws {
        process.executableURL = URL(filePath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(component: "StoreCrasher")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.runApart()
    }

    /// The next line that the process writes, or nil at its end; a line cut by the end is none.
    func line() -> String? {
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

    /// Ends the process as the system does: without a word.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Lets a process go that holds a store.
    func release() { input.fileHandleForWriting.closeFile() }

    func waitUntilExit() { process.waitUntilExit() }
}
