import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("Any query and any row", .timeLimit(.minutes(5)))
struct RandomFilterTests {
    private static let pieces = [
        "a", "b", "c", "=", "&", ".", ",", "(", ")", "{", "}", "[", "]", "\"", "\\", "*", "%", "_",
        "-", "->", "->>", " ", "0", "1", "-1", "1e9", "é", "\u{301}", "😀", "eq.", "not.", "in.(",
        "is.", "null", "true", "like.", "match.", "cs.", "ov.", "or=(", "and(", "order=", "select=",
        ".desc", ".nullsfirst", "(any).", "isdistinct.", "fts(x).", "NaN", "infinity", "2024-01-02",
        "12:00", "1 mon", "\\x41", "!inner(", ":", "::", "...", "^", "$", "+", "?", "|", "{2,3}",
    ]

    private static let types: [PostgresType] = [
        "int8", "numeric", "float4", "bool", "text", "bpchar", "citext", "uuid", "bytea", "date",
        "timestamp", "timestamptz", "time", "interval", "json", "jsonb", "text[]", "int4[]",
        "int4range", "tstzrange", "inet", "unheard_of", .enumeration(["a", "b"]),
    ]

    /// Seeds that failed once, and a new one in every run; the test's name shows it.
    static let seeds = [1, UInt64.random(in: 2...UInt64.max)]

    @Test(arguments: seeds)
    func `have a result, the same one each time, and a row is equal to itself`(
        _ seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        for round in 0..<3000 {
            let items = Self.items(using: &random)
            let row = Self.row(using: &random)
            let type = Self.types.randomElement(using: &random) ?? "text"
            let types = ["a": type]
            var evidence = ColumnEvidence()
            evidence.add(row: row.span)
            let filter = RowFilter(of: items, types: types, evidence: evidence)
            let truth = filter.truth(of: row.span)
            let again = filter.truth(of: row.span)
            let order = RowOrder(of: items, types: types, evidence: evidence)
            let own = order.compare(row.span, row.span)
            let comment: Comment = "\(items) \(row.text) \(type), seed \(seed), round \(round)"
            try #require(!truth.isEmpty && truth == again, comment)
            try #require(own == .equal || own == .undecidable, comment)
        }
    }

    @Test(arguments: seeds)
    func `of which one is the negation of the other have opposite results`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<3000 {
            let row = Self.row(using: &random)
            let value = Self.value(using: &random)
            let types = ["a": Self.types.randomElement(using: &random) ?? "text"]
            let test = RowFilter(["a": value], types: types).truth(of: row.span)
            let negation = RowFilter(["a": "not." + value], types: types).truth(of: row.span)
            // A value may begin with the word itself.
            guard !value.hasPrefix("not.") else { continue }
            try #require(test == !negation, "\(value) \(row.text), seed \(seed)")
        }
    }

    private static func value(using random: inout SplitMix64) -> String {
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
        }.joined()
    }

    private static func items(using random: inout SplitMix64) -> [PostgrestRequest.Item] {
        var request = PostgrestRequest(.table("t"), schema: "public", method: "GET")
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let names = ["a", "b", "or", "and", "not.or", "order", "select", value(using: &random)]
            request.append(names.randomElement(using: &random) ?? "a", value(using: &random))
        }
        return request.items
    }

    private static func row(using random: inout SplitMix64) -> Bytes {
        let values = [
            "1", "-0.5", "1e2", "true", "null", "\"a\"", "\"É\"", "\"2024-01-02\"", "\"[1,5)\"",
            "\"\\\\x41\"", "\"NaN\"", "\"1 mon\"", "[]", "[1,2]", "[[\"a\"],[null]]", "{}",
            "{\"a\":[1,{\"b\":null}]}", "\"\\ud800\"",
        ]
        let members = ["a", "b", "c"].map { name in
            "\"\(name)\":\(values.randomElement(using: &random) ?? "1")"
        }
        let text = Bytes("{" + members.joined(separator: ",") + "}")
        // One in ten is cut.
        guard Int.random(in: 0..<10, using: &random) == 0 else { return text }
        return Bytes(text.prefix(Int.random(in: 0...text.count, using: &random)))
    }
}

@Suite("The deepest JSON that is read", .timeLimit(.minutes(5)))
struct DeepFilterTests {
    @Test func `is compared, contained and taken for no array of PostgreSQL`() {
        let depth = JSONScanner.deepestNesting - 2
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(FilterCase(deep, "eq.\(deep)", .true).truth("jsonb") == .true)
        #expect(FilterCase(deep, "cs.\(deep)", .true).truth("jsonb") == .true)
        #expect(FilterCase("null", "eq.\(deep)", .false).truth("jsonb") == [.false, .unknown])
        #expect(FilterCase(deep, "eq.1", .false).truth() == .false)
    }
}
