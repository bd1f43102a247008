/// The filters of a request, read once; what their columns are is still to be told.
package struct ParsedFilter: Hashable, Sendable {
    let expression: FilterExpression
    /// The columns that they read.
    let columns: Set<String>
    /// What a column must equal, by the column's name.
    let pins: [String: [Bytes]]
    /// Whether nothing but those columns decides.
    let isOfColumnsAlone: Bool
    /// Whether nothing but ``pins`` decides.
    let isOfPinsAlone: Bool

    /// Reads the filters.
    ///
    /// - Parameter items: The items of the request's query, not encoded.
    /// - Complexity: O(*n*) in the length of the items.
    package init(of items: [PostgrestRequest.Item]) {
        self.init(FilterParser.filter(of: items, selecting: Selection(of: items)))
    }

    init(_ expression: FilterExpression) {
        self.expression = expression
        columns = expression.columns
        pins = expression.pins
        isOfColumnsAlone = !expression.hasUndecidable
        isOfPinsAlone = isOfColumnsAlone && expression.testCount == pins.count
    }
}
