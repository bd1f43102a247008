/// What a list is, as far as its rows can be told from the others of its table.
package struct ListQuery: Sendable {
    /// The filters.
    package let filter: ParsedFilter
    /// What the list holds of its rows.
    package let selection: RowSelection
    /// The tables whose rows the list has too; see ``Selection/relations``.
    package let relations: Set<String>
    /// Whether the list begins behind rows that it doesn't hold.
    package let hasOffset: Bool
    /// How many rows the list may have; nil for any number.
    package let limit: Int?

    /// Reads what a list's key says.
    ///
    /// - Complexity: O(*n*) in the length of the key.
    package init(_ key: ListKey) {
        let items = key.items
        filter = ParsedFilter(of: items)
        let selection = Selection(of: items)
        self.selection = RowSelection(selection)
        relations = selection.relations
        hasOffset = (Self.number("offset", in: items) ?? 0) > 0 || key.hasHeader("range")
        limit = Self.number("limit", in: items)
    }

    /// A number of the query; PostgREST ignores what is none.
    private static func number(_ name: String, in items: [PostgrestRequest.Item]) -> Int? {
        items.first { $0.name == name }.flatMap { Int($0.value) }
    }
}
