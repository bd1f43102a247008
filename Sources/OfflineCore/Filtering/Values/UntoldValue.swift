/// Compares values whose type isn't told by what they themselves show.
///
/// Numbers, booleans and their arrays show it. A string may be a text, but also a time, a UUID or a
/// range, of which several spellings are equal; it is taken for a text only if it looks like none of
/// the others, and then differs for certain only from what isn't the same word in another case.
enum UntoldValue {
    /// How a value of a row stands to a literal or to another row's value.
    static func compare(_ lhs: Datum, _ rhs: Datum) -> Ordering {
        switch (lhs, rhs) {
        case (.untold(let lhs), .untold(let rhs)): compare(lhs, rhs)
        case (.text(let lhs), .text(let rhs)): lhs == rhs ? .equal : .undecidable
        case (.number(let number), .untold(let literal)):
            Datum(literal: literal, as: .number).map {
                Datum.compare(.number(number), $0, as: .number)
            }
                ?? .undecidable
        case (.boolean(let value), .untold(let literal)):
            SmallLiterals.boolean(literal).map { Ordering(value ? 1 : 0, $0 ? 1 : 0) }
                ?? .undecidable
        default: .undecidable
        }
    }

    /// How a number of a row stands to another one, in a column of any width.
    static func compare(_ lhs: PostgresNumber, _ rhs: PostgresNumber) -> Ordering {
        let order = Ordering(lhs, rhs)
        guard order != .equal, case .finite(let stored) = lhs, case .finite(let other) = rhs else {
            return order
        }
        return FloatRounding.mayMerge(stored, other) ? .undecidable : order
    }

    private static func compare(_ value: Bytes, _ literal: Bytes) -> Ordering {
        if value == literal { return .equal }
        // Of whatever type, two that differ in more than case are not the same.
        if value.span.isUUID, literal.span.isUUID,
            value.span.withSmallLetters != literal.span.withSmallLetters
        {
            return .unequal
        }
        if value.looksTyped { return .undecidable }
        // It may be `char(n)` or `citext`.
        let areEqual = CaseFolding.areEqual(value.trimmingSQLBlanks, literal.trimmingSQLBlanks)
        return areEqual == .false ? .unequal : .undecidable
    }
}
