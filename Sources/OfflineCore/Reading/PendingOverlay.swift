/// Lays the writes in the queue over a list, as every read shows it.
struct PendingOverlay {
    private let query: ListQuery
    private let facts: TableFacts
    private let known: KnownRows

    init(_ key: ListKey, _ facts: TableFacts, _ known: KnownRows) {
        query = ListQuery(key)
        self.facts = facts
        self.known = known
    }

    /// A list as it is shown.
    struct Shown {
        let body: Bytes
        let ownRows: Int
        /// Whether a write in the queue changes these rows.
        let isPending: Bool
        /// Whether the device could not decide everything.
        let isStale: Bool
    }

    /// Lays writes over a list.
    ///
    /// - Parameters:
    ///   - changes: What the writes do, in their order.
    ///   - list: The list.
    ///   - directory: Where its rows are.
    /// - Returns: The list as it is shown.
    func applying(
        _ changes: [AcceptedWrite.Change], to list: StoredList, _ directory: RowDirectory
    ) -> Shown {
        var reader = ConditionReader(
            facts, query.selection, body: list.body, directory, ownRows: list.ownRows)
        let overlay = ListOverlay(
            condition: reader.condition(query.filter), selection: query.selection,
            keys: facts.keys, hasOffset: query.hasOffset, knownRow: { [known] in known.row($0) })
        var writes: [RowWrite] = []
        for change in changes { writes += change.rowWrites(&reader) }
        let result = overlay.applying(
            writes, to: list.body.span, directory, ownRows: list.ownRows)
        return Shown(
            body: result.body ?? list.body, ownRows: result.ownRows,
            isPending: result.isTouched, isStale: result.isStale)
    }
}
