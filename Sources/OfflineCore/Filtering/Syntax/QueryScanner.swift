/// Reads the pieces that PostgREST's grammars share from the left: names, quoted text, JSON paths.
///
/// By Unicode scalars, as PostgREST reads. A function that doesn't find its piece returns nil and may
/// have moved; ``attempt(_:)`` moves back.
struct QueryScanner {
    private let scalars: [Unicode.Scalar]
    private(set) var position = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    var isAtEnd: Bool { position == scalars.count }

    /// The scalar that comes next; nil at the end.
    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    /// Moves over one scalar, if it is this one.
    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    /// Moves over a word, if it stands here.
    mutating func skip(word: String) -> Bool {
        let end = position + word.unicodeScalars.count
        guard end <= scalars.count, scalars[position..<end].elementsEqual(word.unicodeScalars)
        else { return false }
        position = end
        return true
    }

    /// Moves over a keyword in any case of its letters.
    mutating func skip(keyword: String) -> Bool {
        let end = position + keyword.unicodeScalars.count
        guard end <= scalars.count,
            text(of: position..<end).lowercasedASCII == keyword
        else { return false }
        position = end
        return true
    }

    mutating func skipBlanks() {
        while let next, next.properties.isWhitespace { position += 1 }
    }

    /// All scalars up to one that doesn't fit.
    mutating func take(while isTaken: (Unicode.Scalar) -> Bool) -> String {
        let start = position
        while let next, isTaken(next) { position += 1 }
        return text(of: start..<position)
    }

    /// What is left.
    mutating func rest() -> String { take { _ in true } }

    /// Reads a piece, or stays where it was.
    mutating func attempt<Piece>(_ read: (inout QueryScanner) -> Piece?) -> Piece? {
        let start = position
        if let piece = read(&self) { return piece }
        position = start
        return nil
    }

    private func text(of range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return String(text)
    }
}

// MARK: Names and paths

extension QueryScanner {
    /// Text in double quotes, in which a backslash keeps what follows it.
    mutating func quotedText() -> String? {
        guard skip("\"") else { return nil }
        var text = String.UnicodeScalarView()
        while let scalar = next, scalar != "\"" {
            position += 1
            if scalar != "\\" {
                text.append(scalar)
            } else if let kept = next {
                position += 1
                text.append(kept)
            }
        }
        return skip("\"") ? String(text) : nil
    }

    /// The name of a column, a table or an alias.
    mutating func name() -> String? {
        next == "\"" ? quotedText() : dashed { $0.isInName }
    }

    /// A column with the path behind it.
    mutating func field() -> FieldPath? {
        guard let column = name() else { return nil }
        var field = FieldPath(column: column)
        while let arrow = arrow() {
            // Nothing can be taken out of text.
            guard !field.isText, let step = step() else { return nil }
            field.steps.append(step)
            field.isText = arrow == .text
        }
        return field
    }

    private enum Arrow { case json, text }

    private mutating func arrow() -> Arrow? {
        if skip(word: "->>") { return .text }
        return skip(word: "->") ? .json : nil
    }

    private mutating func step() -> FieldPath.Step? {
        if let index = attempt({ $0.index() }) { return .index(index) }
        let key = next == "\"" ? quotedText() : dashed { !"(-:.,>)".unicodeScalars.contains($0) }
        return key.map { .key(Bytes($0.utf8)) }
    }

    private mutating func index() -> Int? {
        let isNegative = skip("-")
        let digits = take { "0"..."9" ~= $0 }
        let isFollowed =
            isAtEnd || next == "." || next == "," || lookingAt("->") || lookingAt("::")
        guard isFollowed, let index = Int(digits) else { return nil }
        return isNegative ? -index : index
    }

    private func lookingAt(_ word: String) -> Bool {
        var copy = self
        return copy.skip(word: word)
    }

    /// Pieces joined by dashes that are no arrows, each without the blanks around it.
    private mutating func dashed(_ isInPiece: (Unicode.Scalar) -> Bool) -> String? {
        var pieces: [String] = []
        repeat {
            let piece = take(while: isInPiece)
            guard !piece.isEmpty else { return nil }
            pieces.append(piece.trimmingBlanks)
        } while skipDash()
        return pieces.joined(separator: "-")
    }

    private mutating func skipDash() -> Bool { !lookingAt("->") && skip("-") }
}

extension Unicode.Scalar {
    /// Whether an unquoted name may contain this.
    fileprivate var isInName: Bool {
        switch self {
        case "0"..."9", "_", " ", "$": true
        default:
            switch properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter:
                true
            default: false
            }
        }
    }
}

extension String {
    /// This text without blanks at its ends.
    var trimmingBlanks: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
