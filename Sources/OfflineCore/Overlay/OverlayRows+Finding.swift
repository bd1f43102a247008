/// Finding rows, by keys, conditions and conflicts.
extension OverlayRows {
    /// The rows that a condition could keep, in their order, and the keys that it names and no row has
    /// or had.
    mutating func candidates(
        for condition: RowCondition, _ body: Span<UInt8>
    ) -> (rows: [Int], missing: [RowKey]) {
        guard let keys = condition.keys else {
            return (rows.indices.filter { rows[$0].place != .removed }, [])
        }
        // Whatever has no key could have one of these, as far as the device knows.
        var found = keyless
        var missing: [RowKey] = []
        for key in keys {
            let held = indices(of: key, body, isRemovedFound: true)
            found += held
            if held.isEmpty { missing.append(key) }
        }
        found.removeAll { rows[$0].place == .removed }
        return (found.count > 1 ? Set(found).sorted() : found, missing)
    }

    /// Where the rows with a key are.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: The list.
    ///   - isRemovedFound: Whether rows count that a write has removed.
    /// - Returns: The rows, in no particular order.
    mutating func indices(
        of key: RowKey, _ body: Span<UInt8>, isRemovedFound: Bool = false
    ) -> [Int] {
        var found = places.isEmpty ? [] : places[key] ?? []
        if isKeyShown {
            for index in directory.rows(withHash: key.stableHash) {
                noteKey(at: index, body)
                // Another key may have the same hash, and the row another key by now.
                if rows[index].key == key, !found.contains(index) { found.append(index) }
            }
        }
        if !isRemovedFound { found.removeAll { rows[$0].place == .removed } }
        return found
    }

    /// Remembers the key that the directory knows a row by, which costs a pass over it.
    mutating func noteKey(at index: Int, _ body: Span<UInt8>) {
        guard isKeyShown, rows[index].key == nil, rows[index].written == nil else { return }
        let row = body.extracting(directory[index])
        rows[index].key = (try? RowKey(ofRow: row, columns: list.keys)) ?? nil
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
                switch condition.judge(row) {
                case .kept: row.merge(columns)
                case .excluded: continue
                case .undecidable: isStale = true
                }
            case .delete(let condition):
                switch condition.judge(row) {
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

    /// Whether there is a row with the same key.
    mutating func holdsKey(of row: RowColumns, _ body: Span<UInt8>) -> Bool {
        guard let key = key(of: row) else { return false }
        return !indices(of: key, body).isEmpty
    }

    /// The row that has the same values in the columns of a conflict.
    mutating func index(
        ofConflictWith row: RowColumns, _ conflict: KeyColumns, _ body: Span<UInt8>
    ) -> Int? {
        let isOfKey = conflict == list.keys
        // A null is equal to nothing.
        if isOfKey {
            guard let key = key(of: row) else { return nil }
            if let index = indices(of: key, body).min() { return index }
        } else if !conflict.names.allSatisfy({ row.key(in: $0) != nil }) {
            return nil
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
        let written = rows[index].written ?? RowColumns()
        guard index < directory.count else { return written }
        var columns =
            list.selection.columns(of: body.extracting(directory[index])) ?? RowColumns()
        columns.merge(written)
        return columns
    }

    /// What a condition finds for a row, of which it takes apart no more than the condition reads.
    mutating func verdict(
        of condition: RowCondition, at index: Int, _ body: Span<UInt8>
    ) -> Verdict {
        if let keys = condition.soleKeys, let key = rows[index].key {
            return keys.contains(key) ? .kept : .excluded
        }
        guard index < directory.count, list.selection.isPlain else {
            return condition.judge(columns(at: index, body))
        }
        let row = body.extracting(directory[index])
        guard let written = rows[index].written else { return condition.judge(row) }
        guard let names = condition.columns else {
            return condition.judge(columns(at: index, body))
        }
        if names.allSatisfy({ written.value(ofName: $0) != nil }) {
            return condition.judge(written)
        }
        _ = try? members.read(row)
        var columns = RowColumns()
        for name in names {
            if let value = written.value(ofName: name) {
                columns.set(value, forName: name)
            } else if let member = members.first(named: name.span, in: row) {
                columns.set(Bytes(copying: row.extracting(member.value)), forName: name)
            }
        }
        return condition.judge(columns)
    }
}

extension RowColumns {
    /// The value of a column as that of a key; nil if there is none, or it is null.
    fileprivate func key(in column: Bytes) -> RowKey? {
        value(ofName: column).flatMap { RowKey(values: [$0]) }
    }
}
