/// What a test compares with, read once in every way that its rows may need.
struct PreparedOperand: Hashable, Sendable {
    /// A pattern in its own language.
    enum Pattern: Hashable, Sendable {
        case like(LikePattern, ignoringCase: Bool)
        case regularExpression(RegularExpression, ignoringCase: Bool)
    }

    let text: Bytes
    /// The value by the type of the field.
    let datum: Datum?
    let pattern: Pattern?
    /// As JSON and as an array, where the type of the field isn't told or null may be JSON's.
    let json: JSONTree?
    let array: ArrayValue?

    /// Reads an operand; nil if a field of this type can't be compared with it in this way, which
    /// makes the server refuse the request, or if it can't be read here.
    ///
    /// - Complexity: O(*n*), for JSON O(*n* log *n*).
    init?(_ text: Bytes, for operator: FilterOperator, as type: ValueType) {
        self.text = text
        switch `operator` {
        case .like, .ilike:
            guard type.isText || type == .untold, let like = LikePattern(text) else { return nil }
            pattern = .like(like, ignoringCase: `operator` == .ilike)
            (datum, json, array) = (nil, nil, nil)
        case .match, .imatch:
            guard type.isText || type == .untold, let regular = RegularExpression(text) else {
                return nil
            }
            pattern = .regularExpression(regular, ignoringCase: `operator` == .imatch)
            (datum, json, array) = (nil, nil, nil)
        case .fts, .plfts, .phfts, .wfts: (datum, pattern, json, array) = (nil, nil, nil, nil)
        default:
            guard type != .json, let datum = Datum(literal: text, as: type) else { return nil }
            self.datum = datum
            pattern = nil
            let isOpen = type == .untold
            json = isOpen || type.holdsJSON ? JSONTree(parsing: text.span) : nil
            array = isOpen ? ArrayValue(literal: text, of: .untold) : nil
        }
    }
}

extension PreparedOperand.Pattern {
    /// Whether a text of a type matches.
    func matches(_ text: Bytes, as type: ValueType) -> Truth {
        let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
        switch type {
        case .text(.caseless, _): return matches(scalars, ignoringCase: true)
        // It may be `citext`, which ignores case whatever the operator.
        case .untold:
            return matches(scalars, ignoringCase: false)
                .union(matches(scalars, ignoringCase: true))
        default: return matches(scalars, ignoringCase: false)
        }
    }

    private func matches(_ text: [Unicode.Scalar], ignoringCase: Bool) -> Truth {
        switch self {
        case .like(let pattern, let isEither):
            pattern.matches(text, ignoringCase: ignoringCase || isEither)
        case .regularExpression(let pattern, let isEither):
            pattern.matches(text, ignoringCase: ignoringCase || isEither)
        }
    }
}
