/// What the rows of a list show of the types of its columns.
///
/// One value rarely tells its type, many often do: a column that shows an object here and a number
/// there holds JSON, and one that shows numbers and `"NaN"` holds numbers. What is seen is only added
/// to, so rows can be looked at one after the other.
///
/// Only rows as the server sent them are evidence: an app may well write a number as a string.
package struct ColumnEvidence: Hashable, Sendable {
    /// The kinds of values that a column shows.
    struct Kinds: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let number = Kinds(rawValue: 1)
        /// `"NaN"` and the infinities, which are numbers in disguise.
        static let numberWord = Kinds(rawValue: 2)
        static let string = Kinds(rawValue: 4)
        static let boolean = Kinds(rawValue: 8)
        static let array = Kinds(rawValue: 16)
        static let object = Kinds(rawValue: 32)
        /// An array that no array of PostgreSQL looks like.
        static let mixedArray = Kinds(rawValue: 64)
    }

    private var kinds: [Bytes: Kinds] = [:]

    package init() {}

    /// Looks at a row; one that can't be read shows nothing.
    ///
    /// - Complexity: O(*n*) in the length of the row.
    package mutating func add(row: Span<UInt8>) {
        var members = RowMembers()
        guard (try? members.read(row)) != nil else { return }
        for member in members.members {
            let value = row.extracting(member.value)
            guard let seen = Kinds(of: value), let name = member.nameText(in: row) else { continue }
            kinds[name, default: []].formUnion(seen)
        }
    }

    /// The type that a member's values show: text among numbers, JSON, or nothing.
    func type(of member: String) -> ValueType {
        kinds[Bytes(member.utf8)]?.type ?? .untold
    }

    /// Whether a member shows arrays, which may be PostgreSQL's or JSON.
    func showsArrays(_ member: String) -> Bool {
        kinds[Bytes(member.utf8)]?.contains(.array) ?? false
    }
}

extension ColumnEvidence.Kinds {
    /// What a value shows; nil for null.
    init?(of value: Span<UInt8>) {
        switch JSONKind(of: value) {
        case .number: self = .number
        case .true, .false: self = .boolean
        case .object: self = .object
        case .string: self = PostgresNumber(word: value) == nil ? .string : .numberWord
        case .array: self = Self.isUniform(value) ? .array : [.array, .mixedArray]
        case .null, nil: return nil
        }
    }

    /// Whether the elements of an array are scalars of one kind, or such arrays.
    private static func isUniform(_ array: Span<UInt8>) -> Bool {
        guard let elements = JSONElements.ranges(of: array) else { return false }
        var kinds: Self = []
        for element in elements {
            if let seen = Self(of: array.extracting(element)) { kinds.formUnion(seen) }
        }
        return !kinds.contains(.object) && kinds.type != .document
    }

    var type: ValueType {
        let shapes: [Self] = [[.number], [.string], [.boolean], [.array]]
        let count = shapes.count { !isDisjoint(with: $0) }
        if contains(.object) || contains(.mixedArray) || count > 1 { return .document }
        // Words for numbers beside numbers are numbers; beside other text they are text.
        if contains(.number) { return .number }
        let isMixed = contains(.numberWord) && (contains(.boolean) || contains(.array))
        return isMixed ? .document : .untold
    }
}
