/// What a write says of a row: columns by name, with their values as JSON.
///
/// The order is that of the payload. If a column is repeated, its last value counts, as for
/// PostgreSQL, which reads a payload with `json_to_record`.
package struct RowColumns: Hashable, Sendable {
    /// A column and its value.
    package struct Column: Hashable, Sendable {
        /// The name as text in UTF-8, not as JSON.
        package let name: Bytes
        /// The value as it is written.
        package var value: Bytes
    }

    package private(set) var columns: ContiguousArray<Column> = []

    /// No column.
    package init() {}

    /// Reads an object; nil if one of its names is no text.
    ///
    /// - Throws: ``JSONError`` if the bytes are not one object and nothing else.
    /// - Complexity: O(*n*) in the length of the object, and O(*m*²) in the number of columns.
    package init?(_ object: Span<UInt8>) throws(JSONError) {
        var members = RowMembers()
        let end = try members.read(object)
        guard end == object.count else { throw .unexpectedByte(offset: end) }
        for member in members.members {
            guard let name = member.nameText(in: object) else { return nil }
            set(Bytes(copying: object.extracting(member.value)), forName: name)
        }
    }

    /// The value of a column; nil if the write doesn't say.
    package func value(ofName name: Bytes) -> Bytes? {
        columns.first { $0.name == name }?.value
    }

    /// Sets columns, each in the place of an earlier value.
    package mutating func merge(_ other: RowColumns) {
        guard !columns.isEmpty else { return self = other }
        for column in other.columns { set(column.value, forName: column.name) }
    }

    /// The key of the row; nil if it has none.
    package func key(_ columns: KeyColumns) -> RowKey? {
        let values = columns.names.compactMap { value(ofName: $0) }
        return values.count == columns.names.count ? RowKey(values: values) : nil
    }

    /// These columns without those of a key.
    package func without(_ keys: KeyColumns) -> RowColumns {
        var rest = self
        rest.columns.removeAll { keys.names.contains($0.name) }
        return rest
    }

    /// Sets a column, in the place of an earlier value.
    package mutating func set(_ value: Bytes, forName name: Bytes) {
        if let index = columns.firstIndex(where: { $0.name == name }) {
            columns[index].value = value
        } else {
            columns.append(Column(name: name, value: value))
        }
    }
}

extension RowColumns {
    /// These columns as an object, those of them whose names are wanted.
    ///
    /// - Parameter isWanted: Whether a column is to be there.
    /// - Returns: The object.
    /// - Complexity: O(*n*) in the length of the columns.
    package func object(of isWanted: (Bytes) -> Bool = { _ in true }) -> Bytes {
        var object = Bytes()
        // Quotes, a colon and a comma for each, if no name needs escapes.
        object.reserveCapacity(columns.reduce(2) { $0 + $1.name.count + $1.value.count + 4 })
        object.append(.openingBrace)
        for column in columns where isWanted(column.name) {
            if object.count > 1 { object.append(.comma) }
            object.append(member: column)
        }
        object.append(.closingBrace)
        return object
    }

    /// A row with these columns in the place of its own, and everything else as it is written.
    ///
    /// A column that the row doesn't have stays away: the server was not asked for it.
    ///
    /// - Parameters:
    ///   - row: An object, with nothing around it.
    ///   - members: Room that is kept from row to row.
    /// - Returns: The row; nil if that changes none of its bytes.
    /// - Throws: ``JSONError`` if the bytes start with no object.
    /// - Complexity: O(*n* + *m* · *k*) in the length of the row, the number of its columns and the
    ///   number of these.
    package func replaced(
        in row: Span<UInt8>, _ members: inout RowMembers
    ) throws(JSONError) -> Bytes? {
        try members.read(row)
        var patched = Bytes()
        var copied = 0
        for member in members.members {
            // A repeated name stands for one column: all of them change.
            guard let column = columns.first(where: { member.isNamed($0.name.span, in: row) }),
                !row.extracting(member.value).equals(column.value.span)
            else { continue }
            if copied == 0 { patched.reserveCapacity(row.count + column.value.count) }
            patched.append(copying: row.extracting(copied..<member.value.lowerBound))
            patched.append(contentsOf: column.value)
            copied = member.value.upperBound
        }
        guard copied > 0 else { return nil }
        patched.append(copying: row.extracting(copied..<row.count))
        return patched
    }
}

extension Bytes {
    fileprivate mutating func append(member column: RowColumns.Column) {
        append(jsonText: column.name.span)
        append(.colon)
        append(contentsOf: column.value)
    }

    /// This text as a string of JSON.
    ///
    /// - Complexity: O(*n*).
    package var jsonString: Bytes {
        var json: Bytes = []
        json.append(jsonText: span)
        return json
    }

    /// Appends a text as a string of JSON.
    ///
    /// - Complexity: O(*n*).
    package mutating func append(jsonText text: Span<UInt8>) {
        append(.quote)
        for index in text.indices {
            switch text[index] {
            case .quote, .backslash:
                append(.backslash)
                append(text[index])
            case 0..<0x20:
                // RFC 8259, section 7: control characters must be escaped.
                append(contentsOf: Bytes("\\u00".utf8))
                for digit in [text[index] >> 4, text[index] & 0xF] {
                    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                }
            default: append(text[index])
            }
        }
        append(.quote)
    }
}
