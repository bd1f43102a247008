import Testing

@testable import OfflineCore

@Suite("A filter on a column of a known type", .timeLimit(.minutes(5)))
struct TypedFilterTests {
    @Test(arguments: [
        FilterCase("36", "eq. +036", .true), .init("36", "lt.40", .true),
        .init("9007199254740993", "eq.9007199254740992", .false),
        .init("9223372036854775807", "gte.9223372036854775807", .true),
        .init("36", "eq.36.0", .undecidable), .init("36", "eq.", .undecidable),
        .init("36", "eq.9223372036854775808", .undecidable), .init("36", "in.( ,3)", .undecidable),
        .init("null", "eq.x", .undecidable), .init("36", "like.3%", .undecidable),
        .init("36", "is.true", .undecidable), .init("36", "cs.{1}", .undecidable),
    ])
    func `int8`(_ filter: FilterCase) { #expect(filter.truth("int8") == filter.expected) }

    @Test func `takes integers of its width alone`() {
        #expect(FilterCase("1", "lt.99999999999", .true).truth("integer") == .undecidable)
        #expect(FilterCase("1", "lt.99999999999", .true).truth("bigint") == .true)
        #expect(FilterCase("1", "lt.40000", .true).truth("smallint") == .undecidable)
    }

    @Test(arguments: [
        FilterCase("1.50", "eq.1.5", .true), .init("1.50", "eq.+.15e1", .true),
        .init("0.1", "eq.0.10000000149", .false), .init("\"NaN\"", "eq.nan", .true),
        .init("\"NaN\"", "gt.Infinity", .true), .init("1", "gt.-inf", .true),
        .init("12345678901234567890.1", "lt.12345678901234567890.2", .true),
        .init("1", "eq.1e", .undecidable), .init("1", "eq..", .undecidable),
    ])
    func `numeric`(_ filter: FilterCase) {
        #expect(filter.truth("numeric(10,2)") == filter.expected)
    }

    @Test func `rounds to the width of its floats`() {
        #expect(FilterCase("0.1", "eq.0.10000000149", .true).truth("real") == .true)
        #expect(FilterCase("0.1", "eq.0.10000000149", .false).truth("float8") == .false)
        #expect(FilterCase("0.1", "eq.0.1000000000000000000001", .true).truth("float8") == .true)
        #expect(FilterCase("-0", "eq.0", .true).truth("double precision") == .true)
        #expect(FilterCase("1", "lt.1e400", .undecidable).truth("float8") == .undecidable)
        #expect(FilterCase("1", "gt.1e-400", .undecidable).truth("float8") == .undecidable)
        #expect(FilterCase("\"NaN\"", "gt.1e300", .true).truth("float8") == .true)
    }

    @Test(arguments: [
        FilterCase("true", "eq.yes", .true), .init("true", "eq.ON", .true),
        .init("true", "eq. of ", .false), .init("true", "eq.o", .undecidable),
        .init("true", "in.(true,f)", .true), .init("false", "lt.true", .true),
        .init("null", "is.unknown", .true), .init("null", "not.is.true", .true),
        .init("true", "isdistinct.f", .true),
    ])
    func `boolean`(_ filter: FilterCase) { #expect(filter.truth("bool") == filter.expected) }

    @Test(arguments: [
        FilterCase("\"Ada\"", "eq.ada", .false), .init("\"Ada\"", "neq.ada", .true),
        .init("\"2024-01-02\"", "eq.2024-1-2", .false), .init("\"a \"", "eq.a", .false),
        .init("\"é\"", "eq.e\u{301}", .false), .init("\"a\"", "gt.b", .open),
        .init("\"a\"", "gte.a", .true), .init("\"null\"", "eq.null", .true),
        .init("\"a\"", "is.true", .undecidable), .init("1", "eq.1", .open),
    ])
    func `text`(_ filter: FilterCase) { #expect(filter.truth("text") == filter.expected) }

    @Test func `orders text by its bytes where its collation does`() {
        let byBytes = PostgresType("text").collated("C")
        #expect(FilterCase("\"Z\"", "lt.a", .true).truth(byBytes) == .true)
        #expect(FilterCase("\"é\"", "gt.z", .true).truth(byBytes) == .true)
        let byLocale = PostgresType("text").collated("en-x-icu")
        #expect(FilterCase("\"Z\"", "lt.a", .open).truth(byLocale) == .open)
    }

    @Test(arguments: [
        FilterCase("\"ab  \"", "eq.ab", .true), .init("\"ab  \"", "in.(x,ab )", .true),
        .init("\"ab  \"", "eq.abc", .false), .init("\"ab  \"", "like.ab", .false),
        .init("\"ab  \"", "like.ab%", .true), .init("\"  b \"", "eq.b", .false),
    ])
    func `character`(_ filter: FilterCase) {
        #expect(filter.truth("character(4)") == filter.expected)
    }

    @Test(arguments: [
        FilterCase("\"Ada\"", "eq.aDA", .true), .init("\"Ada\"", "eq.Bob", .false),
        .init("\"ERIC\"", "like.eric*", .true), .init("\"ERIC\"", "match.^er", .true),
        .init("\"É\"", "eq.é", .open), .init("\"É\"", "eq.É", .true),
        .init("\"É\"", "eq.e", .false),
        .init("\"a\"", "lt.b", .open), .init("\"A\"", "gt.a", .false),
    ])
    func `citext`(_ filter: FilterCase) { #expect(filter.truth("citext") == filter.expected) }

    @Test(arguments: [
        FilterCase("\"ok\"", "eq.ok", .true), .init("\"ok\"", "gt.sad", .true),
        .init("\"ok\"", "lt.happy", .true), .init("\"ok\"", "eq.angry", .undecidable),
        .init("\"ok\"", "like.o*", .undecidable), .init("\"new\"", "eq.ok", .open),
    ])
    func `enumeration`(_ filter: FilterCase) {
        #expect(filter.truth(.enumeration(["sad", "ok", "happy"])) == filter.expected)
    }

    @Test(arguments: [
        FilterCase(
            "\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"",
            "eq.{A0EEBC99-9C0B4EF8BB6D-6BB9BD380A11}", .true),
        .init(
            "\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"",
            "lt.a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12", .true),
        .init("\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"", "eq.abc", .undecidable),
        .init(
            "\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"",
            "eq.a0e-ebc99-9c0b-4ef8-bb6d-6bb9bd380a11", .undecidable),
    ])
    func `uuid`(_ filter: FilterCase) { #expect(filter.truth("uuid") == filter.expected) }

    @Test(arguments: [
        FilterCase("\"\\\\xdeadbeef\"", "eq.\\xDEADBEEF", .true),
        .init("\"\\\\x41\"", "eq.A", .true), .init("\"\\\\x4142\"", "eq.AB", .true),
        .init("\"\\\\x5c00\"", "eq.\\\\\\000", .true), .init("\"\\\\x41\"", "lt.B", .true),
        .init("\"\\\\x\"", "eq.", .true), .init("\"\\\\x41\"", "eq.\\x4", .undecidable),
        .init("\"\\\\x41\"", "eq.\\9", .undecidable),
    ])
    func `bytea`(_ filter: FilterCase) { #expect(filter.truth("bytea") == filter.expected) }

    @Test(arguments: [
        FilterCase("\"10.0.0.1\"", "eq.10.0.0.1", .true),
        .init("\"10.0.0.1\"", "eq.10.0.0.1/32", .open), .init("\"10.0.0.1\"", "is.null", .false),
        .init("null", "eq.x", .unknown), .init("\"10.0.0.1\"", "like.1%", .undecidable),
    ])
    func `inet`(_ filter: FilterCase) { #expect(filter.truth("inet") == filter.expected) }

    @Test func `of another name is treated as one that isn't told`() {
        #expect(FilterCase("5", "gt.4", .true).truth("my_domain") == .true)
        #expect(FilterCase("\"Ada\"", "eq.ada", .open).truth("my_domain") == .open)
    }
}
