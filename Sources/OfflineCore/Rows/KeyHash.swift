// The hash of a key is stored. Whatever changes it needs a new format of the directory.
extension StableHash {
    /// Adds the text of a string.
    mutating func add(text: Span<UInt8>) {
        add(text)
        add(UInt64(text.count) << 3 | 1)
    }

    /// Adds a number by what decides its value, see ``NumberParts``.
    mutating func add(digits: Span<UInt8>, exponent: Int64, isNegative: Bool) {
        add(digits)
        add(UInt64(bitPattern: exponent))
        add(UInt64(digits.count) << 3 | (isNegative ? 3 : 2))
    }

    mutating func addTrue() { add(4) }

    mutating func addFalse() { add(5) }

    /// Adds a value as it stands in a row; false if it can't be part of a key.
    ///
    /// - Complexity: O(*n*), without an allocation for strings without escapes and for integers.
    mutating func add(keyPart value: Span<UInt8>) -> Bool {
        switch JSONKind(of: value) {
        case .string: return add(string: value)
        case .number: NumberParts(of: value).add(of: value, to: &self)
        case .true: addTrue()
        case .false: addFalse()
        case .object, .array, .null, nil: return false
        }
        return true
    }

    private mutating func add(string value: Span<UInt8>) -> Bool {
        if let content = JSONText.plainContent(of: value) {
            add(keyText: value.extracting(content))
            return true
        }
        guard let text = try? JSONText.text(of: value) else { return false }
        add(keyText: text.span)
        return true
    }

    private mutating func add(keyText text: Span<UInt8>) {
        if text.isCanonicalInteger {
            NumberParts(of: text).add(of: text, to: &self)
        } else if text.isUUIDWithCapitals {
            let small = text.withSmallLetters
            add(text: small.span)
        } else {
            add(text: text)
        }
    }
}

extension Span<UInt8> {
    /// Whether a text is an integer as PostgreSQL writes it.
    ///
    /// - Complexity: O(*n*).
    var isCanonicalInteger: Bool {
        guard count > 0 else { return false }
        let start = self[0] == .minus ? 1 : 0
        guard start < count, self[start].isDigit else { return false }
        if self[start] == .zero { return count == 1 }
        for index in start..<count where !self[index].isDigit { return false }
        return true
    }

    /// Whether a text is a UUID with its four hyphens, in small letters or capitals.
    ///
    /// - Complexity: O(1).
    var isUUID: Bool {
        guard count == 36 else { return false }
        for index in indices {
            switch (index, self[index]) {
            case (8, .minus), (13, .minus), (18, .minus), (23, .minus): continue
            case (8, _), (13, _), (18, _), (23, _): return false
            case (_, 0x30...0x39), (_, 0x41...0x46), (_, 0x61...0x66): continue
            default: return false
            }
        }
        return true
    }

    /// Whether a text is a UUID, but not as PostgreSQL writes it, which is in small letters.
    ///
    /// - Complexity: O(1).
    var isUUIDWithCapitals: Bool {
        guard count == 36, self[8] == .minus else { return false }
        for index in indices where 0x41...0x46 ~= self[index] { return isUUID }
        return false
    }

    /// The text with small letters for the capitals of ASCII.
    var withSmallLetters: Bytes {
        var small = Bytes(copying: self)
        for index in small.indices where 0x41...0x5A ~= small[index] { small[index] |= 0x20 }
        return small
    }
}

extension NumberParts {
    /// Adds a number's value to a hash.
    func add(of lexeme: Span<UInt8>, to hash: inout StableHash) {
        if let digits = unbrokenDigits(of: lexeme) {
            hash.add(
                digits: lexeme.extracting(digits), exponent: exponent, isNegative: isNegative)
        } else {
            let digits = digits(of: lexeme)
            hash.add(digits: digits.span, exponent: exponent, isNegative: isNegative)
        }
    }
}
