/// Literals whose spelling is quickly told: booleans, UUIDs, bytes.
enum SmallLiterals {
    /// `true`, `yes`, `on`, `1` and their opposites, or what begins one of them alone.
    static func boolean(_ text: Bytes) -> Bool? {
        let word = String(decoding: text.trimmingSQLBlanks.lowercasedASCII, as: UTF8.self)
        guard !word.isEmpty else { return nil }
        if "true".hasPrefix(word) || "yes".hasPrefix(word) || word == "on" || word == "1" {
            return true
        }
        let isFalse =
            "false".hasPrefix(word) || "no".hasPrefix(word) || word == "off" || word == "of"
            || word == "0"
        return isFalse ? false : nil
    }

    /// The 16 bytes of a UUID in any case, in braces or not, with a hyphen after any four digits.
    static func uuid(_ text: Bytes) -> Bytes? {
        var digits = text[...]
        if digits.first == .openingBrace, digits.last == .closingBrace {
            digits = digits.dropFirst().dropLast()
        }
        var bytes = Bytes()
        var high: UInt8?
        var count = 0
        var isHyphenAllowed = false
        for byte in digits {
            if byte == .minus, isHyphenAllowed {
                isHyphenAllowed = false
                continue
            }
            guard let digit = byte.hexadecimalValue else { return nil }
            count += 1
            isHyphenAllowed = count % 4 == 0 && count < 32
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes.count == 16 && digits.last != .minus ? bytes : nil
    }

    /// The bytes of `bytea`, in hexadecimal form or in escapes.
    static func bytea(_ text: Bytes) -> Bytes? {
        if text.starts(with: [.backslash, UInt8(ascii: "x")]) {
            let digits = text.dropFirst(2).map(\.hexadecimalValue)
            guard digits.count % 2 == 0 else { return nil }
            var bytes = Bytes()
            for index in stride(from: 0, to: digits.count, by: 2) {
                guard let high = digits[index], let low = digits[index + 1] else { return nil }
                bytes.append(high << 4 | low)
            }
            return bytes
        }
        return escaped(text)
    }

    private static func escaped(_ text: Bytes) -> Bytes? {
        var bytes = Bytes()
        var index = 0
        while index < text.count {
            guard text[index] == .backslash else {
                bytes.append(text[index])
                index += 1
                continue
            }
            if index + 1 < text.count, text[index + 1] == .backslash {
                bytes.append(.backslash)
                index += 2
                continue
            }
            guard index + 3 < text.count else { return nil }
            let digits = text[index + 1...index + 3].map { $0 &- .zero }
            guard digits[0] <= 3, digits.allSatisfy({ $0 <= 7 }) else { return nil }
            bytes.append(digits[0] << 6 | digits[1] << 3 | digits[2])
            index += 4
        }
        return bytes
    }
}
