/// The key of a row: the values of its key columns, however they are written.
///
/// Strings count by their text and numbers by their value, with all digits. `"1"` is the same as `1`:
/// a column is of one type, and PostgreSQL reads either as it. So is a UUID in capitals, as Swift writes
/// it, the same as in small letters, as PostgreSQL does.
///
/// A row has no key if one of the columns is missing, null, an array, an object, or a string without
/// a text. If a column is repeated in a row, its first value counts, as for `JSONDecoder`.
package struct RowKey: Hashable, Sendable {
    private let parts: ContiguousArray<KeyPart>

    /// What a ``RowDirectory`` finds rows by: the same for equal keys, today and later.
    ///
    /// - Complexity: O(*n*) in the length of the key.
    package var stableHash: UInt64 {
        var hash = StableHash()
        for part in parts { hash.add(part) }
        return hash.value
    }

    /// Reads the key of one row; nil if it has none.
    ///
    /// - Parameters:
    ///   - row: An object, with nothing around it.
    ///   - columns: The key columns.
    /// - Throws: ``JSONError`` if the bytes start with no object.
    /// - Complexity: O(*n*) in the length of the row.
    package init?(ofRow row: Span<UInt8>, columns: KeyColumns) throws(JSONError) {
        var finder = KeyFinder(columns)
        var scanner = JSONScanner()
        try finder.skipRow(in: row, by: &scanner, depth: 0)
        var parts: ContiguousArray<KeyPart> = []
        for value in finder.values {
            guard let value, let part = KeyPart(row.extracting(value)) else { return nil }
            parts.append(part)
        }
        self.init(parts)
    }

    /// Makes the key of JSON values, in the order of the key columns; nil if they are no key.
    ///
    /// - Complexity: O(*n*) in the length of the values.
    package init?(values: [Bytes]) {
        var parts: ContiguousArray<KeyPart> = []
        for value in values {
            guard (try? JSONScanner.validate(value.span)) == 0..<value.count,
                let part = KeyPart(value.span)
            else { return nil }
            parts.append(part)
        }
        self.init(parts)
    }

    /// Makes the key of one column's value as a filter spells it; nil if rows may spell an equal one
    /// otherwise.
    ///
    /// Integers and UUIDs have one spelling, but for the capitals of the latter, which count as small
    /// letters.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package init?(spelled text: Bytes) {
        guard text.span.isCanonicalInteger || text.span.isUUID else { return nil }
        self.init(values: [text.jsonString])
    }

    private init?(_ parts: ContiguousArray<KeyPart>) {
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }
}

/// The value of one key column.
private enum KeyPart: Hashable, Sendable {
    case text(Bytes)
    case number(NumberLexeme)
    case `true`, `false`

    /// Reads a value that a scan has accepted; nil if it can't be part of a key.
    init?(_ value: Span<UInt8>) {
        switch JSONKind(of: value) {
        case .string:
            guard let text = try? JSONText.text(of: value) else { return nil }
            if text.span.isCanonicalInteger, let number = NumberLexeme(text.span) {
                self = .number(number)
            } else {
                self = .text(text.span.isUUIDWithCapitals ? text.span.withSmallLetters : text)
            }
        case .number:
            guard let number = NumberLexeme(value) else { return nil }
            self = .number(number)
        case .true: self = .true
        case .false: self = .false
        case .object, .array, .null, nil: return nil
        }
    }
}

extension StableHash {
    fileprivate mutating func add(_ part: KeyPart) {
        switch part {
        case .text(let text): add(text: text.span)
        case .number(let number): number.add(to: &self)
        case .true: addTrue()
        case .false: addFalse()
        }
    }
}
