/// The filters of a request as a tree, as they are written and without any knowledge of columns.
indirect enum FilterExpression: Hashable, Sendable {
    /// All of them must hold; none is true.
    case and([FilterExpression])
    /// One of them must hold; none is false.
    case or([FilterExpression])
    case not(FilterExpression)
    case test(FieldPath, FilterTest)
    /// Something that only the server can answer.
    case undecidable
}

extension FilterExpression {
    /// Whether a part of it is one that only the server can answer.
    var hasUndecidable: Bool {
        switch self {
        case .and(let branches), .or(let branches): branches.contains(where: \.hasUndecidable)
        case .not(let branch): branch.hasUndecidable
        case .test: false
        case .undecidable: true
        }
    }

    /// How many tests there are.
    var testCount: Int {
        switch self {
        case .and(let branches), .or(let branches): branches.reduce(0) { $0 + $1.testCount }
        case .not(let branch): branch.testCount
        case .test: 1
        case .undecidable: 0
        }
    }

    /// The columns that it reads.
    var columns: Set<String> {
        switch self {
        case .and(let branches), .or(let branches):
            branches.reduce(into: []) { $0.formUnion($1.columns) }
        case .not(let branch): branch.columns
        case .test(let field, _): [field.column]
        case .undecidable: []
        }
    }

    /// The values, one of which a column must equal if the whole is to hold, by the column's name.
    var pins: [String: [Bytes]] {
        switch self {
        case .and(let branches):
            // Of two that pin one column, either will do: the rest is still to be tested.
            branches.map(\.pins).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        case .test(let field, .compare(.eq, let operand)) where field.steps.isEmpty:
            switch operand {
            case .one(let value): [field.column: [value]]
            // Nothing equals null.
            case .any(let values): [field.column: values.compactMap(\.self)]
            case .all: [:]
            }
        case .test, .or, .not, .undecidable: [:]
        }
    }
}

/// What is asked of one value.
enum FilterTest: Hashable, Sendable {
    case `is`(IsValue)
    /// Null is a value like others.
    case isDistinct(Bytes)
    case compare(FilterOperator, FilterOperand)

    /// What a value can be said to be with `is`.
    enum IsValue: Hashable, Sendable {
        case null, notNull, `true`, `false`, unknown
    }
}

/// What stands on the right of an operator.
enum FilterOperand: Hashable, Sendable {
    case one(Bytes)
    /// One of the elements must pass; nil is SQL's null.
    case any([Bytes?])
    /// All elements must pass.
    case all([Bytes?])
}

/// The operators that compare a value with another.
enum FilterOperator: String, Hashable, Sendable {
    case eq, neq, gt, gte, lt, lte, like, ilike, match, imatch
    case cs, cd, ov, sl, sr, nxr, nxl, adj
    case fts, plfts, phfts, wfts

    /// Whether `(any)` and `(all)` may stand behind it.
    var isQuantifiable: Bool {
        switch self {
        case .eq, .gt, .gte, .lt, .lte, .like, .ilike, .match, .imatch: true
        case .neq, .cs, .cd, .ov, .sl, .sr, .nxr, .nxl, .adj, .fts, .plfts, .phfts, .wfts: false
        }
    }

    /// Whether it searches in full text, with a configuration behind it.
    var isFullText: Bool {
        switch self {
        case .fts, .plfts, .phfts, .wfts: true
        default: false
        }
    }

    /// Whether every star in its operand is written as a percent sign to PostgreSQL.
    var takesStars: Bool { self == .like || self == .ilike }
}
