/// A test of one field, read once for all rows.
struct FieldTest: Hashable, Sendable {
    private enum Test: Hashable, Sendable {
        case `is`(FilterTest.IsValue)
        case isDistinct(PreparedOperand)
        case one(PreparedOperand)
        case any([PreparedOperand?])
        case all([PreparedOperand?])
        /// Refused by the server, or not to be read here.
        case undecidable
    }

    /// The place of the field's column among those that the filter reads.
    let column: Int
    private let reader: FieldReader
    private let comparison: ValueComparison
    private let test: Test

    init(column: Int, reader: FieldReader, test: FilterTest) {
        self.column = column
        self.reader = reader
        let type = reader.type
        switch test {
        case .is(let value):
            comparison = ValueComparison(operator: .eq, type: type)
            self.test = .is(value)
        case .isDistinct(let text):
            comparison = ValueComparison(operator: .eq, type: type)
            self.test =
                PreparedOperand(text, for: .eq, as: type).map { .isDistinct($0) } ?? .undecidable
        case .compare(let `operator`, let operand):
            comparison = ValueComparison(operator: `operator`, type: type)
            self.test = Self.prepared(`operator`, operand, as: type)
        }
    }

    private static func prepared(
        _ operator: FilterOperator, _ operand: FilterOperand, as type: ValueType
    ) -> Test {
        switch operand {
        case .one(let text):
            return PreparedOperand(text, for: `operator`, as: type).map { .one($0) }
                ?? .undecidable
        case .any(let texts):
            return prepared(`operator`, texts, as: type).map { .any($0) }
                ?? .undecidable
        case .all(let texts):
            return prepared(`operator`, texts, as: type).map { .all($0) }
                ?? .undecidable
        }
    }

    private static func prepared(
        _ operator: FilterOperator, _ texts: [Bytes?], as type: ValueType
    ) -> [PreparedOperand?]? {
        // An array can't be compared with the elements of another one.
        if case .array = type, !texts.isEmpty { return nil }
        var operands: [PreparedOperand?] = []
        for text in texts {
            guard let text else {
                operands.append(nil)
                continue
            }
            guard let operand = PreparedOperand(text, for: `operator`, as: type) else { return nil }
            operands.append(operand)
        }
        return operands
    }

    /// The result for a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - value: Where the column's value stands in it; nil if it doesn't.
    /// - Returns: What is known of the result.
    /// - Complexity: O(*n*) in the lengths of the value and of the operands.
    func truth(of row: Span<UInt8>, at value: Range<Int>?) -> Truth {
        switch test {
        case .undecidable: return .undecidable
        case .any([]): return .false
        case .all([]): return .true
        default: break
        }
        switch reader.read(row, at: value) {
        case .hidden: return .undecidable
        case .null: return truthOfNull
        case .nullOrJSONNull: return truthOfNull.union(truthOfJSONNull)
        case .text(let text):
            return result(isSet: { Self.truth(ofTextBeing: $0) }) {
                comparison.truth(of: text, $0)
            }
        case .textOf(let range):
            return result(isSet: { Self.truth(ofTextBeing: $0) }) {
                comparison.truth(ofTextOf: row.extracting(range), $0)
            }
        case .json(let range):
            let json = row.extracting(range)
            if case .is(let asked) = test { return truth(of: json, being: asked) }
            // `= ANY` of an array and its like, whose type isn't told.
            if isOfMany, reader.type == .untold, JSONKind(of: json) == .array {
                return .undecidable
            }
            return result(isSet: { _ in .undecidable }) { comparison.truth(of: json, $0) }
        }
    }

    private var isOfMany: Bool {
        switch test {
        case .any, .all: true
        case .is, .isDistinct, .one, .undecidable: false
        }
    }

    /// Puts the results for single operands together.
    private func result(
        isSet: (FilterTest.IsValue) -> Truth, _ single: (PreparedOperand) -> Truth
    ) -> Truth {
        switch test {
        case .is(let value): isSet(value)
        case .isDistinct(let operand): !single(operand)
        case .one(let operand): single(operand)
        case .any(let operands):
            operands.reduce(.false) { $0 || ($1.map(single) ?? .unknown) }
        case .all(let operands):
            operands.reduce(.true) { $0 && ($1.map(single) ?? .unknown) }
        case .undecidable: .undecidable
        }
    }

    private var truthOfNull: Truth {
        switch test {
        case .is(.null): .true
        case .is(.notNull): .false
        case .is(.unknown): mayBeBoolean ? .true : .undecidable
        case .is: mayBeBoolean ? .false : .undecidable
        case .isDistinct: .true
        case .one, .any, .all: .unknown
        case .undecidable: .undecidable
        }
    }

    private var truthOfJSONNull: Truth {
        if case .is(let value) = test {
            return value == .null ? .false : value == .notNull ? .true : .undecidable
        }
        var isPossible = true
        let truth = result(isSet: { _ in .undecidable }) { operand in
            guard let truth = comparison.truthOfJSONNull(operand) else {
                isPossible = comparison.operator.isFullText
                return .undecidable
            }
            return truth
        }
        return isPossible ? truth : []
    }

    private var mayBeBoolean: Bool { reader.type == .boolean || reader.type == .untold }

    private static func truth(ofTextBeing value: FilterTest.IsValue) -> Truth {
        switch value {
        case .null: .false
        case .notNull: .true
        case .true, .false, .unknown: .undecidable
        }
    }

    private func truth(of json: Span<UInt8>, being value: FilterTest.IsValue) -> Truth {
        let kind = JSONKind(of: json)
        switch value {
        case .null, .notNull:
            if kind == .object, reader.mayBeComposite { return Self.truth(of: json, value) }
            return Self.truth(ofTextBeing: value)
        case .true, .false, .unknown:
            guard mayBeBoolean, kind == .true || kind == .false else { return .undecidable }
            return Truth(value == .true && kind == .true || value == .false && kind == .false)
        }
    }

    /// A composite is null if all its fields are, and not null if none is.
    private static func truth(of object: Span<UInt8>, _ value: FilterTest.IsValue) -> Truth {
        var members = RowMembers()
        guard (try? members.read(object)) != nil else { return .undecidable }
        let nulls = members.members.count {
            JSONKind(of: object.extracting($0.value)) == .null
        }
        if value == .null {
            return nulls > 0 && nulls == members.members.count ? .trueOrFalse : .false
        }
        return nulls == 0 ? .true : .trueOrFalse
    }
}
