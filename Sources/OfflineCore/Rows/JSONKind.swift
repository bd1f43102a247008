/// The seven things a JSON value can be.
package enum JSONKind: Hashable, Sendable {
    case object, array, string, number, `true`, `false`, null

    /// Tells the kind by the first byte of a value; nil if no value starts like that.
    package init?(firstByte: UInt8) {
        switch firstByte {
        case .quote: self = .string
        case .minus, .zero ... .nine: self = .number
        case .openingBrace: self = .object
        case .openingBracket: self = .array
        case UInt8(ascii: "t"): self = .true
        case UInt8(ascii: "f"): self = .false
        case UInt8(ascii: "n"): self = .null
        default: return nil
        }
    }

    /// Tells the kind of a value that a scan has accepted; nil for no bytes or another text.
    ///
    /// - Parameter value: The slice of one value, without blanks around it.
    package init?(of value: Span<UInt8>) {
        guard !value.isEmpty else { return nil }
        self.init(firstByte: value[0])
    }
}

/// The bytes that JSON's grammar names.
extension UInt8 {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let openingBrace = UInt8(ascii: "{")
    static let closingBrace = UInt8(ascii: "}")
    static let openingBracket = UInt8(ascii: "[")
    static let closingBracket = UInt8(ascii: "]")
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let point = UInt8(ascii: ".")
    static let zero = UInt8(ascii: "0")
    static let nine = UInt8(ascii: "9")

    /// Whether this is one of the ten digits.
    var isDigit: Bool { self &- .zero < 10 }

    /// Whether this marks an exponent, in either case.
    var isExponentMark: Bool { self | 0x20 == UInt8(ascii: "e") }

    /// The value of a hexadecimal digit in either case; nil for anything else.
    var hexadecimalValue: UInt8? {
        if isDigit { return self &- .zero }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
