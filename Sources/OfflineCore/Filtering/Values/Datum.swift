/// A value read by its type, ready to be compared with another of the same type.
indirect enum Datum: Hashable, Sendable {
    case integer(Int64)
    case number(PostgresNumber)
    /// Also of the narrower width, which converts without loss.
    case float(Double)
    case boolean(Bool)
    case text(Bytes)
    /// Compared from the left, unsigned.
    case bytes(Bytes)
    /// Days, microseconds, or the place of a label.
    case ticks(Int128)
    /// Microseconds in UTC, and what was said about the zone.
    case instant(Int64, CivilTime.Zone)
    case json(JSONTree)
    case array(ArrayValue)
    case range(RangeValue)
    /// A string of a row whose type isn't told.
    case untold(Bytes)
}

// MARK: Reading

extension Datum {
    /// Reads a value as people write it in a filter; nil if PostgreSQL refuses it, or nothing here
    /// can tell what it makes of it.
    ///
    /// - Complexity: O(*n*), for JSON O(*n* log *n*).
    init?(literal text: Bytes, as type: ValueType) {
        let trimmed = text.trimmingSQLBlanks
        switch type {
        case .integer(let range):
            guard let value = Self.integer(trimmed), range.contains(value) else { return nil }
            self = .integer(value)
        case .numeric, .number:
            guard let number = PostgresNumber(literal: trimmed) else { return nil }
            self = .number(number)
        case .float4: self.init(float: trimmed, Float.self)
        case .float8: self.init(float: trimmed, Double.self)
        case .boolean:
            guard let value = SmallLiterals.boolean(text) else { return nil }
            self = .boolean(value)
        case .text(.padded, _): self = .text(text.withoutPadding)
        case .text, .opaque: self = .text(text)
        case .untold: self = .untold(text)
        case .uuid: self.init(bytes: SmallLiterals.uuid(text))
        case .bytea: self.init(bytes: SmallLiterals.bytea(text))
        case .enumeration(let labels):
            guard let place = labels.firstIndex(of: text) else { return nil }
            self = .ticks(Int128(place))
        case .interval:
            guard let length = IntervalLiteral.microseconds(parsing: text) else { return nil }
            self = .ticks(length)
        case .time:
            guard let time = CivilTime.timeOfDay(parsing: trimmed) else { return nil }
            self = .ticks(Int128(time))
        case .date, .timestamp, .timestamptz: self.init(time: trimmed, as: type)
        case .json, .jsonb, .document:
            guard let tree = JSONTree(parsing: text.span) else { return nil }
            self = .json(tree)
        case .array(let element):
            guard let array = ArrayValue(literal: text, of: element) else { return nil }
            self = .array(array)
        case .range(let bound):
            guard let range = RangeValue(parsing: text, of: bound) else { return nil }
            self = .range(range)
        }
    }

    /// Reads a value of a row; nil if it doesn't fit the type.
    ///
    /// - Complexity: O(*n*), for JSON O(*n* log *n*).
    init?(json value: Span<UInt8>, as type: ValueType) {
        switch (type, JSONKind(of: value)) {
        case (_, nil): return nil
        case (.json, _), (.jsonb, _), (.document, _):
            guard let tree = JSONTree(scanned: value) else { return nil }
            self = .json(tree)
        case (_, .string):
            guard let text = try? JSONText.text(of: value) else { return nil }
            self.init(literal: text, as: type)
        case (.integer, .number), (.numeric, .number), (.number, .number), (.float4, .number),
            (.float8, .number):
            self.init(literal: Bytes(copying: value), as: type)
        case (.untold, .number):
            guard let number = PostgresNumber(json: value) else { return nil }
            self = .number(number)
        case (.boolean, .true), (.untold, .true): self = .boolean(true)
        case (.boolean, .false), (.untold, .false): self = .boolean(false)
        case (.array(let element), .array):
            guard let array = ArrayValue(json: value, of: element) else { return nil }
            self = .array(array)
        default: return nil
        }
    }

    private static func integer(_ text: Bytes) -> Int64? {
        // Swift reads the same signs and digits, and refuses everything else.
        Int64(String(decoding: text, as: UTF8.self))
    }

    private init?<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        float text: Bytes, _: Value.Type
    ) {
        switch PostgresNumber(literal: text) {
        case .nan: self = .float(.nan)
        case .infinity: self = .float(.infinity)
        case .negativeInfinity: self = .float(-.infinity)
        case .finite(let lexeme):
            guard let value = Value(lexeme.text), value.isFinite else { return nil }
            // Too small to be told from zero is an error to PostgreSQL.
            guard value != 0 || lexeme.text == "0" else { return nil }
            self = .float(Double(value))
        case nil: return nil
        }
    }

    private init?(bytes: Bytes?) {
        guard let bytes else { return nil }
        self = .bytes(bytes)
    }

    private init?(time text: Bytes, as type: ValueType) {
        guard let time = CivilTime(parsing: text) else { return nil }
        switch type {
        case .date: self = .ticks(Int128(time.day))
        // A zone is dropped, not applied.
        case .timestamp: self = .ticks(Int128(time.clock))
        default: self = .instant(time.instant, time.zone)
        }
    }
}

extension Bytes {
    /// These bytes without blanks at their end.
    fileprivate var withoutPadding: Bytes {
        guard let last = lastIndex(where: { $0 != 0x20 }) else { return [] }
        return Bytes(self[...last])
    }
}
