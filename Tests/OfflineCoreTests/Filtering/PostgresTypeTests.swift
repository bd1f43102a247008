import Testing

@testable import OfflineCore

@Suite("A type of PostgreSQL", .timeLimit(.minutes(5)))
struct PostgresTypeTests {
    @Test(arguments: [
        ["int8", "bigint", "BIGINT", "pg_catalog.int8", " int8 "],
        ["int4", "integer", "int", "serial"], ["int2", "smallint"],
        ["float8", "double precision"], ["float4", "real"],
        ["numeric", "decimal", "numeric(10,2)", "numeric( 10 , 2 )"],
        ["text", "varchar", "character varying", "character varying(20)"],
        ["bpchar", "character(4)", "char(4)"], ["bool", "boolean"],
        ["timestamptz", "timestamp with time zone", "timestamp(3) with time zone"],
        ["timestamp", "timestamp without time zone"], ["time", "time without time zone"],
        ["int4[]", "_int4", "integer[]", "integer []", "integer[][]"],
        ["text[]", "_text", "character varying(20)[]"], ["citext", "extensions.citext"],
    ])
    func `has several names`(_ names: [String]) {
        #expect(Set(names.map { PostgresType($0) }).count == 1)
        #expect(names.allSatisfy { PostgresType($0).value != .untold })
    }

    @Test(arguments: [
        "", "mood", "public.mood", "mood[]", "_mood", "[]", "_", "int16", "int4multirange",
    ])
    func `that isn't known is as good as none`(_ name: String) {
        #expect(PostgresType(name).value == .untold)
    }

    @Test func `is made of others`() {
        #expect(PostgresType.array(of: "int4") == "int4[]")
        #expect(PostgresType.array(of: "mood").value == .untold)
        #expect(PostgresType.range(of: "timestamptz") == "tstzrange")
        #expect(PostgresType.range(of: "text").value == .untold)
    }

    @Test func `takes a collation only where that orders by bytes`() {
        #expect(PostgresType("text").collated("POSIX").value == .text(.exact, isByBytes: true))
        #expect(PostgresType("text").collated("en-x-icu") == "text")
        #expect(PostgresType("int4").collated("C") == "int4")
    }

    @Test func `is shown by the values of a column`() {
        func type(_ values: String...) -> ValueType {
            var evidence = ColumnEvidence()
            for value in values {
                let row = Bytes("{\"c\":\(value)}")
                evidence.add(row: row.span)
            }
            return evidence.type(of: "c")
        }
        #expect(type() == .untold)
        #expect(type("null", "\"a\"") == .untold)
        #expect(type("1", "null", "\"NaN\"") == .number)
        #expect(type("\"NaN\"") == .untold)
        #expect(type("1", "\"a\"") == .document)
        #expect(type("true", "1") == .document)
        #expect(type("{}") == .document)
        #expect(type("[1,null]", "[]") == .untold)
        #expect(type("[1,\"a\"]") == .document)
        #expect(type("[{}]") == .document)
        #expect(type("[[1],[2]]") == .untold)
        #expect(type("[[1],2]") == .document)
    }
}
