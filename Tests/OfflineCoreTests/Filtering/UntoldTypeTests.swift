import Testing

@testable import OfflineCore

@Suite("A filter on a column whose type isn't told", .timeLimit(.minutes(5)))
struct UntoldTypeTests {
    @Test(arguments: [
        FilterCase("36", "eq.36", .true), .init("36", "eq. 036 ", .true),
        .init("36", "eq.37", .false), .init("1.50", "eq.15e-1", .true),
        .init("9007199254740993", "gt.9007199254740992", .true),
        .init("99999999999999999999.0001", "gt.99999999999999999999", .true),
        .init("0.1", "eq.0.2", .false), .init("1", "neq.NaN", .true), .init("1", "lt.inf", .true),
        .init("5", "gte.5", .true), .init("5", "lte.4", .false), .init("5", "isdistinct.5", .false),
        // A float column would round the literal.
        .init("0.1", "eq.0.10000000149", .open), .init("0.3", "eq.0.30000000000000004", .open),
        .init("0.30000000000000004", "eq.0.3", .false),
        .init("36", "eq.abc", .undecidable), .init("36", "eq.0x24", .undecidable),
        .init("36", "eq.1_000", .undecidable),
        .init("36", "like.3%", .undecidable), .init("36", "is.true", .undecidable),
    ])
    func `compares numbers by their value`(_ filter: FilterCase) {
        #expect(filter.truth() == filter.expected)
    }

    private static let id = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
    private static let other = "b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12"

    @Test(arguments: [
        FilterCase("\"\(id)\"", "eq.\(id)", .true), .init("\"\(id)\"", "eq.\(other)", .false),
        .init("\"\(id)\"", "eq.A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", .true),
        .init("\"\(id)\"", "in.(\(other),A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11)", .true),
        .init("\"\(id)\"", "lt.\(other)", .true), .init("\"\(id)\"", "eq.b", .undecidable),
        .init("\"\(id)\"", "like.a0%", .undecidable),
    ])
    func `takes a column that shows nothing but UUIDs for one of them`(_ filter: FilterCase) {
        #expect(filter.truth() == filter.expected)
        #expect(filter.truth(others: ["null", "\"\(Self.other)\""]) == filter.expected)
    }

    @Test(arguments: [
        FilterCase("\"\(id)\"", "eq.\(id)", .true), .init("\"\(id)\"", "eq.\(other)", .false),
        .init("\"\(id)\"", "eq.B0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A12", .false),
        .init("\"\(id)\"", "eq.A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", .open),
        .init("\"\(id)\"", "lt.\(other)", .open),
    ])
    func `tells UUIDs apart that stand among other texts`(_ filter: FilterCase) {
        #expect(filter.truth(others: ["\"x\""]) == filter.expected)
        #expect(filter.truth(others: ["\"\(Self.id.uppercased())\""]) == filter.expected)
    }

    @Test(arguments: [
        FilterCase("true", "eq.t", .true), .init("false", "eq.0", .true),
        .init("true", "eq.No", .false), .init("true", "gt.false", .true),
        .init("true", "is.true", .true), .init("true", "is.false", .false),
        .init("false", "is.unknown", .false), .init("true", "eq.maybe", .open),
    ])
    func `compares booleans`(_ filter: FilterCase) {
        #expect(filter.truth() == filter.expected)
    }

    @Test(arguments: [
        FilterCase("\"Ada\"", "eq.Ada", .true), .init("\"Ada\"", "eq.Bob", .false),
        .init("\"A\\u0064a\"", "eq.Ada", .true), .init("\"a\\nb\"", "eq.a\nb", .true),
        .init("\"é\"", "eq.e\u{301}", .false), .init("\"x\"", "neq.y", .true),
        .init("\"\"", "eq.", .true), .init("\"Ada\"", "in.(Bob,Ada)", .true),
        .init("\"Ada\"", "in.()", .false), .init("\"Ada\"", "not.in.(Bob,Eve)", .true),
        // It may be text that ignores case, or blanks at its end.
        .init("\"Ada\"", "eq.ada", .open), .init("\"Ada  \"", "eq.Ada", .open),
        .init("\"É\"", "eq.é", .open), .init("\"k\"", "eq.\u{212A}", .open),
        // It may be a time, an address, a range and so on.
        .init("\"2024-01-02T03:04:05+00:00\"", "eq.2024-01-02", .open),
        .init("\"A0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"", "eq.b", .open),
        .init("\"1 mon\"", "eq.30 days", .open), .init("\"[1,5)\"", "eq.[1,4]", .open),
        .init("\"\\\\x41\"", "eq.A", .open), .init("\"infinity\"", "eq.x", .open),
        .init("\"10.0.0.1\"", "eq.10.0.0.1/32", .open), .init("\"$12.34\"", "eq.12.34", .open),
        .init("\"08:00:2b:01:02:03\"", "eq.x", .open), .init("\"::1\"", "eq.x", .open),
        .init("\"P1D\"", "eq.1 day", .open), .init("\"empty\"", "eq.[1,1)", .open),
        // What comes first hangs on the collation.
        .init("\"a\"", "gt.b", .open), .init("\"a\"", "gte.a", .true),
        .init("\"a\"", "lt.a", .false),
        .init("\"a\"", "sl.[1,2)", .undecidable), .init("\"a\"", "fts.a", .undecidable),
        .init("\"\\ud800\"", "eq.a", .open),
    ])
    func `compares strings as far as any text would`(_ filter: FilterCase) {
        #expect(filter.truth() == filter.expected)
    }

    @Test(arguments: [
        FilterCase("null", "eq.1", .unknown), .init("null", "not.eq.1", .unknown),
        .init("null", "gt.1", .unknown), .init("null", "in.(1,2)", .unknown),
        .init("null", "like.a", .unknown), .init("null", "cs.{1}", .unknown),
        .init("null", "sl.[1,2)", .unknown), .init("null", "fts.a", .unknown),
        .init("null", "is.null", .true), .init("null", "is.not_null", .false),
        .init("null", "is.true", .false), .init("null", "not.is.true", .true),
        .init("null", "is.unknown", .true), .init("null", "isdistinct.1", .true),
        .init("null", "not.isdistinct.1", .false), .init("null", "in.()", .false),
        .init("null", "not.in.()", .true), .init("null", "eq(any).{}", .false),
        .init("null", "eq(all).{}", .true), .init("null", "eq(any).{1}", .unknown),
        .init("1", "is.null", .false), .init("1", "is.not_null", .true),
    ])
    func `takes null as SQL does`(_ filter: FilterCase) {
        #expect(filter.truth() == filter.expected)
    }

    @Test(arguments: [
        FilterCase("36", "eq(any).{36,NULL}", .true), .init("36", "eq(any).{1,NULL}", .unknown),
        .init("36", "eq(all).{1,NULL}", .false), .init("36", "eq(all).{36,NULL}", .unknown),
        .init("36", "not.eq(any).{1,NULL}", .unknown), .init("36", "gt(any).{17,99}", .true),
        .init("36", "gt(all).{17,99}", .false), .init("36", "lte(all).{{36},{40}}", .true),
        .init("\"Ada\"", "eq(any).{Bob,\"Ada\"}", .true),
        .init("\"Ada\"", "like(any).{B*,A*}", .true), .init("[1]", "eq(any).{1}", .undecidable),
    ])
    func `asks any or all of an array`(_ filter: FilterCase) {
        #expect(filter.truth() == filter.expected)
    }

    @Test(arguments: [
        FilterCase("[1,2]", "eq.{1,2}", .true), .init("[1,2]", "eq.{2,1}", .false),
        .init("[1,2]", "lt.{1,3}", .true), .init("[1,2]", "gt.{1}", .true),
        .init("[null,\"a\"]", "eq.{NULL,a}", .true), .init("[null]", "gt.{5}", .true),
        .init("[[1,2],[3,4]]", "eq.{{1,2},{3,4}}", .true),
        .init("[[1,2],[3,4]]", "eq.{1,2,3,4}", .false),
        .init("[1,2,3]", "cs.{3,1,1}", .true), .init("[1]", "cs.{1,2}", .false),
        .init("[1,null]", "cs.{NULL}", .false), .init("[1,2]", "cd.{1,2,3}", .true),
        .init("[1]", "ov.{1,9}", .true), .init("[1]", "ov.{}", .false),
        .init("[]", "ov.{1}", .false),
        .init("[\"a b\"]", "cs.{\"a b\"}", .true), .init("[\"a\"]", "cs.{A}", .open),
        .init("[\"a\"]", "cs.{b}", .false), .init("[\"a\"]", "lt.{b}", .open),
        // `{}` is an empty array to an array and an empty object to JSON.
        .init("[]", "eq.{}", .open), .init("[1]", "eq.{}", .false), .init("[]", "cd.{}", .open),
        .init("[1]", "eq.[1]", .true), .init("[1,2]", "cs.[1]", .true), .init("[1]", "cs.1", .true),
        .init("[1]", "eq.{1", .open),
    ])
    func `compares arrays by their elements`(_ filter: FilterCase) {
        #expect(filter.truth() == filter.expected)
    }

    @Test(arguments: [
        FilterCase("{\"a\":1}", "eq.{\"a\":1.0}", .true),
        .init("{\"a\":1,\"b\":2}", "eq.{\"b\":2,\"a\":1}", .true),
        .init("{\"a\":1}", "neq.{}", .true), .init("{\"a\":1,\"b\":2}", "cs.{\"b\":2}", .true),
        .init("{\"a\":1}", "cd.{\"a\":1,\"b\":2}", .true), .init("{}", "eq.{}", .true),
        .init("{\"a\":1}", "gt.1", .true), .init("{\"a\":1}", "eq.(1)", .undecidable),
        .init("{\"a\":1}", "is.null", .false), .init("{\"a\":1}", "is.not_null", .true),
        // A composite of nulls is null.
        .init("{\"a\":null}", "is.null", .open), .init("{\"a\":1,\"b\":null}", "is.null", .false),
        .init("{\"a\":1,\"b\":null}", "is.not_null", .open),
    ])
    func `compares objects as JSON`(_ filter: FilterCase) {
        #expect(filter.truth(others: []).union(.unknown) == filter.expected.union(.unknown))
    }

    @Test func `may be on a geometry, which is no JSON to the server`() {
        let point = "{\"type\":\"Point\",\"coordinates\":[1,2]}"
        let filter = "eq.{\"type\":\"Point\",\"coordinates\":[1,2.0000000001]}"
        #expect(FilterCase(point, filter, .open).truth() == .open)
        #expect(FilterCase(point, "cs.{}", .undecidable).truth() == .undecidable)
        #expect(FilterCase(point, filter, .false).truth("jsonb") == .false)
    }

    @Test func `learns from other rows that a column holds JSON`() {
        let objects = ["{\"a\":1}"]
        #expect(FilterCase("\"x\"", "gt.1", .false).truth(others: objects) == .false)
        #expect(FilterCase("\"x\"", "cs.\"x\"", .true).truth(others: objects) == .true)
        #expect(FilterCase("null", "is.null", .open).truth(others: objects) == .open)
        #expect(FilterCase("null", "is.null", .open).truth(others: ["[1]"]) == .open)
        #expect(FilterCase("null", "is.null", .true).truth(others: ["1", "\"NaN\""]) == .true)
        // JSON's null is less than a number, SQL's is neither less nor greater.
        #expect(FilterCase("null", "gt.1", .false).truth(others: objects) == [.false, .unknown])
        #expect(FilterCase("null", "lt.1", .open).truth(others: objects) == [.true, .unknown])
        #expect(FilterCase("null", "eq.{1,2}", .unknown).truth(others: ["[1]"]) == .unknown)
    }

    @Test func `learns from other rows that a string is a number`() {
        #expect(FilterCase("\"NaN\"", "gt.1e20", .true).truth(others: ["1"]) == .true)
        #expect(FilterCase("\"-Infinity\"", "lt.0", .true).truth(others: ["1"]) == .true)
        #expect(FilterCase("\"NaN\"", "gt.1e20", .open).truth(others: ["\"a\""]) == .open)
    }

    @Test func `that the row doesn't show is undecidable`() {
        #expect(RowFilter(["b": "eq.1"]).truth("{\"a\":1}") == .undecidable)
        #expect(RowFilter(["b": "not.is.null"]).truth("{\"a\":1}") == .undecidable)
        #expect(RowFilter(["b": "in.()"]).truth("{\"a\":1}") == .false)
        #expect(RowFilter(["b": "eq.1", "a": "eq.2"]).truth("{\"a\":1}") == .false)
    }

    @Test(arguments: ["", "[]", "{\"a\":1", "{\"a\":1}x", "{\"a\":01}", "null"])
    func `is undecidable for what is no row`(_ row: String) {
        #expect(RowFilter(["a": "eq.1"]).truth(row) == .undecidable)
    }
}
