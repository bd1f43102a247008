import Foundation
import OfflineCore
import StorageLMDB
import Synchronization

/// A process that opens a store, for tests that need a second one or one to kill.
///
/// - `StoreCrasher hold DIRECTORY`: opens the store, says so, and keeps it until its input ends.
/// - `StoreCrasher write DIRECTORY FIRST`: commits pairs of entries from four tasks at once, numbered
///   from FIRST, and writes the number of each pair that has been acknowledged, until it is killed.
@main
struct StoreCrasher {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { exit(EX_USAGE) }
        guard let storage = try open(arguments[2]) else { return say("in use") }
        switch arguments[1] {
        case "hold":
            say("open")
            _ = readLine()
            storage.close()
        case "write" where arguments.count == 4:
            guard let first = UInt64(arguments[3]) else { exit(EX_USAGE) }
            await writeForEver(storage, from: first)
        default:
            exit(EX_USAGE)
        }
    }

    /// Opens the store; nil if another client holds it.
    private static func open(_ directory: String) throws(StorageError) -> LMDBStorage? {
        do throws(StorageError) {
            return try LMDBStorage(
                directory: directory, keyspaces: [.left, .right],
                size: StorageSize(initial: 1 << 18, maximum: 1 << 30))
        } catch {
            guard error == .inUse else { throw error }
            return nil
        }
    }

    private static func writeForEver(_ storage: LMDBStorage, from first: UInt64) async {
        let writer = StoreWriter(storage, runtime: .live())
        let numbers = Numbers(from: first)
        await withDiscardingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    while true {
                        let number = numbers.next()
                        do { try await writer.keepPair(number) } catch { exit(EXIT_FAILURE) }
                        say("\(number)")
                    }
                }
            }
        }
    }

    /// Writes a line at once: what is still in a buffer when the process is killed is lost.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

/// Numbers for several tasks, each given once.
private final class Numbers: Sendable {
    private let rest: Atomic<UInt64>

    init(from first: UInt64) { rest = Atomic(first) }

    func next() -> UInt64 { rest.wrappingAdd(1, ordering: .relaxed).oldValue }
}

extension StoreWriter {
    /// Keeps two entries that belong together, some of them longer than a page.
    fileprivate func keepPair(_ number: UInt64) async throws(StorageError) {
        try await write { transaction throws(StorageError) in
            let key = Bytes(withUnsafeBytes(of: number.bigEndian) { Array($0) })
            let value = Bytes(
                repeating: UInt8(truncatingIfNeeded: number), count: Int(number % 97) * 80)
            try transaction.set(value.span, forKey: key.span, in: .left)
            try transaction.set(value.span, forKey: key.span, in: .right)
        }
    }
}

extension Keyspace {
    fileprivate static let left = Keyspace("left")
    fileprivate static let right = Keyspace("right")
}
