/// What a row says of a field.
enum FieldValue {
    /// The row doesn't show it, or shows it in a form that tells too little.
    case hidden
    /// SQL's null.
    case null
    /// Null as the row shows it: SQL's, or one of JSON.
    case nullOrJSONNull
    /// A value of JSON, by where it stands in the row; null here is one of JSON.
    case json(Range<Int>)
    /// The text that `->>` gives.
    case text(Bytes)
    /// The text that `->>` gives for a value, by where that stands, which may be spelled otherwise
    /// than in the row: blanks, the order of members, exponents of numbers.
    case textOf(Range<Int>)
}

/// Finds a field in rows.
struct FieldReader: Hashable, Sendable {
    let steps: [FieldPath.Step]
    let isText: Bool
    /// The type of the column that the path starts at.
    let column: ValueType
    /// Whether rows show arrays in a column whose type isn't told.
    let mayBeArray: Bool

    /// The type of what is found.
    var type: ValueType {
        guard !steps.isEmpty else { return column }
        if isText { return .text }
        // All but `json` are taken apart as `jsonb`.
        return column == .json ? .json : .jsonb
    }

    /// Whether an object may be a composite value rather than JSON.
    var mayBeComposite: Bool { steps.isEmpty && (column == .untold || column == .document) }

    /// Reads the field.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - value: Where the column's value stands in it; nil if it doesn't.
    /// - Returns: What there is.
    /// - Complexity: O(*n*) in the length of the value.
    func read(_ row: Span<UInt8>, at value: Range<Int>?) -> FieldValue {
        guard var place = value else { return .hidden }
        let holdsJSON = column.holdsJSON || (column == .untold && mayBeArray)
        if JSONKind(of: row.extracting(place)) == .null {
            if steps.isEmpty { return holdsJSON ? .nullOrJSONNull : .null }
            // A null of JSON is its own first element, as other scalars are.
            let isElement = steps.allSatisfy { $0 == .index(0) || $0 == .index(-1) }
            return holdsJSON && isElement && !isText ? .nullOrJSONNull : .null
        }
        for step in steps {
            switch Self.take(step, of: row.extracting(place)) {
            case .found(let range):
                place = place.lowerBound + range.lowerBound..<place.lowerBound + range.upperBound
            case .missing: return .null
            case .scalar:
                // `jsonb` takes a scalar for an array of one; `json` doesn't.
                switch column {
                case .json: return .null
                case .untold, .document, .number: return .hidden
                default: continue
                }
            case .unreadable: return .hidden
            }
        }
        return isText ? text(of: row.extracting(place), at: place) : .json(place)
    }

    private enum Taken {
        case found(Range<Int>)
        case missing
        /// The place itself, where a scalar was asked for its first or last element.
        case scalar
        case unreadable
    }

    private static func take(_ step: FieldPath.Step, of value: Span<UInt8>) -> Taken {
        switch (step, JSONKind(of: value)) {
        case (.key(let key), .object):
            var members = RowMembers()
            guard (try? members.read(value)) != nil else { return .unreadable }
            // The last one of a name counts.
            let member = members.members.last { $0.isNamed(key.span, in: value) }
            return member.map { .found($0.value) } ?? .missing
        case (.index(let index), .array):
            guard let elements = JSONElements.ranges(of: value) else { return .unreadable }
            let place = index < 0 ? elements.count + index : index
            return elements.indices.contains(place) ? .found(elements[place]) : .missing
        case (.index(let index), .string), (.index(let index), .number),
            (.index(let index), .true), (.index(let index), .false), (.index(let index), .null):
            return index == 0 || index == -1 ? .scalar : .missing
        case (.key, _), (.index, .object): return .missing
        case (.index, nil): return .unreadable
        }
    }

    private func text(of value: Span<UInt8>, at place: Range<Int>) -> FieldValue {
        switch JSONKind(of: value) {
        case .null: return .null
        case .string: return (try? JSONText.text(of: value)).map { .text($0) } ?? .hidden
        case .true, .false: return .text(Bytes(copying: value))
        case .number:
            // `jsonb` writes no exponents, and no zero below zero.
            let isVerbatim = column == .json || Self.isPlain(value)
            return isVerbatim ? .text(Bytes(copying: value)) : .textOf(place)
        case .object, .array: return .textOf(place)
        case nil: return .hidden
        }
    }

    private static func isPlain(_ number: Span<UInt8>) -> Bool {
        let hasExponent = number.indices.contains { number[$0].isExponentMark }
        guard !hasExponent, number[0] == .minus else { return !hasExponent }
        return NumberLexeme(number)?.text != "0"
    }
}
