/// What the app tells of a table.
package struct TableFacts: Sendable {
    /// The names of the columns that tell its rows apart.
    package let keyNames: [String]
    /// The same, ready to be found in rows.
    package let keys: KeyColumns
    /// The same, in no order, as names of requests and as names of rows.
    let keySet: Set<String>
    let keyColumns: Set<Bytes>
    /// The types of its columns, as far as they are told.
    package let types: [String: PostgresType]

    package init(keyNames: [String] = ["id"], types: [String: PostgresType] = [:]) {
        self.keyNames = keyNames
        keys = KeyColumns(keyNames)
        keySet = Set(keyNames)
        keyColumns = Set(keys.names)
        self.types = types
    }
}
