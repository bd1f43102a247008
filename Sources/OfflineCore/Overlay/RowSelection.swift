/// What of its table's rows a list holds, and under which names.
package struct RowSelection: Hashable, Sendable {
    /// A column, and the name under which the list has it.
    package struct Column: Hashable, Sendable {
        package let name: Bytes
        package let shownAs: Bytes

        package init(_ name: Bytes, shownAs: Bytes? = nil) {
            self.name = name
            self.shownAs = shownAs ?? name
        }
    }

    /// Whether every column is there under its own name.
    package let isWhole: Bool
    /// The columns, beside those that ``isWhole`` brings.
    package let columns: [Column]
    /// Whether the list has what is no column: a cast, a part of one, an aggregate, other tables.
    package let hasOthers: Bool

    package init(isWhole: Bool, columns: [Column] = [], hasOthers: Bool = false) {
        self.isWhole = isWhole
        self.columns = columns
        self.hasOthers = hasOthers
    }

    /// Every column, and nothing else.
    package static let all = RowSelection(isWhole: true)

    /// Whether a row of the list is an object of columns by their own names.
    var isPlain: Bool {
        !hasOthers && columns.allSatisfy { $0.name == $0.shownAs }
    }

    /// Columns as the list shows them.
    func shown(_ row: RowColumns) -> RowColumns {
        if isPlain, isWhole { return row }
        var shown = RowColumns()
        for column in row.columns {
            if isWhole { shown.set(column.value, forName: column.name) }
            for selected in columns where selected.name == column.name {
                shown.set(column.value, forName: selected.shownAs)
            }
        }
        return shown
    }

    /// The columns that a row of the list tells; nil if the row can't be read.
    func columns(of row: Span<UInt8>) -> RowColumns? {
        guard let shown = try? RowColumns(row) else { return nil }
        if isPlain { return shown }
        var columns = RowColumns()
        for selected in self.columns {
            guard let value = shown.value(ofName: selected.shownAs) else { continue }
            columns.set(value, forName: selected.name)
        }
        guard isWhole else { return columns }
        // `*` brings every column under its own name, whatever else there is.
        let names = Set(self.columns.filter { $0.name != $0.shownAs }.map(\.shownAs))
        for member in shown.columns where !names.contains(member.name) {
            columns.set(member.value, forName: member.name)
        }
        return columns
    }
}
