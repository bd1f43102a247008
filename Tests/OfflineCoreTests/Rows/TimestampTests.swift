import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("A timestamp", .timeLimit(.minutes(5)))
struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00+00:00", 0),
        ("1970-01-01 00:00:00+00", 0), ("1970-01-01", 0), ("1970-01-01T00:00", 0),
        ("1970-01-01T00:00:00.5", 500_000), ("1970-01-01T00:00:00.123456Z", 123_456),
        ("1970-01-01T00:00:00.123456499Z", 123_456), ("1970-01-01T00:00:00.1234565Z", 123_457),
        ("1970-01-01T05:30:00+05:30", 0), ("1970-01-01T05:30:00+0530", 0),
        ("1969-12-31T21:00:00-03", 0), ("1970-01-01T00:19:32+00:19:32", 0),
        ("2024-02-29T12:34:56.000001+00:00", 1_709_210_096_000_001),
        ("2000-03-01T00:00:00Z", 951_868_800_000_000),
        ("1900-01-01T00:00:00Z", -2_208_988_800_000_000),
        ("0001-01-01", -62_135_596_800_000_000), ("9999-12-31", 253_402_214_400_000_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
        ("2024-06-15T24:00:00Z", 1_718_496_000_000_000),
    ])
    func `is read to the microsecond, with its zone`(_ text: String, _ expected: Int64) {
        #expect(Timestamp(parsing: text)?.microseconds == expected)
    }

    @Test(arguments: [
        "", "infinity", "2024", "2024-13-01", "2024-02-30", "2023-02-29", "1900-02-29", "2024-1-1",
        "2024-01-01X00:00:00", "2024-01-01T", "2024-01-01T25:00:00Z", "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.1234567890Z", "2024-01-01T00:00:00+1",
        "2024-01-01T00:00:00Z ", "0044-03-15T12:00:00+00:00 BC", "2024-01-01T00:00:00+00:0",
    ])
    func `is none where the text is none`(_ text: String) {
        #expect(Timestamp(parsing: text) == nil)
    }

    @Test(arguments: [
        (0, 6, "1970-01-01T00:00:00.000000Z"), (1, 6, "1970-01-01T00:00:00.000001Z"),
        (-1, 6, "1969-12-31T23:59:59.999999Z"), (499, 3, "1970-01-01T00:00:00.000Z"),
        (500, 3, "1970-01-01T00:00:00.001Z"), (999_999, 3, "1970-01-01T00:00:01.000Z"),
        (1_709_210_096_000_001, 6, "2024-02-29T12:34:56.000001Z"), (0, 0, "1970-01-01T00:00:00Z"),
    ])
    func `is written in UTC`(_ microseconds: Int64, _ digits: Int, _ expected: String) {
        #expect(Timestamp(microseconds: microseconds).text(fractionDigits: digits) == expected)
    }

    @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
    func `comes back from its text, and from its date`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            let wide = Int64.random(
                in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &random)
            #expect(Timestamp(parsing: Timestamp(microseconds: wide).text())?.microseconds == wide)
            // Within some centuries of 2001 a date keeps every microsecond.
            let near = Int64.random(
                in: -2_000_000_000_000_000...3_000_000_000_000_000, using: &random)
            #expect(Timestamp(Timestamp(microseconds: near).date).microseconds == near)
        }
    }

    @Test func `decodes with its offset`() throws {
        struct Row: Decodable { let at: Date }
        let json = #"[{"at":"2024-06-15T18:12:04-03:00"},{"at":"2024-06-15"}]"#
        let rows = try JSONDecoder.supabase().decode([Row].self, from: Data(json.utf8))
        #expect(rows.map(\.at.timeIntervalSince1970) == [1_718_485_924, 1_718_409_600])
        #expect(throws: DecodingError.self) {
            try JSONDecoder.supabase().decode([Row].self, from: Data(#"[{"at":"soon"}]"#.utf8))
        }
    }
}
