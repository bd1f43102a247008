/// Lays writes over the rows of a list, in their order: what the list is once they have happened.
///
/// A pure function of the rows and the writes. Rows keep their bytes but for the columns that a write
/// sets. What the device can't decide changes as little as possible, and the result says that it is
/// stale: a row of which nobody knows whether a write hits it stays as it is, and one of which nobody
/// knows whether it is still the list's is shown as edited.
package struct ListOverlay: Sendable {
    /// The list's filter.
    package let condition: RowCondition
    /// What the list holds of its rows.
    package let selection: RowSelection
    /// The columns that tell rows apart.
    package let keys: KeyColumns
    /// Whether the list begins behind rows that it doesn't hold; then it admits none of its own.
    package let hasOffset: Bool
    /// Finds all columns of a row that another list holds.
    package let knownRow: @Sendable (RowKey) -> RowColumns?

    package init(
        condition: RowCondition = .everything, selection: RowSelection = .all,
        keys: KeyColumns, hasOffset: Bool = false,
        knownRow: @escaping @Sendable (RowKey) -> RowColumns? = { _ in nil }
    ) {
        self.condition = condition
        self.selection = selection
        self.keys = keys
        self.hasOffset = hasOffset
        self.knownRow = knownRow
    }

    /// Applies writes.
    ///
    /// - Parameters:
    ///   - writes: The writes, in their order.
    ///   - body: The list, as the server sent it.
    ///   - directory: Where its rows are.
    ///   - ownRows: How many rows at its end are known from the user's own writes alone.
    /// - Returns: The list with the writes.
    /// - Complexity: O(*n* + *w* log *n*) in the bytes of the list and the number of writes, if each
    ///   write names its rows by their keys; O(*n* · *w*) if not.
    package func applying(
        _ writes: [RowWrite], to body: Span<UInt8>, _ directory: RowDirectory, ownRows: Int = 0
    ) -> OverlaidList {
        var rows = OverlayRows(self, body: body, directory, ownRows: ownRows)
        for write in writes { rows.apply(write, body) }
        return rows.list(body)
    }
}

/// A list with writes laid over it.
package struct OverlaidList: Hashable, Sendable {
    /// The rows as a JSON array; nil if the writes leave every byte as it is.
    package let body: Bytes?
    /// How many rows at the end are known from the user's own writes alone.
    package let ownRows: Int
    /// The keys of the rows that are shown as writes have left them, in the order of the list.
    package let pendingKeys: [RowKey]
    /// Whether a write changes a row of the list, or would if it were not the same already.
    package let isTouched: Bool
    /// Whether a row has left the list, or come in.
    package let hasOtherRows: Bool
    /// Whether something could not be decided on the device.
    package let isStale: Bool
}
