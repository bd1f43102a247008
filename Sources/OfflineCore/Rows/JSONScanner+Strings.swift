extension JSONScanner {
    /// Moves over a string, whose opening quote is at the position.
    ///
    /// - Returns: Whether it contains escapes. If not, the bytes between its quotes are its text.
    @inline(__always)
    mutating func skipString(in bytes: Span<UInt8>) throws(JSONError) -> Bool {
        let end = bytes.endOfPlainText(from: position + 1)
        if bytes.byteOrZero(at: end) == .quote {
            position = end + 1
            return false
        }
        return try skipUnusualString(in: bytes, from: end)
    }

    /// Moves over the rest of a string that isn't plain ASCII throughout.
    private mutating func skipUnusualString(
        in bytes: Span<UInt8>, from start: Int
    ) throws(JSONError) -> Bool {
        var end = start
        var isEscaped = false
        while end < bytes.count {
            switch bytes[end] {
            case .quote:
                position = end + 1
                return isEscaped
            case .backslash:
                isEscaped = true
                end = try Self.endOfEscape(in: bytes, from: end)
            case 0x80...:
                repeat {
                    end = try Self.endOfCharacter(in: bytes, from: end)
                } while end < bytes.count && bytes[end] >= 0x80
            default:
                throw .controlCharacter(offset: end)
            }
            end = bytes.endOfPlainText(from: end)
        }
        throw .unexpectedEnd(offset: bytes.count)
    }

    /// The end of an escape.
    ///
    /// Halves of surrogate pairs pass one by one, as in the grammar.
    private static func endOfEscape(
        in bytes: Span<UInt8>, from start: Int
    ) throws(JSONError) -> Int {
        guard start + 1 < bytes.count else { throw .unexpectedEnd(offset: bytes.count) }
        switch bytes[start + 1] {
        case .quote, .backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            for index in start + 2..<start + 6 {
                guard index < bytes.count else { throw .unexpectedEnd(offset: bytes.count) }
                guard bytes[index].hexadecimalValue != nil else {
                    throw .invalidEscape(offset: start)
                }
            }
            return start + 6
        default:
            throw .invalidEscape(offset: start)
        }
    }

    /// The end of a character outside of ASCII, by the table of well-formed sequences in Unicode.
    private static func endOfCharacter(
        in bytes: Span<UInt8>, from start: Int
    ) throws(JSONError) -> Int {
        let length: Int
        var continuation: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[start] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, continuation) = (3, 0xA0...0xBF)  // Below: overlong.
        case 0xED: (length, continuation) = (3, 0x80...0x9F)  // Above: surrogates.
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, continuation) = (4, 0x90...0xBF)  // Below: overlong.
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, continuation) = (4, 0x80...0x8F)  // Above: past U+10FFFF.
        default: throw .invalidUTF8(offset: start)
        }
        for index in start + 1..<start + length {
            guard index < bytes.count else { throw .unexpectedEnd(offset: bytes.count) }
            guard continuation.contains(bytes[index]) else { throw .invalidUTF8(offset: start) }
            continuation = 0x80...0xBF
        }
        return start + length
    }
}
