/// The columns that a filter or an order reads, and what is known of them.
struct FieldTable {
    private let types: [String: PostgresType]
    private let evidence: ColumnEvidence
    private let selection: Selection
    private(set) var places = MemberPlaces()

    init(types: [String: PostgresType], evidence: ColumnEvidence, selection: Selection) {
        self.types = types
        self.evidence = evidence
        self.selection = selection
    }

    /// The number under which the field's column is found in rows.
    mutating func place(of field: FieldPath) -> Int {
        places.number(of: selection.member(holding: field.column))
    }

    func reader(of field: FieldPath) -> FieldReader {
        let told = types[field.column]?.value ?? .untold
        let member = selection.member(holding: field.column)
        let shown = member.map { evidence.type(of: $0) } ?? .untold
        return FieldReader(
            steps: field.steps, isText: field.isText, column: told == .untold ? shown : told,
            mayBeArray: member.map { evidence.showsArrays($0) } ?? false)
    }
}

/// The members of rows that are read, each once, found in one pass over a row.
struct MemberPlaces: Hashable, Sendable {
    /// The names as text; nil is found in no row.
    private var names: ContiguousArray<Bytes?> = []

    var members: [String] {
        names.compactMap { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    mutating func number(of member: String?) -> Int {
        let name = member.map { Bytes($0.utf8) }
        if let number = names.firstIndex(of: name) { return number }
        names.append(name)
        return names.count - 1
    }

    /// Where the values stand; nil if this is no row.
    ///
    /// - Complexity: O(*n*) in the length of the row, for each name.
    func find(in row: Span<UInt8>) -> ContiguousArray<Range<Int>?>? {
        var places = ContiguousArray<Range<Int>?>(repeating: nil, count: names.count)
        var scanner = JSONScanner()
        do throws(JSONError) {
            try scanner.skipObject(in: row, depth: 0) { member in
                for number in names.indices where places[number] == nil {
                    guard let name = names[number], member.isNamed(name.span, in: row) else {
                        continue
                    }
                    places[number] = member.value
                }
            }
            try scanner.expectEnd(in: row)
        } catch {
            return nil
        }
        return places
    }
}
