/// Turns filters into conditions on the rows of one list's table.
///
/// What the app doesn't tell of the table's columns, the list's own rows show; they are looked at once,
/// and only if a filter needs it.
package struct ConditionReader {
    private let facts: TableFacts
    private let selection: RowSelection
    private let body: Bytes
    private let directory: RowDirectory
    /// How many rows are the server's; an app may well write a number as a string.
    private let serversRows: Int
    /// The types that are told, and those of keys that show themselves to be UUIDs.
    private var types: [String: PostgresType]
    private var seen: ColumnEvidence?

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
        for name in facts.keyNames where types[name] == nil && isUUID(shownKeyValue(of: name)) {
            types[name] = PostgresType(.uuid)
        }
    }

    /// Reads the filters of a request.
    ///
    /// - Parameter items: The items of the request's query, not encoded.
    /// - Returns: The condition; it judges objects of columns by their names in the table.
    /// - Complexity: O(*n*) in the length of the items and, for the first that needs it, of the list.
    package mutating func condition(of items: [PostgrestRequest.Item]) -> RowCondition {
        let blind = filter(items, ColumnEvidence())
        let filter = needsEvidence(blind) ? filter(items, evidence()) : blind
        let columns = filter.members.map { Set($0.map { Bytes($0.utf8) }) }
        if columns?.isEmpty == true { return .everything }
        return RowCondition(columns: columns, keys: keys(pinnedBy: filter)) { row in
            switch filter.admits(row) {
            case true?: .kept
            case false?: .excluded
            case nil: .undecidable
            }
        }
    }

    private func filter(
        _ items: [PostgrestRequest.Item], _ evidence: ColumnEvidence
    ) -> RowFilter {
        RowFilter(of: items, types: types, evidence: evidence, rows: Selection(of: []))
    }

    private func isUUID(_ json: Bytes?) -> Bool {
        guard let json, let text = try? JSONText.text(of: json.span) else { return false }
        return text.span.isUUID
    }

    /// Whether a column decides whose type the app doesn't tell.
    ///
    /// A key is no JSON, and needs no rows to show that.
    private func needsEvidence(_ filter: RowFilter) -> Bool {
        guard let members = filter.members else { return true }
        return members.contains { facts.types[$0] == nil && !facts.keyNames.contains($0) }
    }

    private mutating func evidence() -> ColumnEvidence {
        if let seen { return seen }
        var evidence = ColumnEvidence()
        // Under another name, a member may be anything.
        if selection.isPlain {
            for row in 0..<serversRows {
                evidence.add(row: body.span.extracting(directory[row]))
            }
        }
        seen = evidence
        return evidence
    }
}

// MARK: Keys

extension ConditionReader {
    /// The most keys that are looked for one by one.
    private static let mostKeys = 1_000

    /// The keys that a row must have one of; nil if that can't be told from the filter.
    private func keys(pinnedBy filter: RowFilter) -> [RowKey]? {
        var keys: [[Bytes]] = [[]]
        for name in facts.keyNames {
            guard let texts = filter.values(pinning: name) else { return nil }
            let values = texts.compactMap { keyValue($0, of: name) }
            guard values.count == texts.count, keys.count * values.count <= Self.mostKeys else {
                return nil
            }
            keys = keys.flatMap { key in values.map { key + [$0] } }
        }
        let found = keys.compactMap { RowKey(values: $0) }
        guard found.count == keys.count else { return nil }
        var unique: Set<RowKey> = []
        return found.filter { unique.insert($0).inserted }
    }

    /// A key column's value as rows have it, from how a filter has it; nil if others could be equal.
    private func keyValue(_ text: Bytes, of name: String) -> Bytes? {
        var json: Bytes = []
        json.append(jsonText: text.span)
        switch facts.types[name]?.value ?? .untold {
        case .text(.exact, _): return json
        case .integer, .number, .numeric, .float4, .float8:
            return text.span.isCanonicalInteger ? text : nil
        case .uuid: return text.span.isUUID ? json : nil
        case .untold:
            // What the first row has, all have: they are of one type.
            guard let shown = shownKeyValue(of: name) else {
                return text.span.isCanonicalInteger || text.span.isUUID ? json : nil
            }
            if JSONKind(of: shown.span) == .number {
                return text.span.isCanonicalInteger ? json : nil
            }
            return text.span.isUUID && isUUID(shown) ? json : nil
        default: return nil
        }
    }

    private func shownKeyValue(of name: String) -> Bytes? {
        guard serversRows > 0 else { return nil }
        let row = body.span.extracting(directory[0])
        return selection.columns(of: row)?.value(ofName: Bytes(name.utf8))
    }
}
