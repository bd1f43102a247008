/// The columns that make the key of a table, in their order.
package struct KeyColumns: Hashable, Sendable {
    /// The names as text in UTF-8.
    let names: ContiguousArray<Bytes>

    /// Takes the names as the app gives them; with none of them, no row has a key.
    package init(_ names: [String]) {
        self.names = ContiguousArray(names.map { Bytes($0.utf8) })
    }
}
