/// The key of a row: the values of its key columns, however they are written.
///
/// Strings count by their text and numbers by their value, with all digits; `1` and `"1"` differ.
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

    /// The key as PostgreSQL writes it if its texts that look like UUIDs are some; nil if that is the
    /// same key.
    ///
    /// Swift writes a `UUID` in capitals, and PostgreSQL in small letters.
    package var withSmallUUIDs: RowKey? {
        let small = RowKey(ContiguousArray(parts.map(\.withSmallUUID)))
        return small == self ? nil : small
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

    /// The same, in small letters if it is a text that looks like a UUID.
    var withSmallUUID: KeyPart {
        guard case .text(let text) = self, text.hasFormOfUUID else { return self }
        return .text(Bytes(text.map { 0x41...0x46 ~= $0 ? $0 | 0x20 : $0 }))
    }

    /// Reads a value that a scan has accepted; nil if it can't be part of a key.
    init?(_ value: Span<UInt8>) {
        switch JSONKind(of: value) {
        case .string:
            guard let text = try? JSONText.text(of: value) else { return nil }
            self = .text(text)
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

extension Bytes {
    /// Whether the text is 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
    fileprivate var hasFormOfUUID: Bool {
        guard count == 36 else { return false }
        return indices.allSatisfy { index in
            switch index {
            case 8, 13, 18, 23: self[index] == UInt8(ascii: "-")
            default:
                switch self[index] {
                case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
                default: false
                }
            }
        }
    }
}
