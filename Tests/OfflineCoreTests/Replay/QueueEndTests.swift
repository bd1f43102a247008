import FoundationEssentials
import Testing

@testable import OfflineCore

@Suite("The end of a write in the queue", .timeLimit(.minutes(5)))
struct QueueEndTests {
    private let ada = QueueFixture.ada

    private static let ends: [(MutationOutcome, isKept: Bool)] = [
        (.applied(rows: 2), false), (.applied(rows: nil), false), (.cancelledOut, false),
        (.discarded, false), (.rejected(.refusal), false), (.rejected(.refusal), true),
        (.rejected(.outcomeUnknown), true),
    ]

    @Test(arguments: ends.indices)
    func `takes it off the queue and the index, and tells its outcome`(_ index: Int) async throws {
        let (outcome, isKept) = Self.ends[index]
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(2)
        let time = Timestamp(microseconds: 77)
        try await fixture.end([entries[0]], outcome, isKept: isKept, at: time)
        #expect(try fixture.queue.pending(of: ada) == [entries[1]])
        #expect(try fixture.contents(.unsent).count == 1)
        #expect(try fixture.queue.outcome(of: .numbered(1), ada) == outcome)
        #expect(try fixture.queue.outcome(of: .numbered(2), ada) == nil)
        #expect(try fixture.queue.outcome(of: .numbered(1), QueueFixture.visitor) == nil)
        guard isKept, case .rejected(let rejection) = outcome else {
            #expect(try fixture.rejected == [])
            return
        }
        let kept = RejectedEntry(entries[0].sequence, entries[0].write, rejection, at: time)
        #expect(try fixture.rejected == [kept])
    }

    @Test func `leaves nothing of any kind of write behind`() async throws {
        let fixture = try QueueFixture()
        let writes: [QueuedWrite] = [
            .insert("{}", id: 1), .upsert("{}", id: 2), .update(id: 3), .delete(id: 4),
            .call(id: 5), .update(of: "other", id: 6),
        ]
        var entries: [QueueEntry] = []
        for write in writes { entries.append(try await fixture.add(write)) }
        // A function has no table whose reads could ask for it.
        #expect(try fixture.contents(.unsent).count == 5)
        try await fixture.end(entries)
        #expect(try fixture.contents(.queue).isEmpty)
        #expect(try fixture.contents(.unsent).isEmpty)
        #expect(try fixture.contents(.rejected).isEmpty)
    }

    @Test func `is passed over if the write is gone`() async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(2)
        try await fixture.end([entries[0]], .discarded)
        try await fixture.end(entries, .rejected(.refusal), isKept: true)
        #expect(try fixture.queue.outcome(of: .numbered(1), ada) == .discarded)
        #expect(try fixture.rejected.map(\.write.id) == [.numbered(2)])
        #expect(try fixture.contents(.outcomes).count == 2)
    }

    @Test func `keeps a rejected write with what went into it meanwhile`() async throws {
        let fixture = try QueueFixture()
        let entry = try await fixture.add(.update(#"{"a":1}"#, id: 1), mayMerge: true)
        try await fixture.add(.update(#"{"b":2}"#, id: 2), mayMerge: true)
        try await fixture.end(
            [entry], .rejected(.dependency(on: .numbered(9))), isKept: true)
        #expect(try fixture.rejected.map(\.write.text) == [#"{"a":1,"b":2}"#])
    }

    // MARK: Taking back

    @Test func `is its being taken back, of those that are chosen`() async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(3)
        let going = try await fixture.queue.discard(of: ada, at: Timestamp(microseconds: 0)) {
            #expect($0 == entries)
            return [$0[0], $0[2]]
        }
        #expect(going == [entries[0], entries[2]])
        #expect(try fixture.queue.pending(of: ada) == [entries[1]])
        #expect(try fixture.queue.outcome(of: .numbered(3), ada) == .discarded)
        #expect(try fixture.contents(.unsent).count == 1)
    }

    // MARK: Rejected writes

    @Test func `is not the last of a rejected write, which can go back`() async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(5)
        try await fixture.end(Array(entries.prefix(4)), .rejected(.refusal), isKept: true)
        let back = try await fixture.queue.requeue(of: ada) { rejected in
            #expect(rejected.map(\.sequence) == entries.prefix(4).map(\.sequence))
            return [
                rejected[3]: rejected[3].write,
                rejected[1]: rejected[1].write.with { $0.revision += 1 },
            ]
        }
        #expect(back.map(\.write.id) == [.numbered(2), .numbered(4)])
        #expect(back.map(\.write.revision) == [1, 0])
        #expect(back.allSatisfy { $0.sequence > entries[4].sequence })
        #expect(try fixture.queue.pending(of: ada) == [entries[4]] + back)
        #expect(try fixture.rejected.map(\.write.id) == [.numbered(1), .numbered(3)])
        #expect(try fixture.contents(.unsent).count == 3)
        // What comes of it the second time counts.
        try await fixture.end([back[0]], .applied(rows: 1))
        #expect(try fixture.queue.outcome(of: .numbered(2), ada) == .applied(rows: 1))
    }

    @Test func `may be that a rejected write is dropped`() async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(2)
        try await fixture.end(entries, .rejected(.refusal), isKept: true)
        let dropped = try await fixture.queue.discardRejected(
            of: ada, at: Timestamp(microseconds: 0), as: .cancelledOut
        ) { [$0[1]] }
        #expect(dropped.map(\.write.id) == [.numbered(2)])
        #expect(try fixture.rejected.map(\.write.id) == [.numbered(1)])
        #expect(try fixture.queue.outcome(of: .numbered(1), ada) == .rejected(.refusal))
        #expect(try fixture.queue.outcome(of: .numbered(2), ada) == .cancelledOut)
    }

    // MARK: Outcomes

    @Test func `is known for the last thousand writes of each identity`() async throws {
        let fixture = try QueueFixture()
        let other = try await fixture.add(.insert("{}", id: 5_000), of: QueueFixture.visitor)
        try await fixture.queue.end(
            [QueueEnd(other, .discarded)], of: QueueFixture.visitor,
            at: Timestamp(microseconds: 0))
        try await fixture.end(try await fixture.addInserts(999))
        try await fixture.end(try await fixture.addInserts(1, from: 1_000))
        #expect(try fixture.queue.outcome(of: .numbered(1), ada) != nil)
        try await fixture.end(try await fixture.addInserts(3, from: 1_001))
        for (id, isKnown) in [(1, false), (3, false), (4, true), (1_003, true)] {
            let outcome = try fixture.queue.outcome(of: .numbered(UInt64(id)), ada)
            #expect((outcome != nil) == isKnown, "\(id)")
        }
        let kept = try fixture.queue.outcome(of: .numbered(5_000), QueueFixture.visitor)
        #expect(kept == .discarded)
    }

    @Test func `is known for seven days`() async throws {
        let fixture = try QueueFixture()
        let entries = try await fixture.addInserts(4)
        let day: Int64 = 86_400_000_000
        for (entry, time) in zip(entries, [0, day, 7 * day, 7 * day + 1]) {
            try await fixture.end([entry], at: Timestamp(microseconds: time))
            let isFirstKnown = try fixture.queue.outcome(of: .numbered(1), ada) != nil
            #expect(isFirstKnown == (time <= 7 * day))
        }
        #expect(try fixture.contents(.outcomes).count == 3)
    }
}
