/// An array as PostgreSQL writes it: `{1,"a b",NULL}`, `{{1,2},{3,4}}`.
///
/// Strictly what PostgreSQL takes without bounds in front; anything else is none.
struct ArrayLiteral: Hashable, Sendable {
    /// The elements of all dimensions in order; nil is SQL's null.
    private(set) var elements: [Bytes?] = []
    /// The length of each dimension; empty for an array without elements.
    private(set) var dimensions: [Int] = []

    /// PostgreSQL knows six dimensions.
    static let mostDimensions = 6

    /// - Complexity: O(*n*).
    init?(parsing text: Bytes) {
        var reader = Reader(text: text)
        reader.skipBlanks()
        guard let dimensions = reader.array(into: &elements, depth: 1) else { return nil }
        reader.skipBlanks()
        guard reader.isAtEnd else { return nil }
        self.dimensions = elements.isEmpty ? [] : dimensions
    }
}

private struct Reader {
    let text: Bytes
    var position = 0

    var isAtEnd: Bool { position == text.count }
    var next: UInt8 { position < text.count ? text[position] : 0 }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < text.count, text[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func skipBlanks() { while !isAtEnd, next.isSQLBlank { position += 1 } }

    /// Reads an array with all arrays in it, which must have the same dimensions.
    mutating func array(into elements: inout [Bytes?], depth: Int) -> [Int]? {
        guard depth <= ArrayLiteral.mostDimensions, skip(.openingBrace) else { return nil }
        skipBlanks()
        if skip(.closingBrace) { return depth == 1 ? [0] : nil }
        var count = 0
        var inner: [Int]?
        repeat {
            skipBlanks()
            if next == .openingBrace {
                guard let dimensions = array(into: &elements, depth: depth + 1),
                    count == 0 || inner == dimensions
                else { return nil }
                inner = dimensions
            } else {
                guard inner == nil, let element = element() else { return nil }
                elements.append(element.text)
            }
            count += 1
            skipBlanks()
        } while skip(.comma)
        return skip(.closingBrace) ? [count] + (inner ?? []) : nil
    }

    /// One element; its text is nil for a null.
    private mutating func element() -> (text: Bytes?, Void)? {
        next == .quote ? quoted() : bare()
    }

    private mutating func quoted() -> (text: Bytes?, Void)? {
        var text = Bytes()
        position += 1
        while !isAtEnd, next != .quote {
            if next == .backslash { position += 1 }
            guard !isAtEnd else { return nil }
            text.append(next)
            position += 1
        }
        return skip(.quote) ? (text, ()) : nil
    }

    private mutating func bare() -> (text: Bytes?, Void)? {
        var text = Bytes()
        var end = 0
        var isEscaped = false
        while !isAtEnd, next != .comma, next != .closingBrace {
            if next == .quote || next == .openingBrace { return nil }
            if next == .backslash {
                position += 1
                guard !isAtEnd else { return nil }
                isEscaped = true
                text.append(next)
                end = text.count
            } else {
                text.append(next)
                if !next.isSQLBlank { end = text.count }
            }
            position += 1
        }
        text.removeLast(text.count - end)
        guard !text.isEmpty else { return nil }
        let isNull = !isEscaped && text.lowercasedASCII == Bytes("null".utf8)
        return (isNull ? nil : text, ())
    }
}

extension UInt8 {
    /// Whether PostgreSQL skips this around a value.
    var isSQLBlank: Bool { self == 0x20 || 0x09...0x0D ~= self }
}

extension Bytes {
    /// These bytes with small letters for the capital ones of ASCII.
    var lowercasedASCII: Bytes { Bytes(map(\.lowercasedASCII)) }

    /// These bytes without the blanks at their ends.
    var trimmingSQLBlanks: Bytes {
        guard let first = firstIndex(where: { !$0.isSQLBlank }),
            let last = lastIndex(where: { !$0.isSQLBlank })
        else { return [] }
        return Bytes(self[first...last])
    }
}
