/// How one value of a row stands to another, as far as that follows from the two.
package enum Ordering: Hashable, Sendable {
    case less, equal, greater
    /// They differ; which comes first depends on what isn't known here, such as a collation.
    case unequal
    /// Not even whether they differ is known.
    case undecidable

    init<Value: Comparable>(_ lhs: Value, _ rhs: Value) {
        self = lhs < rhs ? .less : lhs == rhs ? .equal : .greater
    }

    /// Whether the two are equal, as a test.
    var isEqual: Truth {
        switch self {
        case .equal: .true
        case .less, .greater, .unequal: .false
        case .undecidable: .trueOrFalse
        }
    }

    /// Whether the first is less than the second, as a test.
    var isLess: Truth {
        switch self {
        case .less: .true
        case .equal, .greater: .false
        case .unequal, .undecidable: .trueOrFalse
        }
    }

    /// How the second stands to the first.
    var reversed: Ordering {
        switch self {
        case .less: .greater
        case .greater: .less
        case .equal, .unequal, .undecidable: self
        }
    }

    /// How two sequences stand whose heads stand like this and whose rests stand like another.
    func followed(by rest: @autoclosure () -> Ordering) -> Ordering {
        switch self {
        case .equal: return rest()
        case .less, .greater, .unequal: return self
        case .undecidable:
            switch rest() {
            case .less, .greater, .unequal: return .unequal
            case .equal, .undecidable: return .undecidable
            }
        }
    }

    /// What is known if either of two may be how they stand.
    func or(_ other: Ordering) -> Ordering {
        if self == other { return self }
        let isOpen = [self, other].contains { $0 == .equal || $0 == .undecidable }
        return isOpen ? .undecidable : .unequal
    }
}
