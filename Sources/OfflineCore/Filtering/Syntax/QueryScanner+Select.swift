/// One item of a `select`.
enum SelectItem: Hashable {
    case allColumns
    /// A column as it is, under its own name or another one.
    case column(String, member: String)
    /// Something made from columns: a cast, an aggregate, a place inside JSON.
    case computed(member: String)
    /// Another table's rows, under every name that filters may use for it.
    indirect case embed(
        names: [String], member: String, isInner: Bool, items: [SelectItem], isSpread: Bool)
}

extension QueryScanner {
    private static let deepestNesting = 50

    /// Reads items up to the end or a closing parenthesis.
    mutating func selectItems(depth: Int) -> [SelectItem]? {
        guard depth < Self.deepestNesting else { return nil }
        skipBlanks()
        if isAtEnd || next == ")" { return [] }
        var items: [SelectItem] = []
        repeat {
            skipBlanks()
            guard let item = selectItem(depth: depth) else { return nil }
            items.append(item)
            skipBlanks()
        } while skip(",")
        return items
    }

    private mutating func selectItem(depth: Int) -> SelectItem? {
        if skip("*") { return .allColumns }
        let isSpread = skip(word: "...")
        let alias = attempt { scanner -> String? in
            guard let name = scanner.name(), scanner.skip(":"), scanner.next != ":" else {
                return nil
            }
            return name
        }
        guard let field = field() else { return nil }
        if let embed = attempt({ $0.embed(field, alias: alias, isSpread: isSpread, depth: depth) })
        {
            return embed
        }
        guard !isSpread else { return nil }
        var isComputed = !field.steps.isEmpty
        var member = alias ?? field.member
        if skip(word: "()") { isComputed = true }
        while skip(word: "::") || skip(".") {
            isComputed = true
            let word = take { $0 != "," && $0 != ")" && $0 != "(" && $0 != "." && $0 != ":" }
            if skip(word: "()") { member = alias ?? word }
        }
        return isComputed ? .computed(member: member) : .column(field.column, member: member)
    }

    private mutating func embed(
        _ field: FieldPath, alias: String?, isSpread: Bool, depth: Int
    ) -> SelectItem? {
        // `count()` is an aggregate, and no table of that name can be embedded.
        guard field.steps.isEmpty, field.column != "count" else { return nil }
        var isInner = false
        while skip("!") {
            guard let hint = name() else { return nil }
            isInner = isInner || hint == "inner"
        }
        guard skip("("), let items = selectItems(depth: depth + 1), skip(")") else { return nil }
        return .embed(
            names: [alias, field.column].compactMap(\.self), member: alias ?? field.column,
            isInner: isInner, items: items, isSpread: isSpread)
    }
}

extension FieldPath {
    /// The member under which a row has this if no alias is given.
    fileprivate var member: String {
        for step in steps.reversed() {
            if case .key(let key) = step { return String(decoding: key, as: UTF8.self) }
        }
        return column
    }
}
