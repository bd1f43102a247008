import Testing

@testable import OfflineCore

@Suite("A filter on times", .timeLimit(.minutes(5)))
struct TemporalFilterTests {
    private static let instant = "\"2024-01-02T03:04:05.5+00:00\""

    @Test(arguments: [
        FilterCase(instant, "eq.2024-01-02T03:04:05.5Z", .true),
        .init(instant, "eq.2024-01-02 04:04:05.500+01", .true),
        .init(instant, "eq.2024-01-02T05:34:05.5+0230", .true),
        .init(instant, "eq.2024-1-2 3:04:05.5", .true), .init(instant, "gt.2024-01-02", .true),
        .init(instant, "lt.2024-01-02T03:04:05.500001Z", .true),
        .init(instant, "eq.2024-01-02T03:04:05.5000004Z", .true),
        .init(instant, "lt.infinity", .true), .init(instant, "gt.-infinity", .true),
        .init(instant, "gt.epoch", .true), .init("\"infinity\"", "eq.Infinity", .true),
        .init("\"infinity\"", "gt.9999-12-31", .true),
        .init("\"0044-03-15T12:00:00+00:00 BC\"", "lt.0001-01-01", .true),
        .init("\"10000-01-01T00:00:00+00:00\"", "gt.9999-12-31", .true),
        .init("\"2024-02-29T00:00:00+00:00\"", "eq.2024-02-30", .undecidable),
        .init(instant, "eq.now", .undecidable), .init(instant, "gt.today", .undecidable),
        .init(instant, "eq.2024-01-02T03:04:05 01:00", .undecidable),
        .init(instant, "eq.2024-01-02 03:04:05 Europe/Paris", .undecidable),
        .init(instant, "eq.01/02/2024", .undecidable),
        // Half a microsecond.
        .init(instant, "eq.2024-01-02T03:04:05.5000005Z", .undecidable),
        // The row shows that the session isn't in UTC, where what has no zone is read.
        .init("\"2024-01-02T04:04:05+01:00\"", "eq.2024-01-02T03:04:05", .open),
        .init("\"2024-01-02T04:04:05+01:00\"", "eq.2024-01-02T03:04:05Z", .true),
    ])
    func `timestamptz`(_ filter: FilterCase) {
        #expect(filter.truth("timestamp(3) with time zone") == filter.expected)
    }

    @Test(arguments: [
        FilterCase("\"2024-01-02T03:04:05\"", "eq.2024-01-02T03:04:05+05:00", .true),
        .init("\"2024-01-02T03:04:05\"", "eq.2024-01-02T03:04:05Z", .true),
        .init("\"2024-01-02T03:04:05\"", "gt.2024-01-02", .true),
    ])
    func `timestamp`(_ filter: FilterCase) {
        #expect(filter.truth("timestamp") == filter.expected)
    }

    @Test(arguments: [
        FilterCase("\"1990-05-01\"", "eq.1990-5-1", .true),
        .init("\"1990-05-01\"", "eq.1990-05-01T23:59:59+12:00", .true),
        .init("\"1990-05-01\"", "lt.1990-06-01", .true),
        .init("\"infinity\"", "gt.2024-01-01", .true),
        .init("\"1990-05-01\"", "eq.tomorrow", .undecidable),
        .init("\"1990-05-01\"", "eq.1990-13-01", .undecidable),
        .init("\"1990-05-01\"", "eq.0000-01-01", .undecidable),
    ])
    func `date`(_ filter: FilterCase) { #expect(filter.truth("date") == filter.expected) }

    @Test(arguments: [
        FilterCase("\"08:30:00\"", "lt.9:00", .true), .init("\"08:30:00\"", "eq.08:30", .true),
        .init("\"24:00:00\"", "gt.23:59:59.999999", .true),
        .init("\"08:30:00\"", "eq.24:01", .undecidable),
        .init("\"08:30:00\"", "eq.8 am", .undecidable),
    ])
    func `time`(_ filter: FilterCase) { #expect(filter.truth("time") == filter.expected) }

    @Test(arguments: [
        FilterCase("\"1 day\"", "eq.24:00:00", .true), .init("\"1 mon\"", "eq.30 days", .true),
        .init("\"1 year 2 mons 3 days 04:05:06.789\"", "gt.423 days", .true),
        .init("\"-1 days\"", "lt.0 days", .true), .init("\"-01:00:00\"", "eq.-1 hours", .true),
        .init("\"1 day -00:00:01\"", "lt.1 day", .true), .init("\"7 days\"", "eq.1 week", .true),
        .init("\"178000000 years\"", "gt.177999999 years", .true),
        .init("\"1 day\"", "eq.P1D", .undecidable), .init("\"1 day\"", "eq.1.5 days", .undecidable),
        .init("\"1 day\"", "eq.1 day ago", .undecidable), .init("\"1 day\"", "eq.1", .undecidable),
        .init("\"1 day\"", "eq.1 day 1 day", .undecidable),
    ])
    func `interval`(_ filter: FilterCase) {
        #expect(filter.truth("interval") == filter.expected)
    }
}
