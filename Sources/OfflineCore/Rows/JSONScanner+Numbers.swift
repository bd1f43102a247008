extension JSONScanner {
    /// Moves over a number, `true`, `false` or `null`.
    @inline(__always)
    mutating func skipNumberOrLiteral(in bytes: Span<UInt8>) throws(JSONError) {
        switch byte(in: bytes) {
        case .minus, .zero ... .nine: try skipNumber(in: bytes)
        case UInt8(ascii: "t"): try skipLiteral("true", in: bytes)
        case UInt8(ascii: "f"): try skipLiteral("false", in: bytes)
        case UInt8(ascii: "n"): try skipLiteral("null", in: bytes)
        default: throw unexpected(in: bytes)
        }
    }

    /// Moves over a number of any length; its digits are never added up.
    private mutating func skipNumber(in bytes: Span<UInt8>) throws(JSONError) {
        if byte(in: bytes) == .minus { position += 1 }
        if byte(in: bytes) == .zero {
            position += 1
            guard !byte(in: bytes).isDigit else { throw .invalidNumber(offset: position) }
        } else {
            try skipDigits(in: bytes)
        }
        if byte(in: bytes) == .point {
            position += 1
            try skipDigits(in: bytes)
        }
        if byte(in: bytes).isExponentMark {
            position += 1
            let sign = byte(in: bytes)
            if sign == .plus || sign == .minus { position += 1 }
            try skipDigits(in: bytes)
        }
    }

    /// Moves over one digit at least.
    @inline(__always)
    private mutating func skipDigits(in bytes: Span<UInt8>) throws(JSONError) {
        guard byte(in: bytes).isDigit else {
            throw position < bytes.count
                ? .invalidNumber(offset: position) : .unexpectedEnd(offset: position)
        }
        repeat { position += 1 } while byte(in: bytes).isDigit
    }

    /// Moves over a word that has to stand there letter by letter.
    @inline(__always)
    private mutating func skipLiteral(
        _ literal: String, in bytes: Span<UInt8>
    ) throws(JSONError) {
        for letter in literal.utf8 {
            guard byte(in: bytes) == letter else { throw unexpected(in: bytes) }
            position += 1
        }
    }
}
