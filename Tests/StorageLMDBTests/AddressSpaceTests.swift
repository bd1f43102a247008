#if os(Linux) && !THREAD_SANITIZER
import Foundation
import OfflineCore
import StorageLMDB
import TestSupport
import Testing

/// A device with little room in its address space, played by the limit on that.
///
/// The limit is the process's, so each test has a process of its own.
@Suite("LMDB storage where memory is short", .timeLimit(.minutes(5)))
struct AddressSpaceTests {
    @Test func `grows by less where there is no room for more, then throws full and goes on`() async
    {
        await #expect(processExitsWith: .success) {
            try await withDirectory { url in
                let storage = try LMDBStorage(
                    directory: url.systemPath, keyspaces: [.rows],
                    size: StorageSize(initial: 1 << 27, maximum: 1 << 36))
                try storage.set(0, count: 100 << 20)
                var kept = [UInt8(0): 100 << 20]
                try withAddressSpace(1 << 26) {
                    // The map would have to be twice as long, which doesn't fit; some more does.
                    var failure: StorageError?
                    for key: UInt8 in 1... {
                        do throws(StorageError) {
                            try storage.set(key, count: 4 << 20)
                            kept[key] = 4 << 20
                        } catch {
                            failure = error
                            break
                        }
                    }
                    try #require(failure == .full)
                    try #require(kept.count > 8)
                    try require(storage, holds: kept)
                    #expect(throws: StorageError.full) { try storage.set(255, count: 4 << 20) }
                    try require(storage, holds: kept)
                }
                try storage.set(255, count: 4 << 20)
                kept[255] = 4 << 20
                try require(storage, holds: kept)
                storage.close()
            }
        }
    }
}

/// Runs `body` with so much room beyond what the process has taken.
private func withAddressSpace(_ bytes: UInt, _ body: () throws -> Void) throws {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        .split(separator: " ").first.flatMap { UInt($0) }
    let taken = try #require(pages) * UInt(sysconf(Int32(_SC_PAGESIZE)))
    let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
    var before = rlimit()
    getrlimit(resource, &before)
    var limited = rlimit(rlim_cur: taken + bytes, rlim_max: before.rlim_max)
    setrlimit(resource, &limited)
    defer { setrlimit(resource, &before) }
    try body()
}

extension Keyspace {
    fileprivate static let rows = Keyspace("rows")
}

extension Storage {
    /// Sets a value that is made up as it is written: the process has no room for a copy.
    fileprivate func set(_ key: UInt8, count: Int) throws(StorageError) {
        let key: Bytes = [key]
        let part = Bytes(repeating: 7, count: min(count, 1 << 19))
        try write { transaction throws(StorageError) in
            for number in 0..<UInt32(count / part.count) {
                let place = key + Bytes(withUnsafeBytes(of: number.bigEndian) { Array($0) })
                try transaction.set(part.span, forKey: place.span, in: .rows)
            }
        }
    }
}

private func require(_ storage: some Storage, holds expected: [UInt8: Int]) throws {
    let counts = try storage.read { transaction throws(StorageError) in
        var counts: [UInt8: Int] = [:]
        try transaction.scan(in: .rows) { key, value in
            counts[key[0], default: 0] += value.count
            return .next
        }
        return counts
    }
    try #require(counts == expected)
}
#endif
