/// A type, by how its values are read and compared.
indirect enum ValueType: Hashable, Sendable {
    /// How two texts are equal.
    enum TextRules: Hashable, Sendable {
        /// By their bytes.
        case exact
        /// Without regard to blanks at the end: `char(n)`.
        case padded
        /// Without regard to case: `citext`.
        case caseless
    }

    case integer(ClosedRange<Int64>)
    /// Numbers of a type that isn't told; a float would round what it is compared with.
    case number
    case numeric
    case float4, float8
    case boolean
    /// Text; its collation isn't known unless it is that of the bytes.
    case text(TextRules, isByBytes: Bool = false)
    case uuid, bytea
    case date, time, timestamp, timestamptz, interval
    case enumeration([Bytes])
    case json, jsonb
    case array(ValueType)
    case range(ValueType)
    /// Known by name, but not how its values compare: only the same spelling is the same value.
    case opaque
    /// Not told; what the values themselves show must do.
    case untold
    /// Not told, but some rows show that it holds JSON.
    case document
}

extension ValueType {
    static let text = ValueType.text(.exact)

    /// Whether there are ranges of this type.
    var isRangeBound: Bool {
        switch self {
        case .integer, .numeric, .date, .timestamp, .timestamptz: true
        default: false
        }
    }

    /// Whether the steps from one value to the next can be counted, so that ranges have one form.
    var isDiscrete: Bool {
        switch self {
        case .integer, .date: true
        default: false
        }
    }

    /// Whether patterns can be matched against its values.
    var isText: Bool {
        if case .text = self { return true }
        return false
    }

    /// Whether null in a row may be a null of JSON beside SQL's.
    var holdsJSON: Bool { self == .json || self == .jsonb || self == .document }
}
