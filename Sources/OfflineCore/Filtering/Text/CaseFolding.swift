/// Equality without regard to case, as far as it is the same in every locale.
///
/// Letters of ASCII fold alike everywhere. Others fold by the database's locale: two that some locale
/// may take for the same are perhaps equal, and only those that none does are different.
enum CaseFolding {
    /// Whether two texts differ at most in case.
    ///
    /// - Complexity: O(*n*).
    static func areEqual(_ lhs: Bytes, _ rhs: Bytes) -> Truth {
        if lhs.lowercasedASCII == rhs.lowercasedASCII { return .true }
        let isASCII = lhs.allSatisfy { $0 < 0x80 } && rhs.allSatisfy { $0 < 0x80 }
        if isASCII { return .false }
        return key(of: lhs) == key(of: rhs) ? .trueOrFalse : .false
    }

    /// Whether two scalars differ at most in case.
    static func areEqual(_ lhs: Unicode.Scalar, _ rhs: Unicode.Scalar) -> Truth {
        if lhs == rhs { return .true }
        if lhs.isASCII, rhs.isASCII {
            return Truth(
                UInt8(lhs.value).lowercasedASCII == UInt8(rhs.value).lowercasedASCII)
        }
        return key(of: lhs) == key(of: rhs) ? .trueOrFalse : .false
    }

    /// What all scalars have in common that some locale takes for the same letter.
    private static func key(of scalar: Unicode.Scalar) -> String {
        // The capital I with a dot becomes two scalars in some locales and one in others.
        if scalar == "\u{130}" { return "i" }
        let capital = scalar.properties.uppercaseMapping
        return capital.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    }

    private static func key(of text: Bytes) -> [Unicode.Scalar] {
        // The dot that the capital I may leave behind counts for nothing.
        String(decoding: text, as: UTF8.self).unicodeScalars.flatMap { key(of: $0).unicodeScalars }
            .filter { $0 != "\u{307}" }
    }
}
