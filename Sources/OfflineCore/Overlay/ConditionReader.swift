/// Turns filters into conditions on the rows of one list's table.
///
/// What the app doesn't tell of the table's columns, the list's own rows show; some of them are looked at,
/// once, and only if a filter needs it.
package struct ConditionReader {
    /// About how many rows are looked at; the more, the rarer a column that shows its type in few.
    private static let witnesses = 64

    private let facts: TableFacts
    private let selection: RowSelection
    private let body: Bytes
    private let directory: RowDirectory
    /// How many rows are the server's; an app may well write a number as a string.
    private let serversRows: Int
    /// The types that are told, and those that keys show.
    private var types: [String: PostgresType]
    /// What rows show of the columns that filters have read so far.
    private var evidence = ColumnEvidence()
    private var seen: Set<String> = []

    /// - Parameters:
    ///   - facts: What the app tells of the table.
    ///   - selection: What the list holds of its rows.
    ///   - body: The list, as the server sent it.
    ///   - directory: Where its rows are.
    ///   - ownRows: How many rows at its end are known from the user's own writes alone.
    package init(
        _ facts: TableFacts, _ selection: RowSelection, body: Bytes, _ directory: RowDirectory,
        ownRows: Int = 0
    ) {
        serversRows = directory.count - ownRows
        self.facts = facts
        self.selection = selection
        self.body = body
        self.directory = directory
        types = facts.types
        for name in facts.keyNames where types[name] == nil {
            types[name] = shownType(ofKey: name)
        }
    }

    /// The type that a column of the key shows itself to be of: all its values are of one.
    private func shownType(ofKey name: String) -> PostgresType? {
        guard let json = shownKeyValue(of: name) else { return nil }
        if JSONKind(of: json.span) == .number { return PostgresType(.number) }
        return isUUID(json) ? PostgresType(.uuid) : nil
    }

    /// Makes the filters of a request a condition.
    ///
    /// - Parameter filter: The filters.
    /// - Returns: The condition; it judges objects of columns by their names in the table.
    /// - Complexity: O(*n*) in the length of the filters and, for the first that needs it, of the
    ///   rows that are looked at.
    package mutating func condition(_ filter: ParsedFilter) -> RowCondition {
        if filter.columns.isEmpty, filter.isOfColumnsAlone { return .everything }
        let keys = keys(pinnedBy: filter)
        if let keys, filter.isOfPinsAlone, filter.columns == facts.keySet {
            return RowCondition(keys: keys, of: facts)
        }
        lookAt(filter.columns)
        let rows = RowFilter(
            filter.expression, types: types, evidence: evidence, rows: .allColumns)
        return RowCondition(
            columns: filter.isOfColumnsAlone ? Set(filter.columns.map { Bytes($0.utf8) }) : nil,
            keys: keys
        ) { row in
            switch rows.admits(row) {
            case true?: .kept
            case false?: .excluded
            case nil: .undecidable
            }
        }
    }

    private func isUUID(_ json: Bytes) -> Bool {
        guard let text = try? JSONText.text(of: json.span) else { return false }
        return text.span.isUUID
    }

    /// Looks what rows show of columns whose types aren't told.
    private mutating func lookAt(_ columns: Set<String>) {
        // A key is no JSON, and needs no rows to show that.
        let new = columns.filter {
            types[$0] == nil && !facts.keySet.contains($0) && !seen.contains($0)
        }
        // Under another name, a member may be anything.
        guard !new.isEmpty, selection.isPlain else { return }
        seen.formUnion(new)
        let names = new.map { Bytes($0.utf8) }
        var evidence = evidence
        // Some show what all do, and these are from everywhere in the list.
        let step = max(1, serversRows / Self.witnesses)
        for row in stride(from: 0, to: serversRows, by: step) {
            evidence.add(row: body.span.extracting(directory[row]), only: names)
        }
        self.evidence = evidence
    }
}

// MARK: Keys

extension ConditionReader {
    /// The most keys that are looked for one by one.
    private static let mostKeys = 1_000

    /// The keys that a row must have one of; nil if that can't be told from the filter.
    private func keys(pinnedBy filter: ParsedFilter) -> [RowKey]? {
        var keys: [[Bytes]] = []
        for name in facts.keyNames {
            guard let texts = filter.pins[name] else { return nil }
            let values = texts.compactMap { keyValue($0, of: name) }
            guard values.count == texts.count, max(1, keys.count) * values.count <= Self.mostKeys
            else { return nil }
            keys =
                name == facts.keyNames.first
                ? values.map { [$0] } : keys.flatMap { key in values.map { key + [$0] } }
        }
        let found = keys.compactMap { RowKey(values: $0) }
        guard found.count == keys.count else { return nil }
        guard found.count > 1 else { return found }
        var unique: Set<RowKey> = []
        return found.filter { unique.insert($0).inserted }
    }

    /// A key column's value as rows have it, from how a filter has it; nil if others could be equal.
    private func keyValue(_ text: Bytes, of name: String) -> Bytes? {
        switch types[name]?.value ?? .untold {
        case .text(.exact, _): return text.jsonString
        case .integer, .number, .numeric, .float4, .float8:
            return text.span.isCanonicalInteger ? text : nil
        case .uuid: return text.span.isUUID ? text.jsonString : nil
        case .untold:
            // Where no row of the server's has a key, those that writes bring have it as it is sent.
            guard shownKeyValue(of: name) == nil else { return nil }
            return RowKey(spelled: text).map { _ in text.jsonString }
        default: return nil
        }
    }

    private func shownKeyValue(of name: String) -> Bytes? {
        guard serversRows > 0 else { return nil }
        let row = body.span.extracting(directory[0])
        return selection.columns(of: row)?.value(ofName: Bytes(name.utf8))
    }
}
