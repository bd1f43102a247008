/// The type of a column, as PostgreSQL names it.
///
/// Write it as the table's definition or a Realtime message does: `"int8"` or `"bigint"`,
/// `"timestamptz"` or `"timestamp with time zone"`, `"text[]"` or `"_text"`, `"numeric(10,2)"`. A name
/// that isn't known is no error: such a column is treated as one whose type isn't told.
public struct PostgresType: Hashable, Sendable {
    let value: ValueType

    init(_ value: ValueType) { self.value = value }

    /// Creates the type of a name, in any case and with or without what stands in parentheses.
    public init(_ name: String) { value = ValueType(named: name) }

    /// An enum with its labels, in the order of their definition.
    public static func enumeration(_ labels: [String]) -> PostgresType {
        PostgresType(.enumeration(labels.map { Bytes($0.utf8) }))
    }

    /// An array of a type, in any number of dimensions.
    public static func array(of element: PostgresType) -> PostgresType {
        PostgresType(element.value == .untold ? .untold : .array(element.value))
    }

    /// A range of a type: of `int4`, `int8`, `numeric`, `date`, `timestamp` or `timestamptz`.
    public static func range(of bound: PostgresType) -> PostgresType {
        PostgresType(bound.value.isRangeBound ? .range(bound.value) : .untold)
    }

    /// This type with a column's own collation, where it isn't the database's default one.
    ///
    /// `"C"`, `"POSIX"` and `"ucs_basic"` order text by its bytes, which the device can do as well;
    /// no other collation can be known here, and the type stays as it is.
    public func collated(_ name: String) -> PostgresType {
        let isByBytes = ["c", "posix", "ucs_basic", "c.utf-8", "c.utf8", "pg_c_utf8"]
            .contains(name.lowercasedASCII)
        guard isByBytes, case .text(let rules, _) = value else { return self }
        return PostgresType(.text(rules, isByBytes: true))
    }
}

extension PostgresType: ExpressibleByStringLiteral {
    /// Creates the type of a name.
    public init(stringLiteral value: String) { self.init(value) }
}

extension PostgresType {
    /// What is wrong with this type, if anything.
    var problem: String? { Self.problem(of: value) }

    private static func problem(of type: ValueType) -> String? {
        switch type {
        case .array(let element): problem(of: element)
        case .enumeration(let labels) where labels.isEmpty: "an enum without labels"
        case .enumeration(let labels) where Set(labels).count < labels.count:
            "an enum that has a label twice"
        default: nil
        }
    }
}
