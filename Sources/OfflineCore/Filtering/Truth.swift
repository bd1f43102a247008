/// What is known of a test on a row: which of SQL's three results it may have on the server.
///
/// A test that is decided has one possible result: true, false or unknown (null). One that isn't has
/// several, and ``undecidable`` has all. Logic works on every combination of what is possible, so it
/// is Kleene's for the three and never claims more than follows: false and anything is false.
package struct Truth: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let `true` = Truth(rawValue: 1)
    package static let `false` = Truth(rawValue: 2)
    /// SQL's null: the row is left out, and `not` leaves it out as well.
    package static let unknown = Truth(rawValue: 4)
    /// True or false, but nothing here tells which.
    static let trueOrFalse: Truth = [.true, .false]
    /// Anything; only the server can tell.
    package static let undecidable: Truth = [.true, .false, .unknown]

    package init(_ value: Bool) { self = value ? .true : .false }

    /// Whether the test has one possible result.
    package var isDecided: Bool { self == .true || self == .false || self == .unknown }

    /// Whether a row with this result of its whole filter is in the list; nil if that is open.
    ///
    /// False and unknown both keep it out, so it needn't be known which of them it is.
    package var admits: Bool? {
        if self == .true { return true }
        return contains(.true) ? nil : false
    }

    package static prefix func ! (operand: Truth) -> Truth {
        var result = operand.intersection(.unknown)
        if operand.contains(.true) { result.insert(.false) }
        if operand.contains(.false) { result.insert(.true) }
        return result
    }

    package static func && (lhs: Truth, rhs: Truth) -> Truth {
        var result = lhs.union(rhs).intersection(.false)
        if lhs.contains(.true), rhs.contains(.true) { result.insert(.true) }
        let lhsMayHold = !lhs.isDisjoint(with: [.true, .unknown])
        let rhsMayHold = !rhs.isDisjoint(with: [.true, .unknown])
        let isNullPossible = lhs.contains(.unknown) || rhs.contains(.unknown)
        if lhsMayHold, rhsMayHold, isNullPossible { result.insert(.unknown) }
        return result
    }

    package static func || (lhs: Truth, rhs: Truth) -> Truth { !(!lhs && !rhs) }
}
