import FoundationEssentials

/// A value of JSON whose shape is not known beforehand.
///
/// As a filter's value, an array is a PostgreSQL array and an object is JSON; a JSON array for a
/// column of `jsonb` is given as a string: `"[1,2]"`.
public enum JSONValue: Hashable, Sendable {
    /// Null.
    case null
    /// A truth value.
    case bool(Bool)
    /// A number without a fraction.
    case integer(Int)
    /// Any other number.
    case double(Double)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Values by name.
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    /// Reads any value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: PostgrestFilterValue {
    /// The text of a scalar, a PostgreSQL array literal, or an object as JSON.
    public var rawValue: String {
        switch self {
        case .null: "NULL"
        case .bool(let value): value.rawValue
        case .integer(let value): value.rawValue
        case .double(let value): value.rawValue
        case .string(let value): value
        case .array(let value): value.rawValue
        case .object(let value): value.rawValue
        }
    }

    /// The value in an array literal; null and inner arrays stand bare.
    public var arrayElement: String {
        switch self {
        case .null: "NULL"
        case .array(let value): value.arrayElement
        case .bool, .integer, .double, .string, .object: quotedArrayElement(rawValue)
        }
    }
}

extension Dictionary: PostgrestArrayElement where Key == String, Value == JSONValue {}

extension Dictionary: PostgrestFilterValue where Key == String, Value == JSONValue {
    /// The object as JSON, its members sorted by name.
    public var rawValue: String {
        let encoder = JSONEncoder.supabase()
        // What JSON doesn't know is a text to PostgreSQL too.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        guard let json = try? encoder.encode(self) else {
            preconditionFailure("every value of JSON can be written")
        }
        return String(decoding: json, as: UTF8.self)
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Null.
    public init(nilLiteral: ()) { self = .null }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number without a fraction.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Any other number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Values in order.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Values by name; the last of a repeated name counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
