import Testing

@testable import OfflineCore

@Suite("A filter on ranges", .timeLimit(.minutes(5)))
struct RangeFilterTests {
    @Test(arguments: [
        FilterCase("\"[1,5)\"", "eq.[1,4]", .true), .init("\"[1,5)\"", "eq.(0,5)", .true),
        .init("\"empty\"", "eq.(1,2)", .true), .init("\"empty\"", "eq.[3,3)", .true),
        .init("\"[1,5)\"", "cs.[2,3]", .true), .init("\"[1,5)\"", "cs.empty", .true),
        .init("\"empty\"", "cs.[1,2)", .false), .init("\"empty\"", "cd.[1,2)", .true),
        .init("\"[1,5)\"", "cd.[0,10)", .true), .init("\"[100,)\"", "cs.[200,)", .true),
        .init("\"(,1)\"", "cs.[-5,0]", .true), .init("\"[1,5)\"", "ov.[4,9)", .true),
        .init("\"[1,5)\"", "ov.[5,9)", .false), .init("\"empty\"", "ov.(,)", .false),
        .init("\"[1,5)\"", "sl.[5,6)", .true), .init("\"[1,5)\"", "sl.[4,6)", .false),
        .init("\"[5,9)\"", "sr.(,5)", .true), .init("\"[1,5)\"", "nxr.[2,5)", .true),
        .init("\"[1,6)\"", "nxr.[2,5)", .false), .init("\"[1,5)\"", "nxl.[1,2)", .true),
        .init("\"[0,5)\"", "nxl.[1,2)", .false), .init("\"[1,5)\"", "adj.[5,6)", .true),
        .init("\"[1,5)\"", "adj.(4,6)", .true), .init("\"[1,5)\"", "adj.[6,7)", .false),
        .init("\"[1,5)\"", "gt.[1,4)", .true), .init("\"empty\"", "lt.(,)", .true),
        .init("\"(,1)\"", "lt.[-99,1)", .true), .init("\"[1,)\"", "gt.[1,99)", .true),
        .init("\"[1,5)\"", "eq.[5,1)", .undecidable), .init("\"[1,5)\"", "cs.3", .undecidable),
        .init("\"[1,5)\"", "eq.[1,2", .undecidable), .init("null", "sl.[1,2)", .unknown),
    ])
    func `int4range`(_ filter: FilterCase) {
        #expect(filter.truth("int4range") == filter.expected)
    }

    @Test(arguments: [
        FilterCase("\"[1.0,2.5]\"", "eq.[1,2.50]", .true),
        .init("\"[1.0,2.5]\"", "eq.[1,2.5)", .false), .init("\"[1.0,2.5]\"", "adj.(2.5,3]", .true),
        .init("\"[1.0,2.5]\"", "adj.[2.5,3]", .false), .init("\"[1.0,2.5]\"", "ov.[2.5,3]", .true),
        .init("\"[1.0,2.5)\"", "ov.[2.5,3]", .false), .init("\"(1,2)\"", "cs.[1,2)", .false),
        .init("\"(1,2)\"", "gt.[1,2)", .true), .init("\"(1,1]\"", "eq.empty", .true),
    ])
    func `numrange`(_ filter: FilterCase) {
        #expect(filter.truth(.range(of: "numeric")) == filter.expected)
    }

    @Test func `of times and dates`() {
        let january = "\"[\\\"2024-01-01 00:00:00+00\\\",\\\"2024-02-01 00:00:00+00\\\")\""
        #expect(
            FilterCase(january, "cs.[2024-01-10,2024-01-11)", .true).truth("tstzrange") == .true)
        #expect(
            FilterCase(january, "ov.[\"2024-02-01T00:00:00Z\",)", .false).truth("tstzrange")
                == .false)
        let days = FilterCase("\"[2024-01-01,2024-02-01)\"", "eq.[2024-01-01,2024-01-31]", .true)
        #expect(days.truth("daterange") == .true)
    }
}
