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
            add(text: value.extracting(content))
            return true
        }
        guard let text = try? JSONText.text(of: value) else { return false }
        add(text: text.span)
        return true
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
