import FoundationEssentials
import Testing

@testable import OfflineCore

@Suite("Updates of one row", .timeLimit(.minutes(5)))
struct UpdateMergingTests {
    private let ada = QueueFixture.ada

    @Test func `become one: the later value of each column counts`() async throws {
        let fixture = try QueueFixture()
        let first = try await fixture.add(.update(#"{"a":1,"b":"x"}"#, id: 1), mayMerge: true)
        let second = try await fixture.add(
            .update(#"{"b":"y","c":null}"#, id: 2)
                .with { $0.failures.temporary = 9 }, mayMerge: true)
        #expect(second.sequence == first.sequence)
        #expect(second.write.id == first.write.id)
        #expect(second.write.text == #"{"a":1,"b":"y","c":null}"#)
        #expect((first.write.revision, second.write.revision) == (0, 1))
        #expect(
            second.write.with { ($0.request.body, $0.revision) = (first.write.request.body, 0) }
                == first.write)
        #expect(try fixture.queue.pending(of: ada) == [second])
        #expect(try fixture.contents(.unsent).values.map { $0 } == [[0, 0, 0, 1]])
    }

    @Test func `are one request for fifty keystrokes`() async throws {
        let fixture = try QueueFixture()
        for key in 1...50 {
            try await fixture.add(
                .update(#"{"t":"\#(key)"}"#, id: UInt64(key)), mayMerge: true)
        }
        #expect(try fixture.pending.map(\.text) == [#"{"t":"50"}"#])
        #expect(try fixture.pending.map(\.revision) == [49])
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let earlier, later: QueuedWrite
        let areOne: Bool

        init(
            _ name: String, _ earlier: QueuedWrite = .update(#"{"a":1}"#, id: 1),
            _ later: QueuedWrite = .update(#"{"a":2}"#, id: 2), areOne: Bool = false
        ) {
            (testDescription, self.earlier, self.later, self.areOne) = (
                name, earlier, later, areOne
            )
        }
    }

    private static let parent = UUID.numbered(7)
    private static let minimal: HTTPHeaders = ["Prefer": "return=minimal"]

    static let pairs = [
        Pair("of the same row", areOne: true),
        Pair(
            "that were tried and certainly not carried out",
            .update(id: 1).with {
                $0.attempts = 3
                $0.lastRefusal = PostgrestError(status: 503, message: "m")
            }, areOne: true),
        Pair(
            "with the same dependencies", .update(id: 1).with { $0.dependencies = [parent] },
            .update(id: 2).with { $0.dependencies = [parent] }, areOne: true),
        Pair(
            "with the same options", .update(headers: minimal, id: 1),
            .update(headers: minimal, id: 2), areOne: true),
        Pair("of another row", .update("{}", ["id": "eq.9"], id: 1)),
        Pair("of another table", .update(of: "other", id: 1)),
        Pair("with another option", .update(headers: minimal, id: 1)),
        Pair("with another item", .update("{}", ["id": "eq.1", "select": "id"], id: 1)),
        Pair("that were perhaps sent", .update(id: 1).with { $0.isPerhapsSent = true }),
        Pair("that are kept apart", .update(id: 1).with { $0.isSeparate = true }),
        Pair("behind another write", .update(id: 1).with { $0.dependencies = [parent] }),
        Pair(
            "behind another write, the later one", .update(id: 1),
            .update(id: 2).with { $0.dependencies = [parent] }),
        Pair(
            "with a guard",
            .update(id: 1).with { $0.request.appendGuard("a", "eq.1") },
            .update(id: 2).with { $0.request.appendGuard("a", "eq.1") }),
        Pair("where one may be missing", .update(id: 1).with { $0.request.isRowOptional = true }),
        Pair("behind an insert", .insert(#"{"id":1}"#, id: 1)),
        Pair("behind a delete", .delete(id: 1)),
        Pair("before a delete", .update(id: 1), .delete(id: 2)),
        Pair("behind a call", .call(id: 1)),
        Pair("without values", .update("[]", id: 1)),
        Pair(
            "that are too large together",
            .update(#"{"a":"\#(String(repeating: "x", count: 600_000))"}"#, id: 1),
            .update(#"{"b":"\#(String(repeating: "x", count: 600_000))"}"#, id: 2)),
    ]

    @Test(arguments: pairs)
    func `become one only if nothing tells them apart`(_ pair: Pair) async throws {
        let fixture = try QueueFixture()
        let first = try await fixture.add(pair.earlier, mayMerge: true)
        let second = try await fixture.add(pair.later, mayMerge: true)
        let expected = pair.areOne ? [second.write] : [pair.earlier, pair.later]
        // Rows may be long: what is told of a failure are the ids.
        let pending = try fixture.pending
        let isAsExpected = pending == expected
        #expect(isAsExpected, "\(pending.map(\.id))")
        #expect(first.write == pair.earlier)
        #expect((first.sequence == second.sequence) == pair.areOne)
    }

    @Test func `stay apart unless the later one may go into another`() async throws {
        let fixture = try QueueFixture()
        try await fixture.add(.update(id: 1), mayMerge: true)
        try await fixture.add(.update(id: 2), mayMerge: false)
        #expect(try fixture.pending.map(\.id) == [.numbered(1), .numbered(2)])
    }

    @Test func `stay apart with another write between them`() async throws {
        let fixture = try QueueFixture()
        try await fixture.add(.update(id: 1), mayMerge: true)
        try await fixture.add(.insert(#"{"id":5}"#, id: 2), mayMerge: true)
        try await fixture.add(.update(id: 3), mayMerge: true)
        #expect(try fixture.pending.map(\.id) == [.numbered(1), .numbered(2), .numbered(3)])
    }

    @Test func `stay apart if they are not of the same user`() async throws {
        let fixture = try QueueFixture()
        try await fixture.add(.update(id: 1), of: QueueFixture.visitor, mayMerge: true)
        try await fixture.add(.update(id: 2), mayMerge: true)
        #expect(try fixture.pending.map(\.id) == [.numbered(2)])
    }
}
