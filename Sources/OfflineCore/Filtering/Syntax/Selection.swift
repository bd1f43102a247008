/// What a request selects, as far as its rows tell something of the table's columns.
///
/// A row's member is a column of its table only if the selection says so: it may be an alias of
/// another column, a cast, a place inside a JSON column, or an embedded table.
package struct Selection: Hashable, Sendable {
    /// Whether the select can't be read, so that any member may be anything.
    private(set) var isUnreadable = false
    private(set) var hasAllColumns = false
    /// The column that a member holds, by the member's name.
    private(set) var columns: [String: String] = [:]
    /// The member that holds a column, by the column's name.
    private var members: [String: String] = [:]
    /// Members that hold something else than the column of their name, or perhaps do.
    private(set) var taken: Set<String> = []
    /// The embedded tables, by every name that filters may use.
    private(set) var embeds: Set<String> = []
    /// What other tables' rows there are, at any depth: names of tables, or of columns or constraints that
    /// refer to them; empty text for what can't be read.
    private(set) var relations: Set<String> = []
    /// Whether rows without a match in an embedded table are left out.
    private(set) var mayLeaveOutRows = false

    /// Reads the `select` of a request; one that has none selects all columns.
    ///
    /// - Complexity: O(*n*).
    package init(of items: [PostgrestRequest.Item]) {
        let text = items.first { $0.name == "select" }?.value ?? ""
        var scanner = QueryScanner(text)
        scanner.skipBlanks()
        guard !scanner.isAtEnd else {
            hasAllColumns = true
            return
        }
        guard let selected = scanner.selectItems(depth: 0), scanner.isAtEnd else {
            isUnreadable = true
            mayLeaveOutRows = true
            relations = [""]
            return
        }
        for item in selected { add(item) }
        for (member, column) in columns.sorted(by: { $0.key < $1.key }) {
            // Beside all columns, an alias may be the name of another column.
            if hasAllColumns, member != column { taken.insert(member) }
            if members[column] == nil || member == column { members[column] = member }
        }
    }

    /// All columns, and nothing else.
    static let allColumns = Selection(of: [])

    /// The member of a row that holds a column; nil if none does for certain.
    func member(holding column: String) -> String? {
        guard !isUnreadable else { return nil }
        if let member = members[column], !taken.contains(member) { return member }
        return hasAllColumns && !taken.contains(column) ? column : nil
    }

    /// What a filter says about a row.
    ///
    /// - Parameters:
    ///   - filter: A filter.
    ///   - path: The embedded tables that lead to what it filters. It decides there which of their
    ///     rows are embedded, and which rows there are only through an inner join.
    /// - Returns: The filter for the row.
    func resolve(_ filter: FilterExpression, at path: [String]) -> FilterExpression {
        guard let embed = path.first else { return resolve(filter) }
        return !isUnreadable && embeds.contains(embed) ? .and([]) : .undecidable
    }

    private func resolve(_ filter: FilterExpression) -> FilterExpression {
        switch filter {
        case .and(let branches): .and(branches.map(resolve))
        case .or(let branches): .or(branches.map(resolve))
        case .not(let branch): .not(resolve(branch))
        // Asks whether there are related rows.
        case .test(let field, _) where embeds.contains(field.column): .undecidable
        case .test, .undecidable: filter
        }
    }

    private mutating func add(_ item: SelectItem) {
        switch item {
        case .allColumns: hasAllColumns = true
        case .column(let name, let member):
            if let other = columns[member], other != name {
                taken.insert(member)
            } else {
                columns[member] = name
            }
        case .computed(let member): taken.insert(member)
        case .embed(let names, let member, let isInner, let inner, let isSpread):
            embeds.formUnion(names)
            relations.formUnion(item.relations)
            mayLeaveOutRows = mayLeaveOutRows || isInner
            if !isSpread {
                taken.insert(member)
            } else {
                for item in inner { take(item) }
            }
        }
    }

    /// Notes what a spread table puts among the row's own members.
    private mutating func take(_ item: SelectItem) {
        switch item {
        // Its columns aren't known.
        case .allColumns: isUnreadable = true
        case .column(_, let member), .computed(let member): taken.insert(member)
        case .embed(_, let member, _, let inner, let isSpread):
            if isSpread { inner.forEach { take($0) } } else { taken.insert(member) }
        }
    }
}

extension SelectItem {
    /// The other tables whose rows this brings, and theirs in turn.
    fileprivate var relations: Set<String> {
        guard case .embed(let names, _, _, let items, _) = self, let name = names.last else {
            return []
        }
        return items.reduce(into: [name]) { $0.formUnion($1.relations) }
    }
}
