/// The parts of a regular expression.
indirect enum RegularExpressionTree {
    case characters(CharacterSet)
    case atStart, atEnd
    case sequence([RegularExpressionTree])
    case choice([RegularExpressionTree])
    /// Without a last count, without an end.
    case repetition(RegularExpressionTree, from: Int, to: Int?)
}

/// Reads the common part of PostgreSQL's advanced regular expressions; nil for all else.
struct RegularExpressionParser {
    private static let deepestNesting = 50
    /// What PostgreSQL allows in braces.
    private static let mostRepetitions = 255

    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

    mutating func parse() -> RegularExpressionTree? {
        // A director changes the language of all that follows.
        guard !scalars.starts(with: "***".unicodeScalars) else { return nil }
        guard let tree = choice(depth: 0), position == scalars.count else { return nil }
        return tree
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func choice(depth: Int) -> RegularExpressionTree? {
        guard depth <= Self.deepestNesting else { return nil }
        var branches: [RegularExpressionTree] = []
        repeat {
            guard let branch = sequence(depth: depth) else { return nil }
            branches.append(branch)
        } while skip("|")
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence(depth: Int) -> RegularExpressionTree? {
        var parts: [RegularExpressionTree] = []
        while let next, next != "|", next != ")" {
            guard let atom = atom(depth: depth), let part = quantified(atom) else { return nil }
            parts.append(part)
        }
        // An empty branch is more often a mistake than meant.
        return parts.isEmpty && (depth > 0 || next == "|" || position > 0) ? nil : .sequence(parts)
    }

    private mutating func atom(depth: Int) -> RegularExpressionTree? {
        guard let scalar = next else { return nil }
        position += 1
        switch scalar {
        case "^": return .atStart
        case "$": return .atEnd
        case ".": return .characters(.any)
        case "[": return bracket().map { .characters($0) }
        case "(":
            if skip("?"), !skip(":") { return nil }
            guard let group = choice(depth: depth + 1), skip(")") else { return nil }
            return group
        case "\\": return escape().map { .characters(CharacterSet(members: [$0])) }
        case "*", "+", "?", "{": return nil
        default: return .characters(CharacterSet(scalar))
        }
    }

    private mutating func escape() -> CharacterSet.Member? {
        guard let scalar = next else { return nil }
        position += 1
        switch scalar {
        case "d": return .named(.digit)
        case "w": return .named(.word)
        case "s": return .named(.space)
        case "D": return .notNamed(.digit)
        case "W": return .notNamed(.word)
        case "S": return .notNamed(.space)
        case "0"..."9", "a"..."z", "A"..."Z": return nil
        default: return scalar.isASCII ? .range(scalar...scalar) : nil
        }
    }

    private mutating func quantified(_ atom: RegularExpressionTree) -> RegularExpressionTree? {
        let bounds: (Int, Int?)
        switch next {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            position += 1
            guard let read = self.bounds() else { return nil }
            bounds = read
            position -= 1
        default: return atom
        }
        position += 1
        // Whether it is greedy doesn't matter for whether it matches.
        _ = skip("?")
        switch (atom, next) {
        case (.atStart, _), (.atEnd, _), (_, "*"), (_, "+"), (_, "?"), (_, "{"): return nil
        default: return .repetition(atom, from: bounds.0, to: bounds.1)
        }
    }

    /// `m}`, `m,}` or `m,n}`.
    private mutating func bounds() -> (Int, Int?)? {
        guard let lower = count() else { return nil }
        var upper: Int? = lower
        if skip(",") {
            upper = nil
            if next != "}" {
                guard let limit = count(), limit >= lower else { return nil }
                upper = limit
            }
        }
        return skip("}") ? (lower, upper) : nil
    }

    private mutating func count() -> Int? {
        let start = position
        while let next, "0"..."9" ~= next { position += 1 }
        var digits = String.UnicodeScalarView()
        digits.append(contentsOf: scalars[start..<position])
        guard let count = Int(String(digits)), count <= Self.mostRepetitions else { return nil }
        return count
    }

    /// What is behind `[`, with the closing bracket.
    private mutating func bracket() -> CharacterSet? {
        var set = CharacterSet(members: [], isInverted: skip("^"))
        repeat {
            guard let member = bracketMember(isFirst: set.members.isEmpty) else { return nil }
            set.members.append(member)
        } while next != "]"
        return skip("]") ? set : nil
    }

    private mutating func bracketMember(isFirst: Bool) -> CharacterSet.Member? {
        guard let first = next else { return nil }
        position += 1
        if first == "[" {
            // Also `[.` and `[=`, which are collating elements.
            return skip(":") ? namedClass() : nil
        }
        if first == "\\" { return escape() }
        if first == "-", !isFirst, next != "]" { return nil }
        guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
            return .range(first...first)
        }
        position += 1
        guard let last = next, last != "[", last != "\\", last != "-", first <= last else {
            return nil
        }
        position += 1
        return .range(first...last)
    }

    private mutating func namedClass() -> CharacterSet.Member? {
        var name = String.UnicodeScalarView()
        while let next, "a"..."z" ~= next {
            name.append(next)
            position += 1
        }
        guard skip(":"), skip("]"), let known = CharacterSet.NamedClass(rawValue: String(name))
        else { return nil }
        return .named(known)
    }
}
