import Testing

@testable import OfflineCore

@Suite("A tree of filters", .timeLimit(.minutes(5)))
struct LogicTreeTests {
    private func parse(_ name: String, _ value: String) -> FilterExpression {
        let items = [PostgrestRequest.Item]([name: value])
        let filter = FilterParser.filter(of: items, selecting: Selection(of: items))
        guard case .and(let filters) = filter, filters.count == 1 else { return filter }
        return filters[0]
    }

    private func leaf(_ column: String, _ value: String) -> FilterExpression {
        .test(FieldPath(column: column), .compare(.eq, .one(Bytes(value))))
    }

    @Test func `nests with its negations`() {
        #expect(parse("or", "(a.eq.1,b.eq.2)") == .or([leaf("a", "1"), leaf("b", "2")]))
        #expect(parse("not.and", "(a.eq.1)") == .not(.and([leaf("a", "1")])))
        #expect(
            parse("and", "(a.eq.1,not.or(b.eq.2,c.not.eq.3),and(d.eq.4))")
                == .and([
                    leaf("a", "1"), .not(.or([leaf("b", "2"), .not(leaf("c", "3"))])),
                    .and([leaf("d", "4")]),
                ]))
    }

    @Test func `has blanks around its parts`() {
        #expect(
            parse("and", "( and ( a.eq.1 , b.eq.2) , or ( c .eq.3))")
                == .and([.and([leaf("a", "1 "), leaf("b", "2")]), .or([leaf("c", "3")])]))
    }

    @Test func `quotes values, and keeps arrays together`() {
        #expect(parse("or", "(a.eq.\"x,y)\")") == .or([leaf("a", "x,y)")]))
        #expect(parse("or", "(a.eq.{1,2},b.eq.3)") == .or([leaf("a", "{1,2}"), leaf("b", "3")]))
        #expect(parse("or", "(a.eq.\"x\"y)") == .or([leaf("a", "\"x\"y")]))
        #expect(parse("or", "(a.in.(1,2),b.eq.3)").leaves == 2)
    }

    @Test func `ends where it ends`() {
        #expect(parse("and", "(a.eq.1))x") == .and([leaf("a", "1")]))
    }

    @Test func `without parentheses is a filter on another column`() {
        #expect(parse("or", "a.eq.1") == leaf("ora", "1"))
    }

    @Test func `has columns named like operators`() {
        #expect(parse("or", "(and.eq.1,not.eq.2)") == .or([leaf("and", "1"), leaf("not", "2")]))
    }

    @Test func `that is deeper than anybody writes is undecidable`() {
        let deep =
            String(repeating: "(and", count: 5000) + "(a.eq.1"
            + String(repeating: ")", count: 5001)
        #expect(parse("and", deep) == .undecidable)
    }
}

extension FilterExpression {
    /// How many tests there are.
    fileprivate var leaves: Int {
        switch self {
        case .and(let branches), .or(let branches): branches.reduce(0) { $0 + $1.leaves }
        case .not(let branch): branch.leaves
        case .test: 1
        case .undecidable: 0
        }
    }
}
