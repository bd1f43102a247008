/// Header fields, in order; their names are compared without regard to case (RFC 9110, 5.1).
public struct HTTPHeaders: Sendable {
    /// One field.
    public struct Field: Sendable {
        /// The name as it was given.
        public let name: String
        /// The value, without blanks around it.
        public let value: String

        fileprivate func isNamed(_ other: String) -> Bool {
            name.utf8.count == other.utf8.count
                && zip(name.utf8, other.utf8).allSatisfy {
                    $0.lowercasedASCII == $1.lowercasedASCII
                }
        }
    }

    /// The fields, in the order in which they were added.
    public private(set) var fields: [Field] = []

    /// Creates empty headers.
    public init() {}

    /// The first value of a field, or nil; setting replaces all values, and nil removes them.
    ///
    /// - Complexity: O(*n*) in the number of fields.
    public subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            guard let newValue else { return fields.removeAll { $0.isNamed(name) } }
            let field = Field(name: name, value: newValue)
            guard let index = fields.firstIndex(where: { $0.isNamed(name) }) else {
                return fields.append(field)
            }
            fields[index] = field
            let rest = fields[(index + 1)...].filter { !$0.isNamed(name) }
            fields.replaceSubrange((index + 1)..., with: rest)
        }
    }

    /// Adds a field and keeps earlier ones of the same name.
    public mutating func append(_ value: String, for name: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Every value of a field, in order.
    public func values(for name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from names and values; a repeated name keeps all its values.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(value, for: name) }
    }
}

extension HTTPHeaders: Hashable {
    /// Whether both have the same fields in the same order.
    public static func == (lhs: HTTPHeaders, rhs: HTTPHeaders) -> Bool {
        lhs.fields.elementsEqual(rhs.fields) { $0.isNamed($1.name) && $0.value == $1.value }
    }

    /// Mixes the fields in.
    public func hash(into hasher: inout Hasher) {
        for field in fields {
            for byte in field.name.utf8 { hasher.combine(byte.lowercasedASCII) }
            hasher.combine(field.value)
        }
    }
}

extension UInt8 {
    /// This byte, or its lower-case form if it is an ASCII capital.
    package var lowercasedASCII: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }
}

extension String {
    /// The text with the letters of ASCII in lower case.
    package var lowercasedASCII: String {
        String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self)
    }
}
