/// The members of an object, found by their names.
///
/// Rows of a list mostly have the same columns in the same order, and a type asks for them in the same
/// order each time. So the answer to the *n*-th question about the last object is tried first, and
/// holds as long as the names stay what they were. Any other answer comes from a search from the
/// front, or from an index if there are many members.
///
/// Names are equal as Swift's strings are, and the first of equal ones counts, as for `JSONDecoder`.
struct ObjectMembers {
    /// From how many members on an index is worth its dictionary.
    private static let leastForIndex = 24
    /// How many answers are remembered.
    private static let mostAnswers = 256

    private var current = RowMembers()
    private var last = RowMembers()
    /// Whether all names are ASCII and without escapes; then their bytes tell them apart.
    private var isPlain = true
    /// The numbers of the members that were found, question by question; -1 for none.
    private var answers: ContiguousArray<Int> = []
    private var countAsked = 0
    private var index: [String: Int]?

    /// Finds the members of the object that starts at a byte.
    ///
    /// - Returns: The offset behind the object.
    mutating func read(
        _ bytes: Span<UInt8>, at start: Int, depth: Int
    ) throws(JSONError) -> Int {
        swap(&current, &last)
        countAsked = 0
        do throws(JSONError) {
            let end = try current.read(bytes, at: start, depth: depth)
            if !current.hasSameNames(as: last, in: bytes) { forget(in: bytes) }
            return end
        } catch {
            current = RowMembers()
            forget(in: bytes)
            throw error
        }
    }

    /// Reads names that are spelled with escapes or beyond ASCII.
    ///
    /// - Throws: ``JSONError/loneSurrogate(offset:)`` if one of them has no text.
    mutating func checkNames(in bytes: Span<UInt8>) throws(JSONError) {
        if !isPlain { _ = try makeIndex(in: bytes) }
    }

    /// The value of the first member with a name.
    @inline(__always)
    mutating func value(named name: String, in bytes: Span<UInt8>) -> Range<Int>? {
        guard let number = number(named: name, in: bytes) else { return nil }
        return current.members[number].value
    }

    /// The different names in the order of the object.
    mutating func names(in bytes: Span<UInt8>) -> [String] {
        guard let index = try? makeIndex(in: bytes) else { return [] }
        return index.sorted { $0.value < $1.value }.map(\.key)
    }

    @inline(__always)
    private mutating func number(named name: String, in bytes: Span<UInt8>) -> Int? {
        let question = countAsked
        countAsked += 1
        guard isPlain else { return indexed(name, in: bytes) }
        if question < answers.count, answers[question] >= 0 {
            let number = answers[question]
            let place = current.members[number].name
            if name.withUTF8Span({ $0.equals(bytes, from: place.lowerBound, to: place.upperBound) })
            {
                return number
            }
        }
        return search(name, question, in: bytes)
    }

    private mutating func search(
        _ name: String, _ question: Int, in bytes: Span<UInt8>
    ) -> Int? {
        // Some characters outside of ASCII equal one inside, such as the Kelvin sign.
        let usesIndex = current.members.count >= Self.leastForIndex || !name.isASCII
        let number: Int? =
            usesIndex
            ? indexed(name, in: bytes)
            : name.withUTF8Span { name in
                current.members.firstIndex { member in
                    name.equals(bytes, from: member.name.lowerBound, to: member.name.upperBound)
                }
            }
        if question < answers.count {
            answers[question] = number ?? -1
        } else if question == answers.count, question < Self.mostAnswers {
            answers.append(number ?? -1)
        }
        return number
    }

    private mutating func indexed(_ name: String, in bytes: Span<UInt8>) -> Int? {
        guard let index = try? makeIndex(in: bytes) else { return nil }
        return index[name]
    }

    private mutating func makeIndex(in bytes: Span<UInt8>) throws(JSONError) -> [String: Int] {
        if let index { return index }
        var index: [String: Int] = [:]
        for (number, member) in current.members.enumerated() {
            let quoted = bytes.extracting(member.name.lowerBound - 1..<member.name.upperBound + 1)
            let name = try JSONText.string(of: quoted)
            if index[name] == nil { index[name] = number }
        }
        self.index = index
        return index
    }

    /// Starts anew, as the names are others.
    private mutating func forget(in bytes: Span<UInt8>) {
        answers.removeAll(keepingCapacity: true)
        index = nil
        isPlain = current.members.allSatisfy { member in
            !member.isNameEscaped && member.name.allSatisfy { bytes[$0] < 0x80 }
        }
    }
}

extension RowMembers {
    /// Whether the names are the same byte for byte, in the same order.
    fileprivate func hasSameNames(as other: RowMembers, in bytes: Span<UInt8>) -> Bool {
        guard members.count == other.members.count else { return false }
        for number in members.indices {
            let (name, before) = (members[number].name, other.members[number].name)
            guard bytes.hasSameBytes(in: name, as: before) else { return false }
        }
        return true
    }
}
