/// Moves over JSON text (RFC 8259) and says where it is none, without building anything.
///
/// A `Span` can't be stored on the systems we support, so the scanner is a position, and gets the
/// bytes with every call. It reads each byte once, and eight at a time where strings allow it.
///
/// It is RFC 8259 to the letter; Foundation's parsers differ in a few places:
/// - UTF-8 only, and no byte order mark (they skip one, and guess UTF-16 and UTF-32).
/// - No comma behind the last element (they accept one).
/// - Numbers are checked for their grammar and never computed: `1e400` is a number (they refuse what
///   no `Double` holds).
/// - `"\ud800"` is a string by the grammar, and PostgreSQL's `json` type lets it through, so a list
///   that contains it can be kept. It has no text: ``JSONText`` refuses it, as `JSONDecoder` does,
///   which complains only about strings that are really decoded.
/// - Containers may lie in each other 512 deep, which is Foundation's limit too.
package struct JSONScanner {
    /// How many arrays and objects may lie inside each other.
    package static let deepestNesting = 512

    /// The byte that comes next.
    package internal(set) var position: Int

    /// Starts at a byte.
    package init(at position: Int = 0) { self.position = position }

    /// Checks that bytes are one JSON value with nothing but blanks around it.
    ///
    /// - Returns: The range of the value itself.
    /// - Complexity: O(*n*).
    @discardableResult
    package static func validate(_ bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
        var scanner = JSONScanner()
        scanner.skipWhitespace(in: bytes)
        let start = scanner.position
        try scanner.skipValue(in: bytes)
        let end = scanner.position
        try scanner.expectEnd(in: bytes)
        return start..<end
    }

    /// Moves over one value, which starts at the position.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - depth: How many containers are open around the value.
    /// - Throws: ``JSONError`` if no whole value stands there.
    /// - Complexity: O(*n*) in the length of the value.
    package mutating func skipValue(
        in bytes: Span<UInt8>, depth: Int = 0
    ) throws(JSONError) {
        switch byte(in: bytes) {
        case .quote: _ = try skipString(in: bytes)
        case .openingBrace, .openingBracket: try skipContainer(in: bytes, depth: depth)
        default: try skipNumberOrLiteral(in: bytes)
        }
    }

    /// Moves over blanks, tabs and line ends.
    @inline(__always)
    package mutating func skipWhitespace(in bytes: Span<UInt8>) {
        while true {
            switch byte(in: bytes) {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// Moves over the blanks behind a document.
    ///
    /// - Throws: ``JSONError/trailingBytes(offset:)`` if something else is there.
    package mutating func expectEnd(in bytes: Span<UInt8>) throws(JSONError) {
        skipWhitespace(in: bytes)
        guard position == bytes.count else { throw .trailingBytes(offset: position) }
    }

    /// The byte at the position, or 0 behind the end, which no token starts with.
    @inline(__always)
    func byte(in bytes: Span<UInt8>) -> UInt8 {
        bytes.byteOrZero(at: position)
    }

    /// What is wrong at the position, if nothing there fits.
    func unexpected(in bytes: Span<UInt8>) -> JSONError {
        position < bytes.count
            ? .unexpectedByte(offset: position) : .unexpectedEnd(offset: position)
    }

    /// Moves over a container with all it contains; a loop, so depth costs no stack.
    private mutating func skipContainer(
        in bytes: Span<UInt8>, depth: Int
    ) throws(JSONError) {
        var open = OpenContainers()
        repeat {
            let first = byte(in: bytes)
            if first == .openingBrace || first == .openingBracket {
                guard depth + open.count < Self.deepestNesting else {
                    throw .tooDeep(offset: position)
                }
                open.open(isObject: first == .openingBrace)
                position += 1
                skipWhitespace(in: bytes)
                if !closes(open, in: bytes) {
                    if open.isObject { try skipName(in: bytes) }
                    continue
                }
                position += 1
                open.close()
            } else if first == .quote {
                _ = try skipString(in: bytes)
            } else {
                try skipNumberOrLiteral(in: bytes)
            }
            try skipEnds(of: &open, in: bytes)
        } while !open.isEmpty
    }

    /// Moves from behind a value to the next one, over the ends of all containers that end there.
    @inline(__always)
    private mutating func skipEnds(
        of open: inout OpenContainers, in bytes: Span<UInt8>
    ) throws(JSONError) {
        while !open.isEmpty {
            skipWhitespace(in: bytes)
            if byte(in: bytes) == .comma {
                position += 1
                skipWhitespace(in: bytes)
                if open.isObject { try skipName(in: bytes) }
                return
            }
            guard closes(open, in: bytes) else { throw unexpected(in: bytes) }
            position += 1
            open.close()
        }
    }

    /// Whether the byte at the position ends the innermost container.
    @inline(__always)
    private func closes(_ open: OpenContainers, in bytes: Span<UInt8>) -> Bool {
        byte(in: bytes) == (open.isObject ? .closingBrace : .closingBracket)
    }

    /// Moves over a member's name and colon, to its value.
    private mutating func skipName(in bytes: Span<UInt8>) throws(JSONError) {
        guard byte(in: bytes) == .quote else { throw unexpected(in: bytes) }
        _ = try skipString(in: bytes)
        try skipColon(in: bytes)
    }

    /// Moves over the colon behind a name, to the value.
    @inline(__always)
    mutating func skipColon(in bytes: Span<UInt8>) throws(JSONError) {
        skipWhitespace(in: bytes)
        guard byte(in: bytes) == .colon else { throw unexpected(in: bytes) }
        position += 1
        skipWhitespace(in: bytes)
    }
}
