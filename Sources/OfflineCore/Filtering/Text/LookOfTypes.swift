extension Bytes {
    /// Whether a string of a row may be something else than text, of which several spellings are
    /// equal: a number, a time, an address, a range and so on, as PostgreSQL writes them.
    ///
    /// - Complexity: O(*n*).
    var looksTyped: Bool {
        let hasDigit = contains { $0.isDigit }
        if hasDigit, !contains(where: { $0.isLetterOrWide }) { return true }
        return Self.words.contains(self) || starts(with: [.backslash, UInt8(ascii: "x")])
            || looksEnclosed || looksHexadecimal || looksLikeTime || looksLikeUUID
            || (hasDigit && first == UInt8(ascii: "@"))
    }

    /// Ranges, geometry, words of a full-text search.
    private var looksEnclosed: Bool {
        switch (first, last) {
        case (.openingBrace, .closingBrace), (UInt8(ascii: "<"), UInt8(ascii: ">")),
            (UInt8(ascii: "'"), _):
            true
        case (.openingBracket, _), (UInt8(ascii: "("), _):
            (last == .closingBracket || last == UInt8(ascii: ")")) && contains(.comma)
        default: false
        }
    }

    private static let words = [
        "empty", "infinity", "-infinity", "NaN", "Infinity", "-Infinity",
    ].map { Bytes($0.utf8) }

    /// Addresses of networks and machines, bits, places in a log.
    private var looksHexadecimal: Bool {
        let isMade = allSatisfy { $0.hexadecimalValue != nil || ":./-".utf8.contains($0) }
        return isMade && contains { $0.isDigit || $0 == .colon }
    }

    private var looksLikeUUID: Bool { SmallLiterals.uuid(self) != nil }

    /// Dates, times and intervals begin with a number, perhaps with a sign, and with a unit, a hyphen
    /// or a colon behind it; `P1D` is an interval too.
    private var looksLikeTime: Bool {
        var rest = self[...]
        if rest.first == UInt8(ascii: "P"),
            rest.dropFirst().first?.beginsNumber == true
                || rest.dropFirst().first == UInt8(ascii: "T")
                    && rest.dropFirst(2).first?.beginsNumber == true
        {
            return true
        }
        if rest.first == .minus || rest.first == .plus { rest = rest.dropFirst() }
        let digits = rest.prefix { $0.isDigit }
        guard !digits.isEmpty else { return false }
        rest = rest.dropFirst(digits.count)
        if rest.first == .minus || rest.first == .colon { return true }
        let word = rest.drop { $0 == 0x20 }.prefix { $0.isLetterOrWide }
        let units = [
            "year", "years", "mon", "mons", "day", "days", "hour", "hours", "min", "mins",
            "sec", "secs",
        ]
        return units.contains(String(decoding: word, as: UTF8.self))
    }
}

extension UInt8 {
    /// Whether this is a letter of ASCII or part of a character outside of it.
    fileprivate var isLetterOrWide: Bool { self >= 0x80 || 0x61...0x7A ~= self | 0x20 }

    fileprivate var beginsNumber: Bool { isDigit || self == .minus }
}
