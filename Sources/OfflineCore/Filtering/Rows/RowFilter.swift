/// The filters of a request, ready to be asked whether a row passes them.
///
/// It answers as PostgREST would, as far as that follows from the row alone: never wrong, rather
/// undecidable. What the server adds on its own, such as row-level security, it doesn't know.
package struct RowFilter: Hashable, Sendable {
    private indirect enum Node: Hashable, Sendable {
        case and([Node])
        case or([Node])
        case not(Node)
        /// A test, by its number: to hand a test itself on costs more than most tests do.
        case test(Int)
        case undecidable
    }

    private let root: Node
    private let tests: ContiguousArray<FieldTest>
    /// The members of rows that the filter reads, each once.
    private let columns: MemberPlaces

    /// Reads the filters of a request.
    ///
    /// - Parameters:
    ///   - items: The items of the request's query, not encoded.
    ///   - types: The types of the table's columns, as far as they are told.
    ///   - evidence: What the list's rows show of the types that aren't told. Without any, a column
    ///     is taken to hold no JSON.
    ///   - rows: The selection that the rows come from; nil if it is the request's own.
    /// - Complexity: O(*n*) in the length of the items.
    package init(
        of items: [PostgrestRequest.Item], types: [String: PostgresType] = [:],
        evidence: ColumnEvidence = ColumnEvidence(), rows: Selection? = nil
    ) {
        let selection = Selection(of: items)
        self.init(
            FilterParser.filter(of: items, selecting: selection), types: types,
            evidence: evidence, rows: rows ?? selection)
    }

    /// Makes a filter of what was read; the other parameters are those of
    /// ``init(of:types:evidence:rows:)``.
    init(
        _ filter: FilterExpression, types: [String: PostgresType], evidence: ColumnEvidence,
        rows: Selection
    ) {
        var fields = FieldTable(types: types, evidence: evidence, selection: rows)
        var tests: ContiguousArray<FieldTest> = []
        root = Self.node(filter, &fields, &tests)
        self.tests = tests
        columns = fields.places
    }

    /// What is known of the filters' result for a row; undecidable for what is no row.
    ///
    /// - Complexity: O(*n*) in the lengths of the row and of the filters, for each column that they
    ///   read.
    package func truth(of row: Span<UInt8>) -> Truth {
        guard let places = columns.find(in: row) else { return .undecidable }
        return truth(root, row, places)
    }

    /// Whether a row is in the list; nil if that is open.
    package func admits(_ row: Span<UInt8>) -> Bool? { truth(of: row).admits }

    private static func node(
        _ filter: FilterExpression, _ fields: inout FieldTable,
        _ tests: inout ContiguousArray<FieldTest>
    ) -> Node {
        switch filter {
        case .and(let branches): return .and(branches.map { node($0, &fields, &tests) })
        case .or(let branches): return .or(branches.map { node($0, &fields, &tests) })
        case .not(let branch): return .not(node(branch, &fields, &tests))
        case .test(let field, let test):
            tests.append(
                FieldTest(
                    column: fields.place(of: field), reader: fields.reader(of: field), test: test))
            return .test(tests.count - 1)
        case .undecidable: return .undecidable
        }
    }

    private func truth(
        _ node: Node, _ row: Span<UInt8>, _ places: ContiguousArray<Range<Int>?>
    ) -> Truth {
        switch node {
        case .and(let branches):
            var result = Truth.true
            for branch in branches where result != .false {
                result = result && truth(branch, row, places)
            }
            return result
        case .or(let branches):
            var result = Truth.false
            for branch in branches where result != .true {
                result = result || truth(branch, row, places)
            }
            return result
        case .not(let branch): return !truth(branch, row, places)
        case .test(let number):
            return tests[number].truth(of: row, at: places[tests[number].column])
        case .undecidable: return .undecidable
        }
    }
}
