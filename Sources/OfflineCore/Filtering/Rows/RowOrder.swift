/// The order of a request, ready to sort rows.
package struct RowOrder: Hashable, Sendable {
    private struct Term: Hashable, Sendable {
        let column: Int
        let reader: FieldReader
        let isDescending: Bool
        let areNullsFirst: Bool
    }

    /// What a row is sorted by.
    package struct Key: Hashable, Sendable {
        fileprivate enum Value: Hashable, Sendable {
            case null
            case datum(Datum)
            /// An array, which may be PostgreSQL's or one of JSON; those are ordered otherwise.
            case array(ArrayValue?, JSONTree)
            case undecidable
        }

        fileprivate let values: ContiguousArray<Value>
    }

    /// Nil for what only the server can order by.
    private let terms: [Term?]
    private let columns: MemberPlaces

    /// Reads the order of a request; the parameters are those of a filter.
    ///
    /// - Complexity: O(*n*) in the length of the items.
    package init(
        of items: [PostgrestRequest.Item], types: [String: PostgresType] = [:],
        evidence: ColumnEvidence = ColumnEvidence(), rows: Selection? = nil
    ) {
        let selection = Selection(of: items)
        var fields = FieldTable(types: types, evidence: evidence, selection: rows ?? selection)
        terms = OrderParser.terms(of: items, selecting: selection).map { term in
            term.map {
                Term(
                    column: fields.place(of: $0.field), reader: fields.reader(of: $0.field),
                    isDescending: $0.isDescending, areNullsFirst: $0.areNullsFirst)
            }
        }
        columns = fields.places
    }

    /// What a row is sorted by.
    ///
    /// - Complexity: O(*n*) in the length of the row, for each term.
    package func key(of row: Span<UInt8>) -> Key {
        let places = columns.find(in: row)
        return Key(
            values: ContiguousArray(
                terms.map { term in
                    guard let term, let places else { return .undecidable }
                    return Self.value(of: row, at: places[term.column], by: term.reader)
                }))
    }

    /// How a row stands to another in the list; equal rows come in no particular order.
    ///
    /// - Complexity: O(*n*) in the lengths of what they are sorted by.
    package func compare(_ lhs: Key, _ rhs: Key) -> Ordering {
        for (index, term) in terms.enumerated() {
            guard let term else { return .undecidable }
            let order = Self.compare(lhs.values[index], rhs.values[index], by: term)
            if order != .equal { return order }
        }
        return .equal
    }

    /// How a row stands to another, as their bytes.
    package func compare(_ lhs: Span<UInt8>, _ rhs: Span<UInt8>) -> Ordering {
        compare(key(of: lhs), key(of: rhs))
    }

    private static func value(
        of row: Span<UInt8>, at place: Range<Int>?, by reader: FieldReader
    ) -> Key.Value {
        switch reader.read(row, at: place) {
        case .hidden, .nullOrJSONNull, .textOf: return .undecidable
        case .null: return .null
        case .text(let text): return .datum(.text(text))
        case .json(let range):
            let value = row.extracting(range)
            let isOpen = reader.type == .untold
            if isOpen, JSONKind(of: value) == .array {
                let array = ArrayValue(json: value, of: .untold)
                return JSONTree(scanned: value).map { .array(array, $0) } ?? .undecidable
            }
            return Datum(json: value, as: reader.type).map { .datum($0) } ?? .undecidable
        }
    }

    private static func compare(_ lhs: Key.Value, _ rhs: Key.Value, by term: Term) -> Ordering {
        switch (lhs, rhs) {
        case (.undecidable, _), (_, .undecidable): return .undecidable
        case (.null, .null): return .equal
        case (.null, _): return term.areNullsFirst ? .less : .greater
        case (_, .null): return term.areNullsFirst ? .greater : .less
        case (.array(let lhs, let left), .array(let rhs, let right)):
            let order = JSONTree.compare(left, right)
            guard let lhs, let rhs else { return turned(order, by: term) }
            return turned(order.or(ArrayValue.compare(lhs, rhs, of: .untold)), by: term)
        case (.datum(.number(let lhs)), .datum(.number(let rhs))):
            // Both are stored, so that neither is rounded any more.
            return turned(Ordering(lhs, rhs), by: term)
        case (.datum(.json(.object(let lhs))), .datum(.json(.object(let rhs))))
        where term.reader.mayBeComposite:
            // A composite goes by its fields in an order that isn't told.
            return lhs == rhs ? .equal : .undecidable
        case (.datum(let lhs), .datum(let rhs)):
            return turned(Datum.compare(lhs, rhs, as: term.reader.type), by: term)
        case (.datum, .array), (.array, .datum): return .undecidable
        }
    }

    private static func turned(_ order: Ordering, by term: Term) -> Ordering {
        term.isDescending ? order.reversed : order
    }
}
