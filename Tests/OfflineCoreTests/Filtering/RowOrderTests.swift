import Testing

@testable import OfflineCore

@Suite("An order", .timeLimit(.minutes(5)))
struct RowOrderTests {
    /// How the row of one value stands to that of another.
    private func compare(
        _ lhs: String, _ rhs: String, _ order: String = "c", _ type: PostgresType? = nil,
        evidence shown: [String] = []
    ) -> Ordering {
        var evidence = ColumnEvidence()
        for value in shown {
            let row = Bytes("{\"c\":\(value)}")
            evidence.add(row: row.span)
        }
        let order = RowOrder(
            of: [PostgrestRequest.Item](["order": order]), types: type.map { ["c": $0] } ?? [:],
            evidence: evidence)
        let rows = (Bytes("{\"c\":\(lhs),\"d\":1}"), Bytes("{\"c\":\(rhs),\"d\":2}"))
        return order.compare(rows.0.span, rows.1.span)
    }

    @Test func `puts nulls last upwards and first downwards, unless told otherwise`() {
        #expect(compare("null", "1") == .greater)
        #expect(compare("null", "1", "c.asc") == .greater)
        #expect(compare("null", "1", "c.desc") == .less)
        #expect(compare("null", "1", "c.nullsfirst") == .less)
        #expect(compare("1", "null", "c.desc.nullslast") == .less)
        #expect(compare("null", "null") == .equal)
    }

    @Test func `goes by the next term where one leaves rows equal`() {
        #expect(compare("1", "1.0", "c,d") == .less)
        #expect(compare("1", "1", "c,d.desc") == .greater)
        #expect(compare("2", "1", "c,d") == .greater)
        #expect(compare("1", "1") == .equal)
        #expect(compare("2", "1", "") == .equal)
    }

    @Test func `takes stored numbers as they are`() {
        #expect(compare("0.1", "0.10000000149") == .less)
        #expect(compare("9007199254740992", "9007199254740993") == .less)
        #expect(compare("1", "\"NaN\"", evidence: ["1", "\"NaN\""]) == .less)
        #expect(compare("\"-Infinity\"", "1", evidence: ["1"]) == .less)
    }

    @Test func `follows what is known of types`() {
        #expect(compare("false", "true") == .less)
        #expect(compare("\"b\"", "\"a\"", "c", .enumeration(["b", "a"])) == .less)
        #expect(
            compare(
                "\"2024-01-02T03:00:00+00:00\"", "\"2024-01-02T03:00:00+01:00\"", "c",
                "timestamptz") == .greater)
        #expect(compare("\"1 mon\"", "\"29 days\"", "c", "interval") == .greater)
        #expect(compare("\"1 mon\"", "\"30 days\"", "c", "interval") == .equal)
        #expect(compare("\"-infinity\"", "\"0001-01-01 BC\"", "c", "date") == .less)
        #expect(compare("[1,5]", "[2]", "c", "int4[]") == .less)
        #expect(compare("[1,5]", "[2]", "c", "jsonb") == .greater)
        #expect(compare("\"a\"", "\"b\"", "c", PostgresType("text").collated("C")) == .less)
    }

    @Test func `of text is the collation's, which isn't known`() {
        #expect(compare("\"a\"", "\"b\"", "c", "text") == .unequal)
        #expect(compare("\"a\"", "\"a\"", "c,d", "text") == .less)
        #expect(compare("\"a\"", "\"b\"") == .unequal)
        #expect(compare("\"a\"", "\"A\"") == .undecidable)
    }

    @Test func `of arrays whose type isn't told is known where both kinds agree`() {
        #expect(compare("[1,5]", "[2]") == .unequal)
        #expect(compare("[1]", "[2]") == .less)
        #expect(compare("[]", "[2]") == .less)
    }

    @Test func `of objects that may be composites isn't known`() {
        let (lhs, rhs) = ("{\"r\":1,\"i\":9}", "{\"r\":2,\"i\":0}")
        #expect(compare(lhs, rhs, evidence: [lhs, rhs]) == .undecidable)
        #expect(compare(lhs, rhs) == .undecidable)
        #expect(compare(lhs, rhs, "c", "jsonb") == .greater)
        #expect(compare(lhs, rhs, "c->r", evidence: [lhs, rhs]) == .less)
    }

    @Test func `goes into JSON`() {
        #expect(compare("{\"n\":1}", "{\"n\":2}", "c->n.desc") == .greater)
        #expect(compare("{\"n\":\"a\"}", "{}", "c->>n.nullsfirst") == .greater)
        #expect(compare("{\"n\":\"a\"}", "{\"n\":\"b\"}", "c->>n") == .unequal)
        #expect(compare("null", "{}", "c", "jsonb") == .undecidable)
    }

    @Test(arguments: [
        "c.down", "c.asc.nullsmiddle", "c.asc.nullslasttt", "c asc", "r(c)", "c,", ",c", "e", "c)",
        "c->>n->m",
    ])
    func `that only the server knows is undecidable`(_ order: String) {
        #expect(compare("1", "2", order) == .undecidable)
    }

    @Test func `needs the columns as they are`() {
        let order = RowOrder(
            of: [PostgrestRequest.Item](["select": "c:d", "order": "c"]))
        let row = Bytes("{\"c\":1}")
        #expect(order.compare(row.span, row.span) == .undecidable)
    }

    @Test func `sorts by keys that are read once`() {
        let order = RowOrder(of: [PostgrestRequest.Item](["order": "c.desc"]))
        let keys = ["{\"c\":3}", "{\"c\":null}", "{\"c\":10}"].map { text in
            let row = Bytes(text)
            return order.key(of: row.span)
        }
        let sorted = keys.indices.sorted { order.compare(keys[$0], keys[$1]) == .less }
        #expect(sorted == [1, 2, 0])
    }
}
