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
    /// Takes a row as the server has it now.
    case record(RowRecord)
}

/// A row as the server has it, as far as that is known.
package struct RowRecord: Hashable, Sendable {
    /// What the server has told.
    package let told: RowColumns
    /// Whether that is every column of the table.
    package let isWhole: Bool
    /// What a write has set, of which the server has told nothing.
    package let presumed: RowColumns

    package init(_ told: RowColumns, isWhole: Bool, presumed: RowColumns = RowColumns()) {
        self.told = told
        self.isWhole = isWhole
        self.presumed = presumed
    }

    /// Everything that is known of the row.
    var columns: RowColumns {
        var columns = told
        for column in presumed.columns where told.value(ofName: column.name) == nil {
            columns.set(column.value, forName: column.name)
        }
        return columns
    }
}
