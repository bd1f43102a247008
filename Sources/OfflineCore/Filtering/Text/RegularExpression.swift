/// A regular expression of PostgreSQL, out of the part of its language that means the same everywhere.
///
/// Literals, `.`, classes, groups, `|`, the quantifiers, `^` and `$`, and escapes of punctuation and of
/// `\d`, `\w`, `\s`. Everything else (back references, lookaround, directors, collating elements) is none
/// here. It is compiled into steps that all paths through the text take together, so that no pattern
/// takes exponential time.
struct RegularExpression: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case take(CharacterSet)
        /// Goes on at both.
        case split(Int, Int)
        case jump(Int)
        case atStart, atEnd
        case accept
    }

    /// More steps than anybody writes; repetitions are written out.
    static let mostSteps = 2000

    private let steps: [Step]

    /// Compiles a pattern; nil for one outside of the common part, or that PostgreSQL refuses.
    ///
    /// - Complexity: O(*n*) in the pattern with its repetitions written out.
    init?(_ pattern: Bytes) {
        var parser = RegularExpressionParser(String(decoding: pattern, as: UTF8.self))
        guard let tree = parser.parse() else { return nil }
        var compiler = RegularExpressionCompiler()
        guard compiler.add(tree) else { return nil }
        steps = compiler.steps + [.accept]
    }

    /// Whether some part of a text matches.
    ///
    /// What a class says of a character can hang on the locale; then both answers are tried.
    ///
    /// - Complexity: O(*n* · *m*).
    func matches(_ text: [Unicode.Scalar], ignoringCase: Bool) -> Truth {
        if run(text, ignoringCase, where: { $0 == .true }) { return .true }
        return run(text, ignoringCase, where: { $0 != .false }) ? .trueOrFalse : .false
    }

    private func run(
        _ text: [Unicode.Scalar], _ ignoringCase: Bool, where isTaken: (Truth) -> Bool
    ) -> Bool {
        var current = StepSet(count: steps.count)
        var following = StepSet(count: steps.count)
        for place in 0...text.count {
            // A match may begin anywhere.
            if follow(0, at: place, of: text.count, into: &current) { return true }
            guard place < text.count else { break }
            following.removeAll()
            for step in current.members {
                guard case .take(let characters) = steps[step],
                    isTaken(characters.contains(text[place], ignoringCase: ignoringCase))
                else { continue }
                if follow(step + 1, at: place + 1, of: text.count, into: &following) { return true }
            }
            swap(&current, &following)
        }
        return false
    }

    /// Adds a step with all that are reached from it without a character; true if the end is.
    private func follow(
        _ start: Int, at place: Int, of count: Int, into set: inout StepSet
    ) -> Bool {
        var open = [start]
        while let step = open.popLast() {
            guard set.insert(step) else { continue }
            switch steps[step] {
            case .accept: return true
            case .jump(let next): open.append(next)
            case .split(let one, let other): open += [other, one]
            case .atStart: if place == 0 { open.append(step + 1) }
            case .atEnd: if place == count { open.append(step + 1) }
            case .take: continue
            }
        }
        return false
    }
}

/// Steps that are reached, in order and each once.
private struct StepSet {
    private(set) var members: [Int] = []
    private var isMember: [Bool]

    init(count: Int) { isMember = Array(repeating: false, count: count) }

    mutating func insert(_ step: Int) -> Bool {
        guard !isMember[step] else { return false }
        isMember[step] = true
        members.append(step)
        return true
    }

    mutating func removeAll() {
        for step in members { isMember[step] = false }
        members.removeAll(keepingCapacity: true)
    }
}
