import Foundation
import OfflineCore
import OfflineTesting
import StorageLMDB
import TestSupport
import Testing

@Suite("A killed process")
struct KillTests {
    /// More by the environment variable `KILL_ROUNDS`.
    static let rounds = ProcessInfo.processInfo.environment["KILL_ROUNDS"].flatMap(Int.init) ?? 50

    @Test(.timeLimit(.minutes(30)))
    func `leaves everything that was acknowledged, and nothing by halves`() async throws {
        try await withDirectory { url in
            let directory = url.systemPath
            let seed = UInt64.random(in: 0...UInt64.max)
            let kept = try await onOwnThread {
                var random = SplitMix64(seed: seed)
                var acknowledged: Set<UInt64> = []
                for round in 0..<Self.rounds {
                    let comment: Comment = "seed \(seed), round \(round)"
                    let first = (acknowledged.max() ?? 0) + 1_000
                    let child = try crasher("write", directory, "\(first)")
                    var rest = Int.random(in: 1...300, using: &random)
                    while let line = child.line() {
                        acknowledged.insert(try #require(UInt64(line), comment))
                        rest -= 1
                        if rest == 0 { child.kill() }
                    }
                    child.waitUntilExit()
                    try #require(rest <= 0, "the process ended by itself: \(comment)")
                    let kept = try keptNumbers(in: directory)
                    try #require(acknowledged.isSubset(of: kept), comment)
                }
                return acknowledged.count
            }
            #expect(kept >= Self.rounds)
        }
    }
}

/// The numbers of the pairs that are there; throws if one is there by halves.
private func keptNumbers(in directory: String) throws -> Set<UInt64> {
    let storage = try LMDBStorage(directory: directory, keyspaces: [.left, .right])
    defer { storage.close() }
    let (left, right) = try storage.read { transaction throws(StorageError) in
        (try transaction.entries(in: .left), try transaction.entries(in: .right))
    }
    try #require(left == right, "a pair is there by halves")
    return Set(left.map { $0.key.reduce(0) { $0 << 8 | UInt64($1) } })
}

private struct Entry: Equatable {
    let key: Bytes
    let value: Bytes
}

extension ReadTransaction {
    fileprivate func entries(in keyspace: Keyspace) throws(StorageError) -> [Entry] {
        var entries: [Entry] = []
        try scan(in: keyspace) { key, value in
            entries.append(Entry(key: Bytes(copying: key), value: Bytes(copying: value)))
            return .next
        }
        return entries
    }
}

extension Keyspace {
    fileprivate static let left = Keyspace("left")
    fileprivate static let right = Keyspace("right")
}
