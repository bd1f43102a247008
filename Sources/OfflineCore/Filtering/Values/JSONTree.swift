/// A value of `jsonb`: numbers by value, members in the order in which PostgreSQL keeps them.
indirect enum JSONTree: Hashable, Sendable {
    case null
    case string(Bytes)
    case number(NumberLexeme)
    case boolean(Bool)
    case array([JSONTree])
    /// Sorted by the length of the name and then by its bytes; no name comes twice.
    case object([Member])

    struct Member: Hashable, Sendable {
        let name: Bytes
        let value: JSONTree
    }

    /// Reads a JSON text; nil if it is none, or holds a string without a text.
    ///
    /// - Complexity: O(*n* log *n*).
    init?(parsing text: Span<UInt8>) {
        guard let range = try? JSONScanner.validate(text) else { return nil }
        self.init(scanned: text.extracting(range))
    }

    /// Reads a value that a scan has accepted, without blanks around it.
    init?(scanned value: Span<UInt8>) {
        switch JSONKind(of: value) {
        case .null: self = .null
        case .true: self = .boolean(true)
        case .false: self = .boolean(false)
        case .number:
            guard let number = NumberLexeme(value) else { return nil }
            self = .number(number)
        case .string:
            guard let text = try? JSONText.text(of: value) else { return nil }
            self = .string(text)
        case .array:
            guard let ranges = JSONElements.ranges(of: value) else { return nil }
            var elements: [JSONTree] = []
            for range in ranges {
                guard let element = JSONTree(scanned: value.extracting(range)) else { return nil }
                elements.append(element)
            }
            self = .array(elements)
        case .object:
            guard let members = Self.members(of: value) else { return nil }
            self = .object(members)
        case nil: return nil
        }
    }

    private static func members(of value: Span<UInt8>) -> [Member]? {
        var row = RowMembers()
        guard (try? row.read(value)) != nil else { return nil }
        var values: [Bytes: JSONTree] = [:]
        for member in row.members {
            guard let name = member.nameText(in: value),
                let tree = JSONTree(scanned: value.extracting(member.value))
            else { return nil }
            // The last one of a name counts.
            values[name] = tree
        }
        return values.map { Member(name: $0.key, value: $0.value) }.sorted { lhs, rhs in
            lhs.name.count == rhs.name.count
                ? lhs.name.span.precedes(rhs.name.span) : lhs.name.count < rhs.name.count
        }
    }
}

extension JSONTree {
    /// Whether this may be a geometry of PostGIS, which is written as GeoJSON with rounded numbers and
    /// compared otherwise.
    var looksLikeGeometry: Bool {
        guard case .object(let members) = self else { return false }
        let names = ["coordinates", "geometries"].map { Bytes($0.utf8) }
        return members.contains { names.contains($0.name) }
    }
}

// MARK: Containment

extension JSONTree {
    /// Whether this contains another value, as `@>` tells.
    ///
    /// - Complexity: O(*n* · *m*).
    func contains(_ other: JSONTree) -> Bool {
        // At the outside, an array contains a scalar that is one of its elements.
        if case .array(let elements) = self, !other.isContainer { return elements.contains(other) }
        return includes(other)
    }

    private func includes(_ other: JSONTree) -> Bool {
        switch (self, other) {
        case (.object(let members), .object(let others)):
            others.allSatisfy { other in
                members.contains { $0.name == other.name && $0.value.includes(other.value) }
            }
        case (.array(let elements), .array(let others)):
            others.allSatisfy { other in elements.contains { $0.includes(other) } }
        default: self == other
        }
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        case .null, .string, .number, .boolean: false
        }
    }
}
