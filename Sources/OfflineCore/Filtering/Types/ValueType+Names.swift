extension ValueType {
    /// The type of a name as PostgreSQL, PostgREST or Realtime spell it; `untold` for another one.
    init(named name: String) {
        self = Self.named(Self.normalized(name))
    }

    private static func named(_ name: String) -> ValueType {
        if name.hasSuffix("[]") { return array(of: named(String(name.dropLast(2)))) }
        if name.hasPrefix("_") { return array(of: named(String(name.dropFirst()))) }
        return scalars[name] ?? ranges[name].map { .range($0) } ?? .untold
    }

    private static func array(of element: ValueType) -> ValueType {
        // Several pairs of brackets say no more than one.
        if case .array = element { return element }
        return element == .untold ? .untold : .array(element)
    }

    /// Small letters, single blanks, without schema `pg_catalog`, quotes and what is in parentheses.
    private static func normalized(_ name: String) -> String {
        var depth = 0
        var words = ""
        for character in name.lowercasedASCII {
            switch character {
            case "(": depth += 1
            case ")": depth -= 1
            case "\"": continue
            default: if depth == 0 { words.append(character) }
            }
        }
        let text = words.split(separator: " ").joined(separator: " ")
            .replacingSuffix(" []", with: "[]")
        return text.hasPrefix("pg_catalog.") ? String(text.dropFirst(11)) : text
    }

    private static let int2 = ValueType.integer(Int64(Int16.min)...Int64(Int16.max))
    private static let int4 = ValueType.integer(Int64(Int32.min)...Int64(Int32.max))
    private static let int8 = ValueType.integer(Int64.min...Int64.max)

    private static let ranges: [String: ValueType] = [
        "int4range": int4, "int8range": int8, "numrange": .numeric, "daterange": .date,
        "tsrange": .timestamp, "tstzrange": .timestamptz,
    ]

    private static let scalars: [String: ValueType] = [
        "int2": int2, "smallint": int2, "smallserial": int2,
        "int4": int4, "int": int4, "integer": int4, "serial": int4,
        "int8": int8, "bigint": int8, "bigserial": int8,
        "numeric": .numeric, "decimal": .numeric,
        "float4": .float4, "real": .float4, "float8": .float8, "double precision": .float8,
        "bool": .boolean, "boolean": .boolean,
        "text": .text, "varchar": .text, "character varying": .text,
        "bpchar": .text(.padded), "char": .text(.padded), "character": .text(.padded),
        "citext": .text(.caseless), "extensions.citext": .text(.caseless),
        "public.citext": .text(.caseless),
        "uuid": .uuid, "bytea": .bytea,
        "date": .date, "time": .time, "time without time zone": .time,
        "timestamp": .timestamp, "timestamp without time zone": .timestamp,
        "timestamptz": .timestamptz, "timestamp with time zone": .timestamptz,
        "interval": .interval, "json": .json, "jsonb": .jsonb,
        "timetz": .opaque, "time with time zone": .opaque, "inet": .opaque, "cidr": .opaque,
        "macaddr": .opaque, "macaddr8": .opaque, "money": .opaque, "bit": .opaque,
        "varbit": .opaque, "bit varying": .opaque, "oid": .opaque, "xml": .opaque,
        "tsvector": .opaque, "tsquery": .opaque, "name": .opaque,
    ]
}

extension String {
    fileprivate func replacingSuffix(_ suffix: String, with other: String) -> String {
        hasSuffix(suffix) ? dropLast(suffix.count) + other : self
    }
}
