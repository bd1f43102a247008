/// A write, as far as the rows of its table are concerned.
package enum RowWrite: Sendable {
    /// Adds rows.
    case insert([RowColumns])
    /// Adds rows, or changes those that have the same values in certain columns.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - conflict: The columns; nil for the primary key.
    ///   - ignoresDuplicates: Whether rows that are there stay as they are.
    case upsert([RowColumns], conflict: KeyColumns?, ignoresDuplicates: Bool)
    /// Sets columns of the rows that a condition keeps.
    case update(RowColumns, RowCondition)
    /// Removes the rows that a condition keeps.
    case delete(RowCondition)
}
