/// An array of PostgreSQL: its elements in order, and how many there are in each dimension.
struct ArrayValue: Hashable, Sendable {
    /// Nil is SQL's null.
    private(set) var elements: [Datum?] = []
    /// Empty for an array without elements.
    private(set) var dimensions: [Int] = []

    /// Reads an array literal whose elements are literals of a type.
    init?(literal: Bytes, of type: ValueType) {
        guard let array = ArrayLiteral(parsing: literal) else { return nil }
        for element in array.elements {
            guard let element else {
                elements.append(nil)
                continue
            }
            guard let datum = Datum(literal: element, as: type) else { return nil }
            elements.append(datum)
        }
        dimensions = array.dimensions
    }

    /// Reads an array of a row.
    init?(json: Span<UInt8>, of type: ValueType) {
        guard let dimensions = read(json, of: type, depth: 1) else { return nil }
        self.dimensions = elements.isEmpty ? [] : dimensions
    }

    private mutating func read(_ json: Span<UInt8>, of type: ValueType, depth: Int) -> [Int]? {
        guard depth <= ArrayLiteral.mostDimensions, let ranges = JSONElements.ranges(of: json)
        else { return nil }
        var inner: [Int]?
        for (index, range) in ranges.enumerated() {
            let element = json.extracting(range)
            if element[0] == .openingBracket {
                guard index == 0 || inner != nil,
                    let dimensions = read(element, of: type, depth: depth + 1),
                    index == 0 || inner == dimensions
                else { return nil }
                inner = dimensions
                continue
            }
            guard inner == nil else { return nil }
            if JSONKind(of: element) == .null {
                elements.append(nil)
            } else {
                guard let datum = Datum(json: element, as: type) else { return nil }
                elements.append(datum)
            }
        }
        return [ranges.count] + (inner ?? [])
    }

    /// How an array stands to another: element by element, null above everything; then the shorter
    /// one is less, then the one with fewer dimensions.
    static func compare(_ lhs: ArrayValue, _ rhs: ArrayValue, of type: ValueType) -> Ordering {
        var order = Ordering.equal
        for (lhs, rhs) in zip(lhs.elements, rhs.elements) {
            order = order.followed(by: compare(lhs, rhs, of: type))
        }
        return order.followed(by: Ordering(lhs.elements.count, rhs.elements.count))
            .followed(by: Ordering(lhs.dimensions.count, rhs.dimensions.count))
            .followed(by: lhs.dimensions == rhs.dimensions ? .equal : .unequal)
    }

    private static func compare(_ lhs: Datum?, _ rhs: Datum?, of type: ValueType) -> Ordering {
        guard let lhs, let rhs else { return Ordering(lhs == nil ? 1 : 0, rhs == nil ? 1 : 0) }
        return Datum.compare(lhs, rhs, as: type)
    }

    /// Whether each element of another array is here; a null is nowhere.
    func contains(_ other: ArrayValue, of type: ValueType) -> Truth {
        other.elements.reduce(.true) { truth, sought in
            truth && Self.has(sought, among: elements) { Datum.compare($1, $0, as: type) }
        }
    }

    /// Whether each element of this is in another array.
    func isContained(in other: ArrayValue, of type: ValueType) -> Truth {
        elements.reduce(.true) { truth, own in
            truth && Self.has(own, among: other.elements) { Datum.compare($0, $1, as: type) }
        }
    }

    /// Whether an element of another array is here.
    func overlaps(_ other: ArrayValue, of type: ValueType) -> Truth {
        other.elements.reduce(.false) { truth, sought in
            truth || Self.has(sought, among: elements) { Datum.compare($1, $0, as: type) }
        }
    }

    private static func has(
        _ sought: Datum?, among elements: [Datum?], _ compare: (Datum, Datum) -> Ordering
    ) -> Truth {
        guard let sought else { return .false }
        return elements.reduce(.false) { truth, element in
            guard let element else { return truth }
            return truth || compare(sought, element).isEqual
        }
    }
}
