/// A number as PostgreSQL orders them: NaN is equal to itself and above everything.
enum PostgresNumber: Hashable, Sendable {
    case negativeInfinity
    case finite(NumberLexeme)
    case infinity
    case nan

    /// Reads what `numeric` and the floats take, without blanks around it.
    ///
    /// - Complexity: O(*n*).
    init?(literal text: Bytes) {
        if let lexeme = NumberLexeme(decimal: text) {
            self = .finite(lexeme)
        } else if let word = Self(word: text) {
            self = word
        } else {
            return nil
        }
    }

    /// Reads a number of JSON.
    init?(json: Span<UInt8>) {
        guard let lexeme = NumberLexeme(json) else { return nil }
        self = .finite(lexeme)
    }

    /// Reads the JSON string with which PostgREST writes what is no number in JSON.
    init?(word json: Span<UInt8>) {
        guard let content = JSONText.plainContent(of: json), content.count <= 9 else { return nil }
        let text = Bytes(copying: json.extracting(content))
        // Only as PostgreSQL writes it: other spellings are somebody's text.
        let words = ["NaN", "Infinity", "-Infinity"].map { Bytes($0.utf8) }
        guard words.contains(text), let word = Self(word: text) else { return nil }
        self = word
    }

    private init?(word: Bytes) {
        switch String(decoding: word.lowercasedASCII, as: UTF8.self) {
        case "nan": self = .nan
        case "infinity", "inf", "+infinity", "+inf": self = .infinity
        case "-infinity", "-inf": self = .negativeInfinity
        default: return nil
        }
    }
}

extension PostgresNumber: Comparable {
    static func < (lhs: PostgresNumber, rhs: PostgresNumber) -> Bool {
        if case .finite(let lhs) = lhs, case .finite(let rhs) = rhs { return lhs < rhs }
        return lhs.rank < rhs.rank
    }

    private var rank: Int {
        switch self {
        case .negativeInfinity: 0
        case .finite: 1
        case .infinity: 2
        case .nan: 3
        }
    }
}

extension NumberLexeme {
    /// Reads a decimal number in PostgreSQL's freer spelling: `+1`, `007`, `.5`, `5.`.
    init?(decimal text: Bytes) {
        var json = Bytes()
        var index = 0
        if let sign = text.first, sign == .plus || sign == .minus {
            if sign == .minus { json.append(.minus) }
            index = 1
        }
        let whole = text.digits(from: index)
        index = whole.upperBound
        let significant = text[whole].drop { $0 == .zero }
        json.append(contentsOf: significant.isEmpty ? [.zero] : Bytes(significant))
        var hasDigits = !whole.isEmpty
        if index < text.count, text[index] == .point {
            let fraction = text.digits(from: index + 1)
            if !fraction.isEmpty { json.append(contentsOf: text[index..<fraction.upperBound]) }
            hasDigits = hasDigits || !fraction.isEmpty
            index = fraction.upperBound
        }
        guard hasDigits else { return nil }
        json.append(contentsOf: text[index...])
        self.init(json.span)
    }
}

extension Bytes {
    /// The digits that stand at a place.
    fileprivate func digits(from start: Int) -> Range<Int> {
        var end = start
        while end < count, self[end].isDigit { end += 1 }
        return start..<Swift.max(start, end)
    }
}
