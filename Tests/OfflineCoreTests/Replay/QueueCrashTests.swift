import FoundationEssentials
import OfflineTesting
import StorageMemory
import Synchronization
import Testing

@testable import OfflineCore

/// The app ends at any of its transactions, and is opened again.
@Suite("The queue of an app that ends", .timeLimit(.minutes(5)))
struct QueueCrashTests {
    /// A disk that takes so many transactions, and then the app is gone.
    private final class EndingStorage: Storage {
        private let disk: MemoryStorage
        private let left: Lock<Int>

        init(_ disk: MemoryStorage, after count: Int) {
            self.disk = disk
            left = Lock(count)
        }

        var isOver: Bool { left.withLock { $0 < 0 } }

        func read<R>(
            _ body: (borrowing ReadTransaction) throws(StorageError) -> R
        ) throws(StorageError) -> R {
            if isOver { throw .closed }
            return try disk.read(body)
        }

        func write<R>(
            _ body: (inout WriteTransaction) throws(StorageError) -> R
        ) throws(StorageError) -> R {
            left.withLock { $0 -= 1 }
            if isOver { throw .closed }
            return try disk.write(body)
        }

        func suspend() {}
        func resume() throws(StorageError) {}
        func close() { left.withLock { $0 = -1 } }
    }

    @Test func `has every write that was kept, once, wherever it ends`() throws {
        var count = 0
        while try !run(endingAfter: count) { count += 1 }
        // Opening, three writes kept, marked and ended, and what a failed attempt leaves.
        #expect(count > 8)
    }

    /// - Returns: Whether the app came to its end by itself.
    private func run(endingAfter count: Int) throws -> Bool {
        let disk = MemoryStorage(keyspaces: Keyspace.all)
        let storage = EndingStorage(disk, after: count)
        let kept = Lock<[String]>([])
        let sent = Lock<[String]>([])
        try? World.run(storage: storage) { world in
            world.network.setDown(true)
            for id in 1...3 {
                guard let outcome = try? await world.rename(id, "x") else { continue }
                if outcome.mutation != nil { kept.withLock { $0.append("\(id)") } }
            }
            world.network.setDown(false)
            for _ in 1...3 { world.network.accept(200, json: "[]") }
            _ = try? await world.client.syncPendingMutations()
            sent.withLock { $0 = world.taken(before: 3) }
        }
        try World.run(storage: disk) { world in
            for _ in 1...3 { world.network.accept(200, json: "[]") }
            _ = try await world.client.syncPendingMutations()
            let all = sent.withLock { $0 } + world.taken(before: 0)
            for id in kept.withLock({ $0 }) {
                #expect(all.contains(id), "write \(id) is lost after \(count) transactions")
            }
            // In their order, however often.
            for run in [sent.withLock({ $0 }), world.taken(before: 0)] {
                #expect(run == run.sorted(), "after \(count) transactions")
            }
            let pending = await world.pending()
            #expect(pending.isEmpty)
            let list = try? await world.tasks(.cacheOnly).execute()
            #expect(list == nil)
        }
        try disk.read { transaction throws(StorageError) in
            for keyspace in [Keyspace.queue, .unsent] {
                try transaction.scan(in: keyspace) { _, _ in
                    Issue.record("\(keyspace) has something after \(count) transactions")
                    return .stop
                }
            }
        }
        return !storage.isOver
    }
}

extension World {
    /// The rows of the requests behind some that got no answer.
    fileprivate func taken(before count: Int) -> [String] {
        network.requests.dropFirst(count).map { String($0.url.suffix(1)) }
    }
}
