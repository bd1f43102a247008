import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("What can wait for the network", .timeLimit(.minutes(5)))
struct QueueRuleTests {
    /// A write, and why it can't wait; nil if it can.
    struct Rule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: NotQueueable?
        let request: @Sendable (PostgrestQueryBuilder) -> PostgrestRequest

        init(
            _ name: String, _ reason: NotQueueable?,
            _ request: @escaping @Sendable (PostgrestQueryBuilder) -> PostgrestRequest
        ) {
            (testDescription, self.reason, self.request) = (name, reason, request)
        }
    }

    static let inserts = [
        Rule("an insert without a key", .missingPrimaryKey) { $0.insert(["t": "x"]).request },
        Rule("an insert whose key is null", .missingPrimaryKey) {
            $0.insert(["id": JSONValue.null]).request
        },
        Rule("an insert with a key", nil) { $0.insert(["id": 1]).request },
        Rule("one row without a key among others", .missingPrimaryKey) {
            $0.insert([["id": 1], ["t": 2]]).request
        },
        Rule("rows with keys", nil) { $0.insert([["id": 1], ["id": 2]]).request },
        Rule("an upsert without a key", .missingPrimaryKey) { $0.upsert(["t": "x"]).request },
        Rule("an upsert with a key", nil) { $0.upsert(["id": 1]).request },
        Rule("an upsert that lacks a column of onConflict", .missingConflictColumns) {
            $0.upsert(["a": 1, "t": 2], onConflict: "a,b").request
        },
        Rule("an upsert with a null in onConflict", .missingConflictColumns) {
            $0.upsert(["a": 1, "b": JSONValue.null], onConflict: "a,b").request
        },
        Rule("an upsert with all columns of onConflict", nil) {
            $0.upsert(["a": 1, "b": 2], onConflict: "a,b").request
        },
        Rule("an upsert with the key, and not all columns of onConflict", nil) {
            $0.upsert(["id": 1, "a": 1], onConflict: "a,b").request
        },
        Rule("one row of an upsert that lacks both", .missingConflictColumns) {
            $0.upsert([["a": 1], ["b": 2]], onConflict: "a").request
        },
    ]

    static let changes = [
        Rule("an update of the key", .changesPrimaryKey) {
            $0.update(["id": 2]).eq("id", value: 1).request
        },
        Rule("an update of another column", nil) {
            $0.update(["t": 2]).eq("id", value: 1).request
        },
        Rule("an update of many rows", nil) {
            $0.update(["t": 2]).gt("n", value: 1).or("a.eq.1,b.eq.2").request
        },
        Rule("an update with a guard", nil) {
            $0.update(["t": 2]).eq("id", value: 1).ifUnchanged("t", 1).request
        },
        Rule("a delete", nil) { $0.delete().eq("id", value: 1).request },
        Rule("an update with a filter on another table", .embeddedFilter) {
            $0.update(["t": 2]).eq("id", value: 1).eq("parent.name", value: "x").request
        },
        Rule("an update with a filter into a value", nil) {
            $0.update(["t": 2]).eq("data->>name", value: "x").request
        },
        Rule("a delete with a tree of filters on another table", .embeddedFilter) {
            $0.delete().eq("id", value: 1).or("a.eq.1", referencedTable: "parent").request
        },
        Rule("a delete with a limit", .orderOrLimit) {
            $0.delete().eq("a", value: 1).limit(5).request
        },
        Rule("an update with an order", .orderOrLimit) {
            $0.update(["t": 2]).eq("a", value: 1).order("id").request
        },
        Rule("an update that returns columns", nil) {
            $0.update(["t": 2]).eq("a", value: 1).select("id,t").request
        },
        Rule("a delete that returns one row", nil) {
            $0.delete().eq("id", value: 1).select().single().request
        },
    ]

    static let options = [
        Rule("a write with its own authorization", .ownAuthorization) {
            $0.insert(["id": 1]).setHeader(name: "authorization", value: "Bearer x").request
        },
        Rule("a write with its own key", .ownAuthorization) {
            $0.delete().eq("id", value: 1).setHeader(name: "APIKEY", value: "x").request
        },
        Rule("a write with another header", nil) {
            $0.insert(["id": 1]).setHeader(name: "X-A", value: "x").request
        },
        Rule("a dry run", .dryRun) { $0.insert(["id": 1]).dryRun().request },
        Rule("a write that prefers something else", nil) {
            $0.insert(["id": 1], count: .exact).request
        },
        Rule("a plan", .explain) { $0.update(["t": 1]).eq("id", value: 1).explain().request },
        Rule("one row", nil) { $0.insert(["id": 1]).select().single().request },
    ]

    @Test(arguments: inserts + changes + options)
    func `is a write that needs nothing but to be sent`(_ rule: Rule) throws {
        try World.run { world in
            let request = rule.request(world.client.from("tasks"))
            let facts = world.client.settings.facts(of: request)
            let plan = try PlannedWrite(request, facts)
            #expect(plan.notQueueable == rule.reason)
        }
    }

    @Test func `is told by the key that the app names`() throws {
        try World.run(configure: { $0.primaryKeys = ["tasks": ["list", "n"]] }) { world in
            let table = world.client.from("tasks")
            let facts = world.client.settings.facts(of: table.delete().request)
            let whole = try PlannedWrite(table.insert(["list": 1, "n": 2]).request, facts)
            #expect(whole.notQueueable == nil)
            let half = try PlannedWrite(table.insert(["list": 1, "id": 2]).request, facts)
            #expect(half.notQueueable == .missingPrimaryKey)
            let moved = try PlannedWrite(
                table.update(["n": 3]).eq("list", value: 1).request, facts)
            #expect(moved.notQueueable == .changesPrimaryKey)
        }
    }

    // MARK: The rows that a write names

    static let named: [(QueuedWrite, Int?)] = [
        (.insert(#"[{"id":1},{"id":2}]"#), 2), (.insert(#"{"t":1}"#), nil),
        (.upsert(#"{"id":1}"#), 1), (.update("{}", ["id": "eq.1"]), 1),
        (.update("{}", ["id": "in.(1,2,3)"]), 3), (.delete(["id": "eq.1"]), 1),
        (.update("{}", ["id": "gt.1"]), nil), (.update("{}", ["t": "eq.1"]), nil),
        (.update("{}", ["id": "eq.1", "t": "eq.1"]), nil),
        (.delete(["or": "(id.eq.1,id.eq.2)"]), nil), (.delete(["id": "not.eq.1"]), nil),
    ]

    @Test(arguments: named.indices)
    func `names its rows, or may be about others`(_ index: Int) throws {
        let (write, count) = Self.named[index]
        let plan = try PlannedWrite(write.request, TableFacts())
        #expect(plan.soleKeys?.count == count)
    }

    @Test func `names a row in the words of filters and of rows`() throws {
        for (row, filter) in [
            (#"{"id":7}"#, "eq.7"), (#"{"id":"7"}"#, "eq.7"), (#"{"id":"a,b"}"#, #"in.("a,b")"#),
            (#"{"id":"é"}"#, "eq.é"), (#"{"id":"eq.1"}"#, "eq.eq.1"),
        ] {
            let insert = try PlannedWrite(QueuedWrite.insert(row).request, TableFacts())
            let update = try PlannedWrite(
                QueuedWrite.update("{}", ["id": filter]).request, TableFacts())
            #expect(insert.soleKeys != nil)
            #expect(insert.soleKeys == update.soleKeys, "\(filter)")
        }
    }
}
