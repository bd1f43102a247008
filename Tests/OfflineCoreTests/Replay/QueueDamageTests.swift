import FoundationEssentials
import StorageMemory
import Testing

@testable import OfflineCore

@Suite("A queue whose store is damaged or fails", .timeLimit(.minutes(5)))
struct QueueDamageTests {
    private let ada = QueueFixture.ada
    private let time = Timestamp(microseconds: 0)

    static let damages: [FailingStoreTests.Damage] = [.cut, .emptied, .flipped]

    @Test(arguments: damages)
    func `leaves a damaged write out, and where it is`(
        _ damage: FailingStoreTests.Damage
    ) async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(3)
        let key = KeyLayout.write(entries[1].sequence, of: 1)
        try fixture.storage.damage(.queue, key: key, damage)
        let before = try fixture.contents()
        #expect(try fixture.queue.pending(of: ada) == [entries[0], entries[2]])
        #expect(try fixture.queue.pending(of: ada, limit: 2) == [entries[0], entries[2]])
        #expect(try fixture.queue.pending(.numbered(2), of: ada) == nil)
        // However often it is met, it is told once.
        #expect(fixture.log.messages.count { $0.contains("can't be read") } == 1)
        #expect(try fixture.contents() == before)
        // The others go their way around it.
        try await fixture.end([entries[0], entries[2]])
        #expect(try fixture.contents(.queue).keys.map { $0 } == [key])
        let next = try await fixture.addInserts(1, from: 9)[0]
        #expect(try fixture.queue.pending(of: ada) == [next])
    }

    @Test(arguments: damages)
    func `sets damaged writes aside as they are`(_ damage: FailingStoreTests.Damage) async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(4)
        try await fixture.end(Array(entries[2...]), .rejected(.refusal), isKept: true)
        let keys = entries.map { KeyLayout.write($0.sequence, of: 1) }
        try fixture.storage.damage(.queue, key: keys[0], damage)
        try fixture.storage.damage(.rejected, key: keys[2], damage)
        let (queue, rejected) = (try fixture.contents(.queue), try fixture.contents(.rejected))
        #expect(try fixture.pending.count == 1)
        #expect(fixture.queue.unreadable.first == ada)
        try await fixture.queue.setUnreadableAside(of: ada)
        #expect(fixture.queue.unreadable.first == nil)
        #expect(
            try fixture.contents(.damaged)
                == [keys[0]: queue[keys[0]], keys[2]: rejected[keys[2]]].compactMapValues(\.self))
        #expect(try fixture.contents(.queue) == queue.filter { $0.key == keys[1] })
        #expect(try fixture.contents(.rejected) == rejected.filter { $0.key == keys[3] })
        #expect(try fixture.contents(.unsent).count == 1)
        #expect(try fixture.queue.counts(of: ada) == QueueCounts(pending: 1, rejected: 1))
    }

    @Test func `sets nothing aside of another identity`() async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(1)
        try await fixture.add(.insert(#"{"id":2}"#, id: 2), of: QueueFixture.visitor)
        try fixture.storage.damage(
            .queue, key: KeyLayout.write(entries[0].sequence, of: 1), .cut)
        let before = try fixture.contents()
        try await fixture.queue.setUnreadableAside(of: QueueFixture.visitor)
        #expect(try fixture.contents() == before)
    }

    @Test(arguments: damages)
    func `goes on behind a damaged write, and tells of it once`(
        _ damage: FailingStoreTests.Damage
    ) throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        try World.run(storage: storage) { world in
            try await world.offline { for id in 1...3 { try await world.insert(id) } }
        }
        try storage.damage(.queue, key: KeyLayout.write(1, of: 1), damage)
        let log = MessageRecorder()
        for run in 1...2 {
            try World.run(storage: storage, configure: { $0.logHandler = log.note }) { world in
                for _ in 0..<3 { world.network.accept() }
                let report = try await world.client.syncPendingMutations()
                #expect(report.left == 0 && report.stop == nil)
                let rest = #"POST /tasks [{"id":2,"title":"a"},{"id":3,"title":"a"}]"#
                #expect(world.sent == (run == 1 ? [rest] : []))
                #expect(world.client.currentSyncStatus.pendingCount == 0)
            }
        }
        #expect(log.messages.count { $0.contains("can't be read") } == 1)
    }

    @Test func `keeps a damaged write no longer than the data of whose it is`() throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        let fixture = try QueueFixture(over: storage)
        try World.run(storage: storage) { world in
            try await world.offline { try await world.insert(1) }
            try storage.damage(.queue, .cut)
            try await world.client.syncPendingMutations()
            #expect(try fixture.contents(.damaged).count == 1)
            // It is none that could still be sent.
            try await world.client.clear()
            #expect(try fixture.contents(.damaged).isEmpty)
        }
    }

    @Test(arguments: damages)
    func `puts no update into a damaged one`(_ damage: FailingStoreTests.Damage) async throws {
        let fixture = try QueueFixture()
        try await fixture.add(.update(id: 1), mayMerge: true)
        try fixture.storage.damage(.queue, damage)
        try await fixture.add(.update(id: 2), mayMerge: true)
        #expect(try fixture.pending.map(\.id) == [.numbered(2)])
        #expect(try fixture.contents(.queue).count == 2)
    }

    @Test(arguments: damages)
    func `leaves a damaged rejected write out`(_ damage: FailingStoreTests.Damage) async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(2)
        try await fixture.end(entries, .rejected(.refusal), isKept: true)
        try fixture.storage.damage(
            .rejected, key: KeyLayout.write(entries[0].sequence, of: 1), damage)
        #expect(try fixture.rejected.map(\.write.id) == [.numbered(2)])
        let back = try await fixture.queue.requeue(of: ada) { rejected in
            Dictionary(uniqueKeysWithValues: rejected.map { ($0, $0.write) })
        }
        #expect(back.map(\.write.id) == [.numbered(2)])
        #expect(try fixture.contents(.rejected).count == 1)
    }

    @Test(arguments: damages)
    func `knows the other outcomes`(_ damage: FailingStoreTests.Damage) async throws {
        let fixture = try QueueFixture()
        try await fixture.end(try await fixture.addInserts(2), .discarded)
        try fixture.storage.damage(.outcomes, key: KeyLayout.write(1, of: 1), damage)
        #expect(try fixture.queue.outcome(of: .numbered(2), ada) == .discarded)
        try await fixture.end(try await fixture.addInserts(1, from: 3), .cancelledOut)
        #expect(try fixture.queue.outcome(of: .numbered(2), ada) == .discarded)
        #expect(try fixture.queue.outcome(of: .numbered(3), ada) == .cancelledOut)
    }

    // MARK: Failing

    /// Everything that changes the queue.
    enum Change: CaseIterable {
        case add, merge, mark, note, end, reject, discard, requeue, discardRejected
    }

    @Test(arguments: Change.allCases)
    func `stays as it was if the store can't be written`(_ change: Change) async throws {
        let storage = FailingStorage()
        let fixture = try QueueFixture(over: storage)
        let entries = try await prepared(fixture)
        let before = try fixture.contents()
        storage.failWrites(with: .full)
        await #expect(throws: StorageError.full) { try await make(change, fixture, entries) }
        #expect(try fixture.contents() == before)
        storage.failWrites(with: nil)
        try await make(change, fixture, entries)
        #expect(try fixture.contents() != before)
    }

    @Test(arguments: [Change.add, .requeue])
    func `stays as it was if the store fails halfway`(_ change: Change) async throws {
        let fixture = try QueueFixture()
        let entries = try await prepared(fixture)
        try fixture.storage.damage(.meta, key: KeyLayout.lastSequence, .cut)
        let before = try fixture.contents()
        await #expect(throws: StorageError.corrupted("a record is too short")) {
            try await make(change, fixture, entries)
        }
        #expect(try fixture.contents() == before)
    }

    @Test func `says so if it can't be read`() async throws {
        let storage = FailingStorage()
        let fixture = try QueueFixture(over: storage)
        try await fixture.addInserts(1)
        storage.failReads(with: .unavailable)
        #expect(throws: StorageError.unavailable) { try fixture.queue.pending(of: ada) }
        #expect(throws: StorageError.unavailable) { try fixture.queue.counts(of: ada) }
        #expect(throws: StorageError.unavailable) { try fixture.queue.rejected(of: ada) }
        #expect(throws: StorageError.unavailable) { try fixture.queue.unsent() }
        #expect(throws: StorageError.unavailable) { try fixture.queue.last(of: ada) }
        #expect(throws: StorageError.unavailable) {
            try fixture.queue.outcome(of: .numbered(1), ada)
        }
    }

    /// A queue with a rejected write and two that wait.
    private func prepared(_ fixture: QueueFixture) async throws -> [QueueEntry] {
        let rejected = try await fixture.addInserts(1)
        try await fixture.end(rejected, .rejected(.refusal), isKept: true)
        let insert = try await fixture.addInserts(1, from: 2)
        return insert + [try await fixture.add(.update(id: 3))]
    }

    private func make(
        _ change: Change, _ fixture: QueueFixture, _ entries: [QueueEntry]
    ) async throws {
        let queue = fixture.queue
        let sequences = entries.map(\.sequence)
        switch change {
        case .add: try await fixture.add(.delete(id: 4))
        case .merge: try await fixture.add(.update(#"{"b":2}"#, id: 4), mayMerge: true)
        case .mark: _ = try await queue.mark(sequences, of: ada)
        case .note:
            try await queue.note(
                [AttemptNote(sequences[0], isPerhapsSent: true, .init(), refusal: nil)], of: ada)
        case .end: try await fixture.end(entries)
        case .reject: try await fixture.end(entries, .rejected(.refusal), isKept: true)
        case .discard: _ = try await queue.discard(of: ada, at: time) { $0 }
        case .requeue:
            _ = try await queue.requeue(of: ada) { [$0[0]: $0[0].write] }
        case .discardRejected:
            _ = try await queue.discardRejected(of: ada, at: time, as: .discarded) { $0 }
        }
    }
}
