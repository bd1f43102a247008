/// Reads the text of JSON strings, and compares texts by their UTF-8 bytes.
///
/// Bytes, not characters: `é` in one code point and `é` in two are different texts, as they are for
/// PostgreSQL. Every function expects the slice of a string value, with its quotes, that a scan has
/// accepted; for other bytes it may answer or throw anything, but it doesn't crash. Offsets in
/// errors count from the start of the slice.
package enum JSONText {
    /// The text of a string.
    ///
    /// - Throws: ``JSONError/loneSurrogate(offset:)`` if an escape stands for no character.
    /// - Complexity: O(*n*).
    package static func text(of value: Span<UInt8>) throws(JSONError) -> Bytes {
        try unescaped(content(of: value), of: value)
    }

    /// The text of a string, as Swift's type.
    ///
    /// - Throws: ``JSONError/loneSurrogate(offset:)`` if an escape stands for no character.
    /// - Complexity: O(*n*).
    package static func string(of value: Span<UInt8>) throws(JSONError) -> String {
        if let content = plainContent(of: value) { return value.extracting(content).makeString() }
        // Named, as the compiler (6.3.1) breaks on the span of an unnamed result.
        let text = try text(of: value)
        return text.span.makeString()
    }

    /// Whether a string has a certain text, however it is spelled; one without a text has none.
    ///
    /// - Complexity: O(*n*), without an allocation if the string has no escapes.
    package static func isText(_ text: Span<UInt8>, of value: Span<UInt8>) -> Bool {
        guard let content = try? content(of: value) else { return false }
        return isText(text, of: content, in: value, isEscaped: isEscaped(content, in: value))
    }

    /// Whether the bytes between two quotes spell a certain text.
    static func isText(
        _ text: Span<UInt8>, of content: Range<Int>, in bytes: Span<UInt8>, isEscaped: Bool
    ) -> Bool {
        guard isEscaped else { return bytes.extracting(content).equals(text) }
        // An escape is longer than what it stands for.
        guard content.count > text.count else { return false }
        guard let unescaped = try? unescaped(content, of: bytes) else { return false }
        return unescaped.span.equals(text)
    }

    /// Where the text of a string stands, if it stands there as it is.
    static func plainContent(of value: Span<UInt8>) -> Range<Int>? {
        guard let content = try? content(of: value), !isEscaped(content, in: value) else {
            return nil
        }
        return content
    }

    private static func unescaped(
        _ content: Range<Int>, of bytes: Span<UInt8>
    ) throws(JSONError) -> Bytes {
        var text = Bytes()
        try append(unescaping: content, of: bytes, to: &text)
        return text
    }

    /// Where the bytes between the quotes of a string are.
    private static func content(of value: Span<UInt8>) throws(JSONError) -> Range<Int> {
        guard value.count >= 2 else { throw .unexpectedEnd(offset: value.count) }
        guard value[0] == .quote else { throw .unexpectedByte(offset: 0) }
        guard value[value.count - 1] == .quote else { throw .unexpectedEnd(offset: value.count) }
        return 1..<value.count - 1
    }

    private static func isEscaped(_ content: Range<Int>, in value: Span<UInt8>) -> Bool {
        value.contains(.backslash, in: content)
    }
}
