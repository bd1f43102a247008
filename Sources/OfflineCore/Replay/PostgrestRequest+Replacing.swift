extension PostgrestRequest {
    /// The request with other values, whose rows keep their keys.
    ///
    /// - Parameters:
    ///   - payload: A row, an array of as many rows as there are, or columns.
    ///   - facts: What is known of the table.
    /// - Returns: The request.
    /// - Throws: ``WriteProblem`` if the values can't take the place of those that are there.
    func replacing(
        _ payload: Bytes, _ facts: TableFacts
    ) throws(WriteProblem) -> PostgrestRequest {
        var request = self
        request.body = payload
        guard case .table = target else { return request }
        guard body != nil else { throw WriteProblem("A delete writes no values.") }
        let old = try PlannedWrite(self, facts)
        let new = try PlannedWrite(request, facts)
        switch (old.change, new.change) {
        case (.insert(let before), .insert(let after)),
            (.upsert(let before, _, _), .upsert(let after, _, _)):
            guard before.count == after.count else {
                throw WriteProblem(
                    "It writes \(before.count) rows, and the new values are \(after.count).")
            }
            let rows = try zip(after, before).map { new, old throws(WriteProblem) in
                try new.keepingKey(of: old, facts)
            }
            request.setRows(rows)
        case (.update, .update):
            if new.notQueueable == .changesPrimaryKey {
                throw WriteProblem("The key of the row can't be changed.")
            }
        default: throw WriteProblem("The values don't fit the write.")
        }
        return request
    }

    private mutating func setRows(_ rows: [RowColumns]) {
        guard body?.first == .openingBracket else {
            body = rows.first?.object()
            return
        }
        var list: Bytes = [.openingBracket]
        for row in rows {
            if list.count > 1 { list.append(.comma) }
            list.append(contentsOf: row.object())
        }
        list.append(.closingBracket)
        body = list
        if items.contains(where: { $0.name == "columns" }) { nameColumns() }
    }
}

extension RowColumns {
    fileprivate func keepingKey(
        of other: RowColumns, _ facts: TableFacts
    ) throws(WriteProblem) -> RowColumns {
        var row = self
        for name in facts.keys.names {
            guard let old = other.value(ofName: name) else { continue }
            if row.value(ofName: name) == nil { row.set(old, forName: name) }
        }
        guard row.key(facts.keys) == other.key(facts.keys) else {
            throw WriteProblem(
                "The key of a row can't be changed. Discard the write, and write anew.")
        }
        return row
    }
}
