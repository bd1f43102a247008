extension QueryScanner {
    /// How many trees may lie in each other; more is more than anybody writes.
    private static let deepestNesting = 100

    /// Reads a tree of filters, `and(a.eq.1,or(b.is.null,c.gt.2))`, or a leaf of one.
    ///
    /// What follows the outermost tree is ignored.
    mutating func logicTree(depth: Int = 0) -> FilterExpression? {
        if let leaf = attempt({ $0.leaf() }) { return leaf }
        guard depth < Self.deepestNesting else { return nil }
        let isNegated = skip(word: "not.")
        let isAnd = skip(word: "and")
        guard isAnd || skip(word: "or") else { return nil }
        skipBlanks()
        guard skip("(") else { return nil }
        var branches: [FilterExpression] = []
        repeat {
            skipBlanks()
            guard let branch = logicTree(depth: depth + 1) else { return nil }
            branches.append(branch)
            skipBlanks()
        } while skip(",")
        guard skip(")") else { return nil }
        skipBlanks()
        let tree: FilterExpression = isAnd ? .and(branches) : .or(branches)
        return isNegated ? .not(tree) : tree
    }

    private mutating func leaf() -> FilterExpression? {
        guard let field = field() else { return nil }
        skipBlanks()
        guard skip("."), let test = operatorExpression({ $0.valueInTree() }) else { return nil }
        return test(field)
    }

    /// A value in a tree: quoted, an array without inner braces, or all up to `,` or `)`.
    private mutating func valueInTree() -> String {
        if let text = closedQuotedText() { return text }
        return attempt { $0.flatArray() } ?? take { $0 != "," && $0 != ")" }
    }

    private mutating func flatArray() -> String? {
        guard skip("{") else { return nil }
        let content = take { $0 != "{" && $0 != "}" }
        return skip("}") ? "{\(content)}" : nil
    }
}
