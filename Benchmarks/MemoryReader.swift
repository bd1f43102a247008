import Foundation
import OfflineCore
import TestSupport

/// Reads lists in a process of its own and tells how much memory that took.
struct MemoryReader {
    /// What is made of a list.
    enum Kind: String {
        case bytes, rows
    }

    /// The argument that makes this program a reader; the others follow it.
    static let argument = "--read-apart"

    private let directory: String
    private let lists: Int
    private let reads: Int
    private let kind: Kind

    /// - Parameters:
    ///   - directory: Where the lists are.
    ///   - lists: How many there are, with numbers from 0 on.
    ///   - reads: How many to read, one after the other.
    ///   - kind: What to make of them.
    init(_ directory: URL, lists: Int, reads: Int, kind: Kind) {
        self.directory = directory.systemPath
        self.lists = lists
        self.reads = reads
        self.kind = kind
    }

    /// Understands what ``runApart()`` gave its process.
    init?(arguments: [String]) {
        guard arguments.count == 5, arguments[0] == Self.argument, let lists = Int(arguments[2]),
            let reads = Int(arguments[3]), let kind = Kind(rawValue: arguments[4])
        else { return nil }
        self.init(URL(filePath: arguments[1]), lists: lists, reads: reads, kind: kind)
    }

    /// Reads in another process.
    ///
    /// - Returns: Its memory in megabytes: at the end the anonymous part, to which the pages of the
    ///   store's file don't belong, and by how much the whole had grown at its highest.
    func runApart() async throws -> (anonymous: Double, peak: Double) {
        let output = try await TestSupport.run(
            CommandLine.arguments[0], Self.argument, directory, "\(lists)", "\(reads)",
            kind.rawValue)
        let figures = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .compactMap { Double($0) }
        return (figures[0], figures[1])
    }

    /// Reads in this process, and prints what ``runApart()`` returns.
    func run() async throws {
        try await warmUp()
        // Makes the present size the highest.
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        let before = try memory("VmRSS")
        let device = try Device(in: URL(filePath: directory))
        for index in 0..<reads { try await read(device.list(index % lists)) }
        print(try memory("RssAnon"), try memory("VmHWM") - before)
        await device.client.close()
    }

    /// Has the program's code and the runtime's tables in memory beforehand, by a short list in a
    /// store of its own.
    private func warmUp() async throws {
        try await withDirectory { directory in
            let device = try Device(in: directory)
            try await device.store(0, answer: Bytes(sampleList(rows: 10)))
            try await read(device.list(0))
            await device.client.close()
        }
    }

    private func read(_ list: PostgrestFilterBuilder) async throws {
        switch kind {
        case .bytes: use(try await list.execute())
        case .rows: use(try await list.execute([PlainRow].self))
        }
    }
}

/// A figure of this process's memory, in megabytes.
private func memory(_ name: String) throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    for line in status.split(separator: "\n") where line.hasPrefix(name + ":") {
        // "RssAnon:    1234 kB", by which the kernel means 1,024 bytes.
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count == 3, let count = Double(fields[1]) else { break }
        return count * 1_024 / 1e6
    }
    throw CocoaError(.fileReadCorruptFile)
}
