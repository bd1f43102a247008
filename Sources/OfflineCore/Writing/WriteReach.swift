/// Which rows a write is about, and which lists it therefore passes by.
///
/// Most lists of a table hold none of the rows of a write and would not take them. That is seen from the
/// keys in their directories and from their filters, without their rows.
package struct WriteReach: Sendable {
    /// The hashes of the keys of all rows that the write can have touched.
    private let hashes: [UInt64]
    /// The rows that it has brought or changed, as they are now.
    private let rows: [RowColumns]
    private let facts: TableFacts

    /// - Returns: Nil if the write may have touched rows that nobody named.
    package init?(_ write: AcceptedWrite) {
        guard case .rows(let told, let isWhole, true) = write.account else { return nil }
        var keys = told.compactMap { $0.key(write.facts.keys) }
        guard keys.count == told.count else { return nil }
        switch write.change {
        case .insert, .upsert, .nothing, .unknown: rows = told
        case .update(_, let filter), .delete(let filter):
            // Rows that should have been hit, and were not, count too.
            guard let named = filter.namedKeys(of: write.facts) else { return nil }
            keys += named
            if case .update = write.change { rows = told } else { rows = [] }
        }
        guard rows.isEmpty || isWhole else { return nil }
        hashes = keys.map(\.stableHash)
        facts = write.facts
    }

    /// Whether a list holds one of the rows, or one with a key of the same hash, by its directory as it is
    /// stored.
    ///
    /// - Complexity: O(*k* log *n*) in the numbers of the write's rows and the list's.
    func mayBeHeld(in directory: Span<UInt8>) -> Bool {
        guard let layout = try? RowDirectoryLayout(of: directory),
            layout.keyCount == layout.count
        else { return true }
        return hashes.contains { hash in
            (try? layout.rows(withHash: hash, in: directory).isEmpty) != true
        }
    }

    /// Whether a list that holds none of the rows may take one.
    ///
    /// - Complexity: O(*n*) in the lengths of the rows and of the list's filters.
    func mayBeTaken(by query: ListQuery) -> Bool {
        guard !query.hasOffset, query.selection.shows(facts.keys) else { return true }
        let filter = RowFilter(
            query.filter.expression, types: facts.types, evidence: ColumnEvidence(),
            rows: .allColumns)
        return rows.contains { row in
            // Null may be one of JSON's, which the list's rows would tell.
            let isClear = query.filter.columns.allSatisfy { name in
                row.value(ofName: Bytes(name.utf8)).map { JSONKind(of: $0.span) != .null } ?? false
            }
            return !isClear || filter.admits(row.object().span) != false
        }
    }
}

extension ParsedFilter {
    /// The keys that a row must have one of, where they are spelled as rows have them.
    fileprivate func namedKeys(of facts: TableFacts) -> [RowKey]? {
        guard facts.keyNames.count == 1, let texts = pins[facts.keyNames[0]] else { return nil }
        let keys = texts.compactMap { RowKey(spelled: $0) }
        return keys.count == texts.count ? keys : nil
    }
}
