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
    /// The names of those, as far as they can be read.
    private let others: Set<Bytes>

    package init(
        isWhole: Bool, columns: [Column] = [], hasOthers: Bool = false, others: Set<Bytes> = []
    ) {
        self.isWhole = isWhole
        self.columns = columns
        self.hasOthers = hasOthers || !others.isEmpty
        self.others = others
    }

    /// Takes what a request selects.
    package init(_ selection: Selection) {
        guard !selection.isUnreadable else {
            self.init(isWhole: false, hasOthers: true)
            return
        }
        // Beside all columns, an alias may be the name of another column.
        let isOfAll = selection.hasAllColumns
        let columns = selection.columns.filter { member, column in
            !selection.taken.contains(member) || isOfAll && member != column
        }
        let others = selection.taken.filter { columns[$0] == nil }
        self.init(
            isWhole: isOfAll,
            columns: columns.sorted { $0.key < $1.key }.map { member, column in
                Column(Bytes(column.utf8), shownAs: Bytes(member.utf8))
            },
            hasOthers: !selection.embeds.isEmpty || isOfAll && columns.contains { $0 != $1 },
            others: Set(others.map { Bytes($0.utf8) }))
    }

    /// Every column, and nothing else.
    package static let all = RowSelection(isWhole: true)

    /// Whether a row of the list is an object of columns by their own names.
    var isPlain: Bool {
        !hasOthers && columns.allSatisfy { $0.name == $0.shownAs }
    }

    /// Whether rows of the list have the key under the names of its columns, and nothing else there.
    func shows(_ keys: KeyColumns) -> Bool {
        keys.names.allSatisfy { name in
            let shown = columns.filter { $0.shownAs == name }
            guard isWhole || !shown.isEmpty, !others.contains(name) else { return false }
            return shown.allSatisfy { $0.name == name }
        }
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
        let names = others.union(self.columns.filter { $0.name != $0.shownAs }.map(\.shownAs))
        for member in shown.columns where !names.contains(member.name) {
            columns.set(member.value, forName: member.name)
        }
        return columns
    }
}
