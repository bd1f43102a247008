/// What the rows of a list show of the types of its columns.
///
/// One value rarely tells its type, many often do: a column that shows an object here and a number
/// there holds JSON, one that shows numbers and `"NaN"` holds numbers, and one that shows nothing but
/// UUIDs, as PostgreSQL writes them, holds UUIDs. What is seen is only added to, so rows can be looked
/// at one after the other.
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
        /// A UUID in small letters, as PostgreSQL writes it.
        static let uuid = Kinds(rawValue: 128)
        static let anyText: Kinds = [.string, .uuid]
    }

    private struct Member: Hashable, Sendable {
        let name: Bytes
        var kinds: Kinds
    }

    /// In the order of the rows, which is the same in all of a list.
    private var members: ContiguousArray<Member> = []

    package init() {}

    /// Looks at a row; one that can't be read shows nothing.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - names: The members to look at; nil for all.
    /// - Complexity: O(*n*) in the length of the row, if its members come in the order of earlier ones.
    package mutating func add(row: Span<UInt8>, only names: [Bytes]? = nil) {
        var read = RowMembers()
        guard (try? read.read(row)) != nil else { return }
        for (place, member) in read.members.enumerated() {
            if let names, !names.contains(where: { member.isNamed($0.span, in: row) }) { continue }
            guard let kinds = Kinds(of: row.extracting(member.value)) else { continue }
            if let known = index(of: member, in: row, near: place) {
                members[known].kinds.formUnion(kinds)
            } else if let name = member.nameText(in: row) {
                members.append(Member(name: name, kinds: kinds))
            }
        }
    }

    private func index(of member: RowMember, in row: Span<UInt8>, near place: Int) -> Int? {
        if place < members.count, isNamed(member, at: place, in: row) { return place }
        for index in members.indices where isNamed(member, at: index, in: row) { return index }
        return nil
    }

    private func isNamed(_ member: RowMember, at index: Int, in row: Span<UInt8>) -> Bool {
        let name = members[index].name
        return member.isNamed(name.span, in: row)
    }

    /// The type that a member's values show: numbers, UUIDs, JSON, or nothing certain.
    func type(of member: String) -> ValueType { kinds(of: member).type }

    /// Whether a member shows arrays, which may be PostgreSQL's or JSON.
    func showsArrays(_ member: String) -> Bool { kinds(of: member).contains(.array) }

    private func kinds(of member: String) -> Kinds {
        let name = Bytes(member.utf8)
        return members.first { $0.name == name }?.kinds ?? []
    }
}

extension ColumnEvidence.Kinds {
    /// What a value shows; nil for null.
    init?(of value: Span<UInt8>, depth: Int = 1) {
        switch JSONKind(of: value) {
        case .number: self = .number
        case .true, .false: self = .boolean
        case .object: self = .object
        case .string where value.isUUIDString: self = .uuid
        case .string: self = PostgresNumber(word: value) == nil ? .string : .numberWord
        case .array: self = Self.isUniform(value, depth: depth) ? .array : [.array, .mixedArray]
        case .null, nil: return nil
        }
    }

    /// Whether the elements of an array are scalars of one kind, or such arrays.
    private static func isUniform(_ array: Span<UInt8>, depth: Int) -> Bool {
        guard depth <= ArrayLiteral.mostDimensions, let elements = JSONElements.ranges(of: array)
        else { return false }
        var kinds: Self = []
        for element in elements {
            if let seen = Self(of: array.extracting(element), depth: depth + 1) {
                kinds.formUnion(seen)
            }
        }
        return !kinds.contains(.object) && kinds.type != .document
    }

    var type: ValueType {
        let shapes: [Self] = [[.number], .anyText, [.boolean], [.array]]
        let count = shapes.count { !isDisjoint(with: $0) }
        if contains(.object) || contains(.mixedArray) || count > 1 { return .document }
        // Words for numbers beside numbers are numbers; beside other text they are text.
        if contains(.number) { return .number }
        if self == .uuid { return .uuid }
        let isMixed = contains(.numberWord) && (contains(.boolean) || contains(.array))
        return isMixed ? .document : .untold
    }
}

extension Span<UInt8> {
    /// Whether a string of JSON is a UUID as PostgreSQL writes it.
    fileprivate var isUUIDString: Bool {
        guard count == 38, let content = JSONText.plainContent(of: self) else { return false }
        let text = extracting(content)
        return text.isUUID && !text.isUUIDWithCapitals
    }
}
