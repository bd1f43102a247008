/// Finding rows, by keys, conditions and conflicts.
extension OverlayRows {
    /// The rows that a condition could keep, in their order.
    func candidates(for condition: RowCondition, _ body: Span<UInt8>) -> [Int] {
        guard let keys = condition.keys else {
            return rows.indices.filter { rows[$0].place != .removed }
        }
        // Whatever has no key could have one of these, as far as the device knows.
        let found = Set(keys.flatMap { indices(of: $0, body) }).union(keyless)
        return found.filter { rows[$0].place != .removed }.sorted()
    }

    /// Where the rows with a key are.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: The list.
    ///   - isRemovedFound: Whether rows count that a write has removed.
    /// - Returns: The rows, in no particular order.
    func indices(
        of key: RowKey, _ body: Span<UInt8>, isRemovedFound: Bool = false
    ) -> [Int] {
        var found = places[key] ?? []
        if isKeyShown {
            found += directory.rows(withHash: key.stableHash).filter { index in
                guard rows[index].known == nil else {
                    return rows[index].key == key && !found.contains(index)
                }
                // Another key may have the same hash.
                let row = body.extracting(directory[index])
                return (try? RowKey(ofRow: row, columns: list.keys)) == key
            }
        }
        return found.filter { isRemovedFound || rows[$0].place != .removed }
    }

    /// A row that another list holds, with what the writes so far have done to it; nil if there is
    /// none, or none any more.
    mutating func knownRow(_ key: RowKey) -> RowColumns? {
        guard var row = list.knownRow(key) else { return nil }
        for write in past {
            switch write {
            // Writes that name this row by its key would have brought it in.
            case .insert, .upsert, .record: continue
            case .update(let columns, let condition):
                switch condition.judge(row.object().span) {
                case .kept: row.merge(columns)
                case .excluded: continue
                case .undecidable: isStale = true
                }
            case .delete(let condition):
                switch condition.judge(row.object().span) {
                case .kept: return nil
                case .excluded: continue
                case .undecidable: isStale = true
                }
            }
        }
        // One that has got another key isn't meant.
        return self.key(of: row) == key ? row : nil
    }

    /// The key of a row, by its columns.
    func key(of row: RowColumns) -> RowKey? { row.key(list.keys) }

    /// The key of a row; nil if it has none.
    func key(at index: Int, _ body: Span<UInt8>) -> RowKey? {
        guard isKeyShown, rows[index].known == nil else { return rows[index].key }
        return (try? RowKey(ofRow: body.extracting(directory[index]), columns: list.keys)) ?? nil
    }

    /// Whether there is a row with the same key.
    func holdsKey(of row: RowColumns, _ body: Span<UInt8>) -> Bool {
        key(of: row).map { !indices(of: $0, body).isEmpty } ?? false
    }

    /// The row that has the same values in the columns of a conflict.
    mutating func index(
        ofConflictWith row: RowColumns, _ conflict: KeyColumns, _ body: Span<UInt8>
    ) -> Int? {
        // A null is equal to nothing.
        guard conflict.names.allSatisfy({ row.key(in: $0) != nil }) else { return nil }
        let isOfKey = conflict == list.keys
        if isOfKey, let index = key(of: row).flatMap({ indices(of: $0, body).min() }) {
            return index
        }
        var mayBeThere = false
        for index in isOfKey ? keyless : Array(rows.indices) where rows[index].place != .removed {
            switch isConflict(of: row, with: columns(at: index, body), conflict) {
            case true: return index
            case false: continue
            case nil: mayBeThere = true
            }
        }
        if mayBeThere { isStale = true }
        return nil
    }

    /// Whether two rows have the same values in some columns; nil if that isn't known of the other.
    func isConflict(
        of row: RowColumns, with other: RowColumns, _ columns: KeyColumns
    ) -> Bool? {
        var isKnown = true
        for name in columns.names {
            guard other.value(ofName: name) != nil else {
                isKnown = false
                continue
            }
            guard let value = row.key(in: name), value == other.key(in: name) else {
                return false
            }
        }
        return isKnown ? true : nil
    }

    /// What is known of a row.
    func columns(at index: Int, _ body: Span<UInt8>) -> RowColumns {
        rows[index].known ?? list.selection.columns(of: body.extracting(directory[index]))
            ?? RowColumns()
    }

    func verdict(
        of condition: RowCondition, at index: Int, _ body: Span<UInt8>
    ) -> Verdict {
        if let known = rows[index].known { return condition.judge(known.object().span) }
        let row = body.extracting(directory[index])
        if list.selection.isPlain { return condition.judge(row) }
        return condition.judge(columns(at: index, body).object().span)
    }
}

extension RowColumns {
    /// The value of a column as that of a key; nil if there is none, or it is null.
    fileprivate func key(in column: Bytes) -> RowKey? {
        value(ofName: column).flatMap { RowKey(values: [$0]) }
    }
}
