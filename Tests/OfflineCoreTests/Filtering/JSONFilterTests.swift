import Testing

@testable import OfflineCore

@Suite("A filter on JSON", .timeLimit(.minutes(5)))
struct JSONFilterTests {
    @Test func `orders kinds, counts, and then what is inside`() throws {
        let ascending = [
            "[]", "null", "\"x\"", "1", "2", "false", "true", "[0]", "[1]", "[true]", "[[]]",
            "[{}]", "[0,0]", "{}", "{\"a\":1}", "{\"a\":2}", "{\"a\":[]}", "{\"a\":1,\"b\":1}",
        ]
        let trees = try ascending.map { text in
            let bytes = Bytes(text)
            let tree = JSONTree(parsing: bytes.span)
            return try #require(tree)
        }
        for (place, lhs) in trees.enumerated() {
            for (other, rhs) in trees.enumerated() {
                #expect(
                    JSONTree.compare(lhs, rhs) == Ordering(place, other),
                    "\(ascending[place]) \(ascending[other])")
            }
        }
    }

    @Test(arguments: [
        FilterCase("{\"a\":1.0}", "eq.{\"a\":1}", .true), .init("\"x\"", "eq.\"x\"", .true),
        .init("\"x\"", "eq.\"y\"", .false), .init("\"x\"", "gt.\"y\"", .open),
        .init("\"x\"", "eq.x", .undecidable), .init("1", "gt.\"x\"", .true),
        .init("[\"x\",\"y\"]", "cs.\"x\"", .true), .init("\"x\"", "cs.[\"x\"]", .false),
        .init("[1,[2,3]]", "cs.[[3]]", .true), .init("[1,[2,3]]", "cs.[3]", .false),
        .init("{\"a\":{\"b\":1,\"c\":2}}", "cs.{\"a\":{\"b\":1}}", .true),
        .init("{\"a\":[1,2]}", "cs.{\"a\":1}", .false), .init("[1,1]", "cd.[1]", .true),
        .init("[1]", "ov.[1]", .undecidable), .init("{}", "is.null", .false),
        .init("null", "is.null", .open), .init("null", "eq.null", [.true, .unknown]),
        .init("null", "isdistinct.{}", .true), .init("null", "lt.1", [.true, .unknown]),
        .init("null", "gt.1", [.false, .unknown]), .init("{}", "like.a", .undecidable),
        .init("{\"a\":1}", "in.({},{\"a\":1})", .true),
    ])
    func `jsonb`(_ filter: FilterCase) {
        #expect(filter.truth("jsonb") == filter.expected)
    }

    @Test(arguments: [
        FilterCase("{\"a\":1}", "eq.{}", .undecidable), .init("{\"a\":1}", "is.null", .false),
        .init("{\"a\":1}", "c->a=eq.1", .undecidable), .init("{\"a\":1}", "c->>a=eq.1", .true),
        .init("{\"a\":1e2}", "c->>a=eq.1e2", .true), .init("\"x\"", "c->0=is.null", .true),
        .init("{\"a\":1,\"a\":2}", "c->>a=eq.2", .true),
    ])
    func `json`(_ filter: FilterCase) {
        #expect(filter.truth("json") == filter.expected)
    }

    @Test(arguments: [
        FilterCase("{\"a\":\"x\"}", "c->>a=eq.x", .true),
        .init("{\"a\":\"x\"}", "c->>a=eq.X", .false),
        .init("{\"a\":\"2024-01-02\"}", "c->>a=eq.2024-1-2", .false),
        .init("{\"a\":2.0}", "c->>a=eq.2", .false), .init("{\"a\":2.0}", "c->>a=eq.2.0", .true),
        .init("{\"a\":true}", "c->>a=in.(true)", .true),
        .init("{\"a\":null}", "c->>a=is.null", .true),
        .init("{\"a\":1}", "c->>b=eq.1", .unknown), .init("[1]", "c->>a=is.null", .true),
        .init("{\"a\":1e2}", "c->>a=eq.100", .open),
        .init("{\"a\":1e2}", "c->>a=eq.20", .false),
        .init("{\"a\":[1]}", "c->>a=eq.[1]", .open),
        .init("{\"a\":[1]}", "c->>a=eq.1", .false), .init("{\"a\":[1]}", "c->>a=eq.[2]", .false),
        .init("{\"a\":\"x\"}", "c->>a=gt.y", .open), .init("{\"a\":\"x\"}", "c->>a=gte.x", .true),
        .init("{\"a\":\"xy\"}", "c->>a=like.x*", .true),
        .init("{\"a\":-0}", "c->>a=eq.0", .open),
        .init("{\"a\":-0.5}", "c->>a=eq.-0.5", .true),
        .init("{\"a\":true}", "c->>a=is.true", .undecidable),
        .init("null", "c->>a=is.null", .true),
    ])
    func `as text is what stands there`(_ filter: FilterCase) {
        #expect(filter.truth("jsonb") == filter.expected)
        #expect(filter.truth() == filter.expected)
    }

    @Test(arguments: [
        FilterCase("{\"a\":1}", "c->a=eq.1.0", .true),
        .init("{\"a\":null}", "c->a=is.null", .false),
        .init("{\"a\":null}", "c->a=eq.null", .true), .init("{\"b\":1}", "c->a=is.null", .true),
        .init("{\"a\":\"x\"}", "c->a=eq.\"x\"", .true),
        .init("{\"a\":\"x\"}", "c->a=eq.x", .undecidable),
        .init("{\"a\":{}}", "c->a=gt.5", .true), .init("{\"a\":[1,2]}", "c->a=cs.[2]", .true),
        .init("{\"a\":[1,2]}", "c->a->-1=eq.2", .true), .init("[1,2]", "c->5=is.null", .true),
        .init("{\"a\":1}", "c->0=is.null", .true),
    ])
    func `at a place is JSON`(_ filter: FilterCase) {
        #expect(filter.truth("jsonb") == filter.expected)
        #expect(filter.truth() == filter.expected)
    }

    @Test func `takes a scalar for its own element only where that is known to be so`() {
        #expect(FilterCase("\"x\"", "c->0=eq.\"x\"", .true).truth("jsonb") == .true)
        #expect(FilterCase("\"x\"", "c->1=is.null", .true).truth("jsonb") == .true)
        #expect(FilterCase("\"x\"", "c->0=eq.\"x\"", .true).truth() == .undecidable)
        #expect(FilterCase("null", "c->0=is.null", .open).truth("jsonb") == .open)
    }

    @Test func `takes arrays of PostgreSQL apart as well`() {
        #expect(FilterCase("[10,20]", "c->1=eq.20", .true).truth("int4[]") == .true)
        #expect(FilterCase("[\"red\"]", "c->>0=eq.red", .true).truth("_text") == .true)
    }
}

@Suite("A filter on arrays", .timeLimit(.minutes(5)))
struct ArrayFilterTests {
    @Test(arguments: [
        FilterCase("[1,2]", "eq.{ 1, 02}", .true), .init("[1,2]", "cs.{2}", .true),
        .init("[]", "eq.{}", .true), .init("[]", "cd.{}", .true), .init("[1]", "cd.{}", .false),
        .init("[1]", "cs.{}", .true), .init("[1,null]", "eq.{1,NULL}", .true),
        .init("[1]", "eq.{a}", .undecidable), .init("[1]", "in.(1)", .undecidable),
        .init("[1]", "eq.[1]", .undecidable), .init("[1,2]", "lt.{1,2,0}", .true),
        .init("[null]", "gt.{99}", .true), .init("[[1],[2]]", "eq.{{1},{2}}", .true),
        .init("[[1],[2]]", "gt.{1,2}", .true), .init("[[1],[2]]", "cs.{2}", .true),
    ])
    func `int4`(_ filter: FilterCase) {
        #expect(filter.truth("integer[]") == filter.expected)
    }

    @Test func `by the rules of their elements`() {
        #expect(FilterCase("[\"a\"]", "cs.{A}", .false).truth("text[]") == .false)
        #expect(FilterCase("[\"a\"]", "cs.{A}", .true).truth(.array(of: "citext")) == .true)
        #expect(FilterCase("[\"a\"]", "lt.{b}", .open).truth("text[]") == .open)
        #expect(
            FilterCase("[\"2024-01-02T00:00:00+00:00\"]", "cs.{2024-01-02}", .true)
                .truth("timestamptz[]") == .true)
    }

    @Test(arguments: [
        "{", "}", "{1", "{1,}", "{,1}", "{{1},2}", "{{1},{2,3}}", "{\"a}", "{a\"b\"}", "1", "{1}x",
        "[1:2]={1,2}", "{{{{{{{1}}}}}}}",
    ])
    func `that PostgreSQL refuses are none`(_ text: String) {
        #expect(ArrayLiteral(parsing: Bytes(text)) == nil)
    }
}
