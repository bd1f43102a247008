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

/// Finds the key columns of row after row, without an allocation for each.
struct KeyFinder {
    private let columns: KeyColumns
    /// What the row last read has in each key column.
    private(set) var values: ContiguousArray<Range<Int>?>

    init(_ columns: KeyColumns) {
        self.columns = columns
        values = ContiguousArray(repeating: nil, count: columns.names.count)
    }

    /// Moves over a row, which starts at the scanner's position, and takes its key columns.
    ///
    /// - Complexity: O(*n*) in the length of the row.
    @inline(__always)
    mutating func skipRow(
        in bytes: Span<UInt8>, by scanner: inout JSONScanner, depth: Int
    ) throws(JSONError) {
        for index in values.indices { values[index] = nil }
        try scanner.skipObject(in: bytes, depth: depth) { note($0, in: bytes) }
    }

    /// The hash of the key of the row last read; nil if it has none.
    ///
    /// - Complexity: O(*n*) in the length of the key.
    func keyHash(in bytes: Span<UInt8>) -> UInt64? {
        guard !values.isEmpty else { return nil }
        var hash = StableHash()
        for value in values {
            guard let value, hash.add(keyPart: bytes.extracting(value)) else { return nil }
        }
        return hash.value
    }

    /// Remembers the value of a key column, unless the column has been seen before.
    @inline(__always)
    private mutating func note(_ member: RowMember, in bytes: Span<UInt8>) {
        for index in values.indices {
            // Most names differ in length, which costs less to see than to take hold of a name.
            guard member.isNameEscaped || columns.names[index].count == member.name.count,
                values[index] == nil
            else { continue }
            let name = columns.names[index]
            if member.isNamed(name.span, in: bytes) { values[index] = member.value }
        }
    }
}
