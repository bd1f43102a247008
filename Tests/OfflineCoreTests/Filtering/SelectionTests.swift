import Testing

@testable import OfflineCore

@Suite("A selection", .timeLimit(.minutes(5)))
struct SelectionTests {
    private func selection(_ select: String) -> Selection {
        Selection(of: [PostgrestRequest.Item](["select": select]))
    }

    @Test(arguments: [
        ("*", "a", "a"), ("", "a", "a"), ("a,b", "a", "a"), ("x:a", "a", "x"),
        ("*,x:a", "a", "a"), ("a , \"b\"", "b", "b"), ("*,r(*)", "a", "a"),
        ("*,r!inner(id,s(*))", "a", "a"),
    ])
    func `shows a column as it is`(_ select: String, _ column: String, _ member: String) {
        #expect(selection(select).member(holding: column) == member)
    }

    @Test(arguments: [
        ("a", "b"), ("a:b", "a"), ("a::text", "a"), ("a->b", "b"), ("a->b", "a"), ("*,a:b", "a"),
        ("*,a:b::text", "a"), ("*,a(*)", "a"), ("*,a:r(*)", "a"), ("*,...r(a)", "a"),
        ("*,...r(*)", "a"), ("*,...r(x:a,...s(b))", "b"), ("b.sum()", "sum"), ("count()", "count"),
        ("x:a,x:b", "a"), ("(", "a"), ("a)b", "a"),
    ])
    func `shows no column where something else may stand`(_ select: String, _ column: String) {
        #expect(selection(select).member(holding: column) == nil)
    }

    @Test func `that joins other tables inwards may leave out rows`() {
        #expect(selection("*,r!inner(*)").mayLeaveOutRows)
        #expect(selection("*,r!hint!inner(*)").mayLeaveOutRows)
        #expect(selection("*,...r!inner(id)").mayLeaveOutRows)
        #expect(!selection("*,r(*,s!inner(*))").mayLeaveOutRows)
        #expect(!selection("*,r!left(*)").mayLeaveOutRows)
    }

    @Test func `leaves filters on what is embedded to the embedded rows`() {
        let row = "{\"id\":1,\"r\":[]}"
        #expect(RowFilter(["select": "*,r(*)", "r.a": "eq.1", "id": "eq.1"]).truth(row) == .true)
        #expect(RowFilter(["select": "*,x:r(*)", "x.or": "(a.eq.1)"]).truth(row) == .true)
        #expect(RowFilter(["select": "*,r(*,s(*))", "r.s.a": "eq.1"]).truth(row) == .true)
    }

    @Test func `makes filters undecidable that other tables decide`() {
        let row = "{\"id\":1,\"r\":[]}"
        #expect(RowFilter(["select": "*,r!inner(*)"]).truth(row) == .undecidable)
        #expect(RowFilter(["select": "*,r!inner(*)", "id": "eq.2"]).truth(row) == .false)
        #expect(RowFilter(["select": "*,r(*)", "r": "is.null"]).truth(row) == .undecidable)
        #expect(RowFilter(["select": "*,r(*)", "r": "not.is.null"]).truth(row) == .undecidable)
        #expect(
            RowFilter(["select": "*,r(*)", "or": "(r.is.null,id.eq.1)"]).truth(row) == .true)
        #expect(
            RowFilter(["select": "*,r(*)", "or": "(r.is.null,id.eq.2)"]).truth(row) == .undecidable)
        #expect(
            RowFilter(["select": "*,x:r(*)", "r": "is.null"]).truth("{\"r\":1,\"x\":[]}")
                == .undecidable)
        #expect(RowFilter(["r.a": "eq.1"]).truth(row) == .undecidable)
    }

    @Test func `of the rows counts, not that of the filter`() {
        let rows = selection("key:id,name::text")
        #expect(RowFilter(["id": "eq.1"], rows: rows).truth("{\"key\":1,\"name\":\"a\"}") == .true)
        #expect(
            RowFilter(["name": "eq.a"], rows: rows).truth("{\"key\":1,\"name\":\"a\"}")
                == .undecidable)
    }
}
