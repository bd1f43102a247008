/// One member of a row: where its name and its value stand in the bytes.
package struct RowMember: Hashable, Sendable {
    /// What is between the quotes of the name.
    package let name: Range<Int>
    /// Whether the name contains escapes; if not, its bytes are its text.
    package let isNameEscaped: Bool
    /// The value as it is written, without blanks around it.
    package let value: Range<Int>

    /// Whether the name is this one, however it is spelled.
    package func isNamed(_ text: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        JSONText.isText(text, of: name, in: bytes, isEscaped: isNameEscaped)
    }

    /// The name as text in UTF-8; nil if an escape in it stands for no character.
    package func nameText(in bytes: Span<UInt8>) -> Bytes? {
        try? JSONText.text(of: bytes.extracting(name.lowerBound - 1..<name.upperBound + 1))
    }
}

extension JSONScanner {
    /// Moves over an object, which starts at the position, and reports its members in their order.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - depth: How many containers are open around the object.
    ///   - body: Is called once a member has been read to its end.
    /// - Throws: ``JSONError`` if no whole object stands there.
    /// - Complexity: O(*n*) in the length of the object.
    @inline(__always)
    mutating func skipObject(
        in bytes: Span<UInt8>, depth: Int, _ body: (RowMember) -> Void
    ) throws(JSONError) {
        guard byte(in: bytes) == .openingBrace else { throw unexpected(in: bytes) }
        guard depth < Self.deepestNesting else { throw .tooDeep(offset: position) }
        position += 1
        skipWhitespace(in: bytes)
        if byte(in: bytes) == .closingBrace {
            position += 1
            return
        }
        while true {
            body(try skipMember(in: bytes, depth: depth + 1))
            skipWhitespace(in: bytes)
            guard byte(in: bytes) == .comma else { break }
            position += 1
            skipWhitespace(in: bytes)
        }
        guard byte(in: bytes) == .closingBrace else { throw unexpected(in: bytes) }
        position += 1
    }

    @inline(__always)
    private mutating func skipMember(
        in bytes: Span<UInt8>, depth: Int
    ) throws(JSONError) -> RowMember {
        guard byte(in: bytes) == .quote else { throw unexpected(in: bytes) }
        let nameStart = position + 1
        let isNameEscaped = try skipString(in: bytes)
        let name = nameStart..<position - 1
        try skipColon(in: bytes)
        let valueStart = position
        try skipValue(in: bytes, depth: depth)
        return RowMember(name: name, isNameEscaped: isNameEscaped, value: valueStart..<position)
    }
}
