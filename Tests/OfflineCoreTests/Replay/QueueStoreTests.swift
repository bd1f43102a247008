import FoundationEssentials
import StorageMemory
import Testing

@testable import OfflineCore

@Suite("The queue in the store", .timeLimit(.minutes(5)))
struct QueueStoreTests {
    private let ada = QueueFixture.ada

    // MARK: Order

    @Test func `keeps writes in the order in which they came`() async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(300)
        #expect(try fixture.queue.pending(of: ada) == entries)
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        #expect(try fixture.pending.map(\.id) == (1...300).map { UUID.numbered($0) })
    }

    @Test func `gives as many as are asked for, behind the one that is named`() async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(5)
        let found = try fixture.queue.pending(of: ada, limit: 2, after: entries[1].sequence)
        #expect(found == Array(entries[2...3]))
        #expect(try fixture.queue.pending(of: ada, after: entries[4].sequence) == [])
        #expect(try fixture.queue.pending(of: ada, limit: 0) == [])
    }

    @Test func `never uses a sequence again`() async throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        let fixture = try QueueFixture(over: storage)
        let entries = try await fixture.addInserts(3)
        try await fixture.end(entries)
        let later = try await fixture.addInserts(1)[0]
        #expect(later.sequence > entries[2].sequence)
        try await fixture.end([later])
        let reopened = try QueueFixture(over: storage)
        let last = try await reopened.addInserts(1)[0]
        #expect(last.sequence > later.sequence)
        #expect(try reopened.queue.last(of: ada) == last.sequence)
    }

    @Test func `finds a write by its id, and the last one`() async throws {
        let fixture = try QueueFixture()
        #expect(try fixture.queue.last(of: ada) == nil)
        let entries = try await fixture.addInserts(3)
        #expect(try fixture.queue.pending(.numbered(2), of: ada) == entries[1])
        #expect(try fixture.queue.pending(.numbered(9), of: ada) == nil)
        #expect(try fixture.queue.last(of: ada) == entries[2].sequence)
    }

    @Test func `has the writes of an earlier run`() async throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        let entries = try await QueueFixture(over: storage).addInserts(2)
        #expect(try QueueFixture(over: storage).queue.pending(of: ada) == entries)
    }

    // MARK: Identities

    @Test func `is one queue for each identity`() async throws {
        let fixture = try QueueFixture()
        let others = [
            QueueFixture.visitor, Identity(project: ada.project, owner: .user(UserID("grace"))),
            Identity(project: "other", owner: ada.owner),
        ]
        let first = try await fixture.add(.insert("{}", id: 1))
        for (id, other) in zip(UInt64(2)..., others) {
            let entry = try await fixture.add(.insert("{}", id: id), of: other)
            #expect(entry.sequence > first.sequence)
            #expect(try fixture.queue.pending(of: other) == [entry])
            #expect(try fixture.queue.last(of: other) == entry.sequence)
        }
        #expect(try fixture.queue.pending(of: ada) == [first])
        #expect(try fixture.queue.last(of: ada) == first.sequence)
    }

    @Test func `lets nobody touch another's writes`() async throws {
        let fixture = try QueueFixture()
        let entry = try await fixture.addInserts(1)[0]
        try await fixture.add(.insert("{}", id: 9), of: QueueFixture.visitor)
        let other = QueueFixture.visitor
        let queue = fixture.queue
        #expect(try await queue.mark([entry.sequence], of: other) == [])
        try await queue.note(
            [AttemptNote(entry.sequence, isPerhapsSent: true, .init(), refusal: nil)], of: other)
        try await queue.end(
            [QueueEnd(entry, .discarded)], of: other, at: Timestamp(microseconds: 0))
        #expect(try fixture.queue.pending(of: ada) == [entry])
        #expect(try queue.outcome(of: entry.write.id, other) == nil)
        let seen = try await queue.discard(of: other, at: Timestamp(microseconds: 0)) { $0 }
        #expect(seen.map(\.write.id) == [.numbered(9)])
    }

    @Test func `counts what waits and what was rejected, for everybody`() async throws {
        let fixture = try QueueFixture()
        #expect(try fixture.queue.counts(of: ada) == QueueCounts())
        let entries = try await fixture.addInserts(3)
        let elsewhere = Identity(project: "other", owner: .visitor)
        try await fixture.add(.insert("{}", id: 7), of: elsewhere)
        let gone = try await fixture.add(.insert("{}", id: 8), of: QueueFixture.visitor)
        try await fixture.queue.end(
            [QueueEnd(gone, .applied(rows: 1))], of: QueueFixture.visitor,
            at: Timestamp(microseconds: 0))
        try await fixture.end([entries[0]], .rejected(.refusal), isKept: true)
        #expect(try fixture.queue.counts(of: ada) == QueueCounts(pending: 2, rejected: 1))
        let unsent = try fixture.queue.unsent()
        #expect(unsent.map(\.name) == [elsewhere.name, ada.name])
        #expect(
            unsent.map(\.counts) == [QueueCounts(pending: 1), QueueCounts(pending: 2, rejected: 1)])
    }

    // MARK: Sending

    @Test func `marks the first write as perhaps sent in the commit that keeps it`() async throws {
        let fixture = try QueueFixture()
        let first = try await fixture.add(.insert("{}", id: 1), isSentAtOnce: true)
        #expect((first.write.isPerhapsSent, first.write.attempts) == (true, 1))
        // Something came before it meanwhile.
        let second = try await fixture.add(.insert("{}", id: 2), isSentAtOnce: true)
        #expect((second.write.isPerhapsSent, second.write.attempts) == (false, 0))
        #expect(try fixture.queue.pending(of: ada) == [first, second])
    }

    @Test func `marks writes before each attempt, and tells what they were before`() async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(3)
        try await fixture.end([entries[1]])
        let sequences = entries.map(\.sequence)
        let first = try await fixture.queue.mark(Array(sequences.prefix(2)), of: ada)
        #expect(first.map(\.entry.sequence) == [sequences[0]])
        #expect(first.map(\.wasPerhapsSent) == [false])
        let second = try await fixture.queue.mark(sequences, of: ada)
        #expect(second.map(\.wasPerhapsSent) == [true, false])
        #expect(second.map(\.entry.write.attempts) == [2, 1])
        #expect(second.map(\.entry.write.isPerhapsSent) == [true, true])
        #expect(try fixture.queue.pending(of: ada) == second.map(\.entry))
    }

    @Test func `notes what an attempt has left of a write`() async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(2)
        let marked = try await fixture.queue.mark(entries.map(\.sequence), of: ada)
        var failures = QueuedWrite.Failures()
        failures.temporary = 3
        let refusal = PostgrestError(status: 503, message: "m")
        try await fixture.queue.note(
            [
                AttemptNote(
                    entries[0].sequence, isPerhapsSent: false, failures, refusal: refusal),
                AttemptNote(99, isPerhapsSent: true, failures, refusal: refusal),
            ], of: ada)
        let noted = marked[0].entry.write.with {
            $0.isPerhapsSent = false
            $0.failures = failures
            $0.lastRefusal = refusal
        }
        #expect(try fixture.pending == [noted, marked[1].entry.write])
        // An attempt without an answer leaves the last refusal where it was.
        try await fixture.queue.note(
            [AttemptNote(entries[0].sequence, isPerhapsSent: true, .init(), refusal: nil)],
            of: ada)
        #expect(try fixture.pending[0].lastRefusal == refusal)
        #expect(try fixture.pending[0].failures == .init())
    }
}
