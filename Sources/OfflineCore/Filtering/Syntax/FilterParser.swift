/// Reads the filters of a request out of the items of its query, as PostgREST does.
///
/// What doesn't follow the grammar the server refuses; here it is undecidable, like what needs other
/// tables than the request's own.
enum FilterParser {
    /// The filters, all of which must hold.
    ///
    /// - Parameters:
    ///   - items: The decoded items of the query.
    ///   - selection: What the request selects.
    /// - Returns: The tree.
    /// - Complexity: O(*n*) in the length of the items.
    static func filter(
        of items: [PostgrestRequest.Item], selecting selection: Selection
    ) -> FilterExpression {
        var filters: [FilterExpression] = []
        if selection.mayLeaveOutRows { filters.append(.undecidable) }
        for item in items {
            switch ItemKey(item.name) {
            case .filter: filters.append(filter(item, selection) ?? .undecidable)
            case .logic: filters.append(tree(item, selection) ?? .undecidable)
            case .order, .page, .reserved: continue
            }
        }
        return .and(filters)
    }

    /// Whether a request has a filter on its own table's rows, by the decoded items of its query.
    static func hasFilter(_ items: [PostgrestRequest.Item]) -> Bool {
        items.contains { item in
            var key = QueryScanner(item.name)
            switch ItemKey(item.name) {
            case .filter: return key.path()?.embeds.isEmpty ?? false
            case .logic: return key.names()?.dropLast().allSatisfy { $0 == "not" } ?? false
            case .order, .page, .reserved: return false
            }
        }
    }

    /// Whether a request has a filter that is a tree: `or=(…)`, `not.and=(…)`.
    static func hasTree(_ items: [PostgrestRequest.Item]) -> Bool {
        items.contains { ItemKey($0.name) == .logic }
    }

    private static func filter(
        _ item: PostgrestRequest.Item, _ selection: Selection
    ) -> FilterExpression? {
        var key = QueryScanner(item.name)
        guard let (path, field) = key.path(), key.isAtEnd else { return nil }
        var value = QueryScanner(item.value)
        guard let test = value.operatorExpression({ $0.rest() }) else { return nil }
        return selection.resolve(test(field), at: path)
    }

    private static func tree(
        _ item: PostgrestRequest.Item, _ selection: Selection
    ) -> FilterExpression? {
        var key = QueryScanner(item.name)
        guard var words = key.names(), key.isAtEnd, let name = words.popLast() else { return nil }
        let isNegated = words.contains("not")
        words.removeAll { $0 == "not" }
        // The key's word and the value are read as one text: `or=a.eq.1` is a filter on `ora`.
        var value = QueryScanner((isNegated ? "not." : "") + name + item.value)
        return value.logicTree().map { selection.resolve($0, at: words) }
    }
}

/// What an item of the query is about: the last word of its key tells.
enum ItemKey: Hashable {
    case filter, logic, order, page, reserved

    init(_ name: String) {
        switch name.split(separator: ".", omittingEmptySubsequences: false).last {
        case "and", "or": self = .logic
        case "order": self = .order
        case "limit", "offset": self = .page
        default:
            self = ["select", "columns", "on_conflict"].contains(name) ? .reserved : .filter
        }
    }
}

extension QueryScanner {
    /// Names joined by dots.
    fileprivate mutating func names() -> [String]? {
        var names: [String] = []
        repeat {
            guard let name = name() else { return nil }
            names.append(name)
        } while skip(".")
        return names
    }

    /// A field behind the embedded tables that lead to it.
    fileprivate mutating func path() -> (embeds: [String], field: FieldPath)? {
        var embeds: [String] = []
        while true {
            guard let field = field() else { return nil }
            guard field.steps.isEmpty, skip(".") else { return (embeds, field) }
            embeds.append(field.column)
        }
    }
}
