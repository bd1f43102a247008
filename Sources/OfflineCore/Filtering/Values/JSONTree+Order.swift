extension JSONTree {
    /// How a value of `jsonb` stands to another: object, array, boolean, number, string, null from
    /// high to low; those with more elements are greater; texts by a collation that isn't known.
    ///
    /// - Complexity: O(*n*).
    static func compare(_ lhs: JSONTree, _ rhs: JSONTree) -> Ordering {
        if lhs == rhs { return .equal }
        // At the outside, PostgreSQL takes an array without elements for less than any scalar.
        switch (lhs, rhs) {
        case (.array([]), .object), (.object, .array([])): break
        case (.array([]), _): return .less
        case (_, .array([])): return .greater
        default: break
        }
        return compareInside(lhs, rhs)
    }

    private static func compareInside(_ lhs: JSONTree, _ rhs: JSONTree) -> Ordering {
        switch (lhs, rhs) {
        case (.null, .null): return .equal
        case (.string(let lhs), .string(let rhs)): return lhs == rhs ? .equal : .unequal
        case (.number(let lhs), .number(let rhs)): return Ordering(lhs, rhs)
        case (.boolean(let lhs), .boolean(let rhs)): return Ordering(lhs ? 1 : 0, rhs ? 1 : 0)
        case (.array(let lhs), .array(let rhs)):
            var order = Ordering(lhs.count, rhs.count)
            for (lhs, rhs) in zip(lhs, rhs) where order == .equal {
                order = compareInside(lhs, rhs)
            }
            return order
        case (.object(let lhs), .object(let rhs)):
            var order = Ordering(lhs.count, rhs.count)
            for (lhs, rhs) in zip(lhs, rhs) where order == .equal {
                order = lhs.name == rhs.name ? compareInside(lhs.value, rhs.value) : .unequal
            }
            return order
        default: return Ordering(lhs.rank, rhs.rank)
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .string: 1
        case .number: 2
        case .boolean: 3
        case .array: 4
        case .object: 5
        }
    }
}
