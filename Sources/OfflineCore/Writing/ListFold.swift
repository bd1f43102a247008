/// Puts accepted writes into a list that the server answered before.
package struct ListFold: Sendable {
    private let query: ListQuery
    private let facts: TableFacts

    package init(_ key: ListKey, _ facts: TableFacts) {
        query = ListQuery(key)
        self.facts = facts
    }

    /// Puts writes into the list, in the order in which they were accepted.
    ///
    /// - Parameters:
    ///   - writes: The writes; they are of the list's table.
    ///   - list: The rows.
    ///   - directory: Where they are.
    /// - Returns: What becomes of the list.
    /// - Complexity: O(*n* + *w* log *n*) in the bytes of the list and the number of rows that the
    ///   answers to the writes tell of; O(*n* · *w*) for those that tell nothing.
    package func folding(
        _ writes: [AcceptedWrite], into list: FoldedList, _ directory: RowDirectory
    ) -> FoldedList {
        var reader = ConditionReader(
            facts, query.selection, body: list.body, directory, ownRows: list.ownRows)
        let overlay = ListOverlay(
            condition: reader.condition(query.filter), selection: query.selection,
            keys: facts.keys, hasOffset: query.hasOffset)
        let body = list.body.span
        var rows = OverlayRows(overlay, body: body, directory, ownRows: list.ownRows)
        for write in writes where !write.isVoid { write.apply(to: &rows, body, &reader) }
        let result = rows.list(body)
        // Rows that are added or removed before the list's first row move all of its rows.
        let isMoved = query.hasOffset && writes.contains { !$0.isVoid && !$0.hasNoRows }
        // Which row comes after the list's last one is not known, nor which is the last one.
        let isCut = query.limit.map { directory.count >= $0 } ?? false
        return FoldedList(
            body: result.body ?? list.body, ownRows: result.ownRows,
            isChanged: result.body != nil,
            isStale: result.isStale || isMoved || isCut && result.hasOtherRows)
    }
}

/// A list before and after writes are put into it.
package struct FoldedList: Hashable, Sendable {
    package let body: Bytes
    /// How many rows at the end are known from the user's own writes alone.
    package let ownRows: Int
    /// Whether the body is another one than before.
    package let isChanged: Bool
    /// Whether the device could not follow everything that was written.
    package let isStale: Bool

    package init(body: Bytes, ownRows: Int = 0, isChanged: Bool = false, isStale: Bool = false) {
        self.body = body
        self.ownRows = ownRows
        self.isChanged = isChanged
        self.isStale = isStale
    }
}
