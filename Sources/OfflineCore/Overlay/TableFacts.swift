/// What the app tells of a table.
package struct TableFacts: Sendable {
    /// The names of the columns that tell its rows apart.
    package let keyNames: [String]
    /// The same, in no order.
    let keySet: Set<String>
    /// The same, ready to be found in rows.
    package let keys: KeyColumns
    /// The types of its columns, as far as they are told.
    package let types: [String: PostgresType]

    package init(keyNames: [String] = ["id"], types: [String: PostgresType] = [:]) {
        self.keyNames = keyNames
        keySet = Set(keyNames)
        keys = KeyColumns(keyNames)
        self.types = types
    }
}
