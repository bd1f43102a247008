import Testing

@testable import OfflineCore

@Suite("A filter in a query", .timeLimit(.minutes(5)))
struct FilterParserTests {
    private func parse(_ name: String, _ value: String) -> FilterExpression {
        let items = [PostgrestRequest.Item]([name: value])
        let filter = FilterParser.filter(of: items, selecting: Selection(of: items))
        guard case .and(let filters) = filter, filters.count == 1 else { return filter }
        return filters[0]
    }

    private func test(
        _ column: String, _ operator: FilterOperator, _ value: String
    ) -> FilterExpression {
        .test(FieldPath(column: column), .compare(`operator`, .one(Bytes(value))))
    }

    private func list(_ value: String) -> [String]? {
        guard case .test(_, .compare(.eq, .any(let elements))) = parse("c", value) else {
            return nil
        }
        return elements.map { $0?.text ?? "NULL" }
    }

    @Test func `takes everything behind the operator as it is`() {
        #expect(parse("c", "eq.a,b)\"c\".(d*") == test("c", .eq, "a,b)\"c\".(d*"))
        #expect(parse("c", "eq.") == test("c", .eq, ""))
        #expect(parse("c", "not.gt.5") == .not(test("c", .gt, "5")))
        #expect(parse("c", "eq.not.eq.1") == test("c", .eq, "not.eq.1"))
    }

    @Test func `knows every operator`() {
        for name
            in "eq neq gt gte lt lte match imatch cs cd ov sl sr nxr nxl adj fts plfts phfts wfts"
            .split(separator: " ")
        {
            #expect(parse("c", "\(name).1") == test("c", FilterOperator(rawValue: "\(name)")!, "1"))
        }
        #expect(parse("c", "fts(german).a") == test("c", .fts, "a"))
        #expect(
            parse("c", "isdistinct.1") == .test(FieldPath(column: "c"), .isDistinct(Bytes("1"))))
    }

    @Test func `has percent signs for the stars of a pattern, and of no other value`() {
        #expect(parse("c", "like.a*b\\*") == test("c", .like, "a%b\\%"))
        #expect(parse("c", "ilike.*") == test("c", .ilike, "%"))
        #expect(parse("c", "match.a*") == test("c", .match, "a*"))
        let patterns = FilterTest.compare(.like, .any([Bytes("a%"), Bytes("%b")]))
        #expect(parse("c", "like(any).{a*,*b}") == .test(FieldPath(column: "c"), patterns))
    }

    @Test func `compares with any or all of an array`() {
        let column = FieldPath(column: "c")
        #expect(
            parse("c", "eq(any).{1,NULL,\"NULL\"}")
                == .test(column, .compare(.eq, .any([Bytes("1"), nil, Bytes("NULL")]))))
        #expect(parse("c", "gt(all).{}") == .test(column, .compare(.gt, .all([]))))
        #expect(parse("c", "eq(any).1") == .undecidable)
    }

    @Test(arguments: [
        ("null", FilterTest.IsValue.null), ("NuLl", .null), ("not_null", .notNull),
        ("TRUE", .true), ("false", .false), ("unknown", .unknown), ("nullx", .null),
    ])
    func `says with a keyword what a value is`(_ word: String, _ value: FilterTest.IsValue) {
        #expect(parse("c", "is.\(word)") == .test(FieldPath(column: "c"), .is(value)))
    }

    @Test(
        arguments: [
            ("in.()", []), ("in.(   )", []), ("in.(\"\")", []), ("in.(\"\",a)", ["", "a"]),
            ("in.(,a)", ["", "a"]), ("in.(a, b)", ["a", " b"]), ("in.( a)", ["a"]),
            ("in.(null)", ["null"]), ("in.(\"a,b\",\"c)\")", ["a,b", "c)"]),
            ("in.(\"a\\\"b\\\\c\\d\")", ["a\"b\\cd"]), ("in.(a\"b\",c)", ["a\"b\"", "c"]),
            ("in.(\"a\"b,c)", ["\"a\"b", "c"]), ("in.(a)rest", ["a"]), ("in.(\")", ["\""]),
        ] as [(String, [String])])
    func `lists elements`(_ value: String, _ elements: [String]) {
        #expect(list(value) == elements)
    }

    @Test(arguments: [
        ("c", "0"), ("c", "eq"), ("c", "equals.1"), ("c", "EQ.1"), ("c", "in.36"),
        ("c", "in.(36"), ("c", "is.nil"), ("c", "neq(any).{1}"), ("c", "eq(some).{1}"),
        ("c)d", "eq.1"), ("", "eq.1"), ("a->>b->c", "eq.1"), ("\"a", "eq.1"), ("a..b", "eq.1"),
        ("or", "()"), ("or", "(a.eq.1,)"), ("or", "(a.eq.1"), ("and", ""), ("x", "not.1"),
    ])
    func `that follows no grammar is undecidable`(_ name: String, _ value: String) {
        #expect(parse(name, value) == .undecidable)
    }

    @Test func `names columns by every name`() {
        #expect(parse("a$num$", "eq.1") == test("a$num$", .eq, "1"))
        #expect(parse("Just A Name", "eq.1") == test("Just A Name", .eq, "1"))
        #expect(parse("größe-x", "eq.1") == test("größe-x", .eq, "1"))
        #expect(parse("\"a.b\\\"c\"", "eq.1") == test("a.b\"c", .eq, "1"))
        #expect(parse("\"order\"", "eq.1") == test("order", .eq, "1"))
    }

    @Test func `goes into JSON by keys and indexes`() {
        let expected: [(String, [FieldPath.Step], Bool)] = [
            ("a->b", [.key(Bytes("b"))], false), ("a->>b", [.key(Bytes("b"))], true),
            ("a->0", [.index(0)], false), ("a->>-2", [.index(-2)], true),
            ("a->b->1->>c", [.key(Bytes("b")), .index(1), .key(Bytes("c"))], true),
            ("a->1b", [.key(Bytes("1b"))], false), ("a->\"x.y\"", [.key(Bytes("x.y"))], false),
            ("a->b-c", [.key(Bytes("b-c"))], false),
        ]
        for (name, steps, isText) in expected {
            let field = FieldPath(column: "a", steps: steps, isText: isText)
            let test = FilterTest.compare(.eq, .one(Bytes("1")))
            #expect(parse(name, "eq.1") == .test(field, test), "\(name)")
        }
    }

    @Test func `ignores what isn't a filter`() {
        for name in ["select", "order", "limit", "offset", "columns", "on_conflict", "r.limit"] {
            #expect(parse(name, "1") == .and([]), "\(name)")
        }
    }
}
