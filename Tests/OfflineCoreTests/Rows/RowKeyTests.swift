import OfflineCore
import OfflineTesting
import Testing

@Suite("The key of a row", .timeLimit(.minutes(5)))
struct RowKeyTests {
    private func key(_ row: String, _ columns: String...) throws -> RowKey? {
        try RowKey(ofRow: Bytes(row).span, columns: KeyColumns(columns.isEmpty ? ["id"] : columns))
    }

    @Test(arguments: [
        ["1", "1.0", "1e0", "10e-1", #""1""#, #""\u0031""#],
        ["0", "-0", "0.00", #""0""#], ["-12", #""-12""#],
        [#""a""#, #""\u0061""#], [#""😀""#, #""\ud83d\ude00""#], [#""/""#, #""\/""#],
        ["12345678901234567890", "1234567890123456789e1"], ["true"], ["false"], [#""""#],
        [#""true""#], [#""1.0""#], [#""null""#], ["12345678901234567891"], ["-1"], ["10"],
        [
            #""5f0f3a52-9d5c-4e6e-8f0e-0c8a1d6b7f10""#, #""5F0F3A52-9D5C-4E6E-8F0E-0C8A1D6B7F10""#,
            #""5f0f3a52-9D5C-4e6e-8f0e-0c8a1d6b7f1\u0030""#,
        ],
        [#""01""#], [#""-0""#], [#""-""#], [#""1 ""#],
    ])
    func `is equal, and hashes equally, however it is spelled`(_ spellings: [String]) throws {
        let keys = try spellings.map { try #require(try key("{\"id\":\($0)}")) }
        #expect(Set(keys).count == 1)
        #expect(Set(keys.map(\.stableHash)).count == 1)
        let found = try spellings.map { spelling in
            let directory = try RowDirectory("[{\"id\": \(spelling) }]")
            return try #require(directory.keyHashes[0])
        }
        #expect(Set(found) == Set(keys.map(\.stableHash)))
    }

    @Test func `differs where the values do`() throws {
        let values = [
            "1", #""01""#, "-1", "10", "0.1", "100", "1e100", "0", #""-0""#, #""""#, "true",
            "false",
            #""1.0""#, #""-""#, #"" 1""#, #""1a""#, #""5F0F3A52-9D5C-4E6E-8F0E-0C8A1D6B7F1""#,
            #""5f0f3a52-9d5c-4e6e-8f0e-0c8a1d6b7f1""#, #""5F0F3A5209D5C04E6E08F0E00C8A1D6B7F10""#,
            #""5f0f3a5209d5c04e6e08f0e00c8a1d6b7f10""#,
            #""true""#, #""a""#, #""A""#, #""é""#, #""e\u0301""#, "12345678901234567890",
            "12345678901234567891", #""a\u0000""#, #""aaaaaaaa""#, #""aaaaaaaaa""#,
            #""aaaaaaaa\u0000""#,
        ]
        let keys = try values.map { try #require(try key("{\"id\":\($0)}")) }
        #expect(Set(keys).count == values.count)
        #expect(Set(keys.map(\.stableHash)).count == values.count)
    }

    @Test func `is made of the key columns in their order`() throws {
        let row = #"{"b": 2, "c": "x", "a": 1}"#
        let key = try #require(try key(row, "a", "b"))
        #expect(try key == self.key(#"{"a":1,"b":2}"#, "a", "b"))
        #expect(try key != self.key(row, "b", "a"))
        #expect(try key != self.key(row, "a"))
        #expect(key == RowKey(values: [Bytes("1"), Bytes("2.0")]))
    }

    @Test func `keeps its columns apart`() throws {
        let first = try #require(RowKey(values: [Bytes(#""ab""#), Bytes(#""c""#)]))
        let second = try #require(RowKey(values: [Bytes(#""a""#), Bytes(#""bc""#)]))
        let third = try #require(RowKey(values: [Bytes("12"), Bytes("3")]))
        let fourth = try #require(RowKey(values: [Bytes("1"), Bytes("23")]))
        #expect(Set([first, second, third, fourth].map(\.stableHash)).count == 4)
    }

    @Test(arguments: [
        "{}", #"{"Id":1}"#, #"{"id":null}"#, #"{"id":[1]}"#, #"{"id":{}}"#, #"{"id":"\ud800"}"#,
        #"{"x":{"id":1}}"#,
    ])
    func `is missing if a column has no value that can be one`(_ row: String) throws {
        #expect(try key(row) == nil)
        #expect(try RowDirectory("[\(row)]").keyHashes == [nil])
        #expect(try key(#"{"a":1}"#, "a", "id") == nil)
    }

    @Test func `is missing if the table has no key columns`() throws {
        #expect(try RowKey(ofRow: Bytes("{\"id\":1}").span, columns: KeyColumns([])) == nil)
        let directory = try RowDirectory(
            scanning: Bytes("[{\"id\":1}]").span, columns: KeyColumns([]))
        #expect(directory.keyHashes == [nil])
        #expect(RowKey(values: []) == nil)
    }

    @Test func `is read by column names in any spelling`() throws {
        #expect(try key(#"{"\u0069d":1}"#) == key(#"{"id":1}"#))
        #expect(try key(#"{"a\"b":1}"#, "a\"b") == key(#"{"id":1}"#))
        #expect(try key(#"{"é":1}"#, "e\u{301}") == nil)
        #expect(try key(#"{"\ud800":1,"id":2}"#) == key(#"{"id":2}"#))
    }

    @Test func `takes the first of repeated columns, as JSONDecoder does`() throws {
        #expect(try key(#"{"id":1,"id":2}"#) == key(#"{"id":1}"#))
        #expect(try key(#"{"\u0069d":1,"id":2}"#) == key(#"{"id":1}"#))
        #expect(try key(#"{"id":null,"id":2}"#) == nil)
    }

    @Test func `can't be made of bytes that are no value`() {
        for value in ["", "x", "1 ", " 1", "1,2", "null", "[]", "01"] {
            #expect(RowKey(values: [Bytes(value)]) == nil)
        }
    }

    /// These are on disk: should one change, so must the format of the directory.
    @Test(arguments: [
        ("{\"id\":1}", 0x096F_FC58_8019_8F31 as UInt64),
        ("{\"id\":-12.5}", 0x9C54_4B44_62D8_4AFF),
        (#"{"id":"a"}"#, 0x1326_F953_1EE6_ADE8),
        (#"{"id":"5f0f3a52-9d5c-4e6e-8f0e-0c8a1d6b7f10"}"#, 0xFCC8_1144_2F9B_DD44),
        ("{\"id\":true}", 0x6E73_E372_E233_8ACA), ("{\"id\":false}", 0x6303_3B0C_A389_C35A),
    ])
    func `hashes as it always did`(_ row: String, _ hash: UInt64) throws {
        #expect(try key(row)?.stableHash == hash)
    }

    static let seeds = [1, UInt64.random(in: 2...UInt64.max)]

    @Test(arguments: seeds)
    func `of a number hashes by its value`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1000 {
            let texts = (JSONWriter.number(using: &random), JSONWriter.number(using: &random))
            let numbers = (Bytes(texts.0).number, Bytes(texts.1).number)
            let hashes = (
                RowKey(values: [Bytes(texts.0)])?.stableHash,
                RowKey(values: [Bytes(texts.1)])?.stableHash
            )
            let comment: Comment = "\(texts.0) and \(texts.1), seed \(seed)"
            #expect((numbers.0 == numbers.1) == (hashes.0 == hashes.1), comment)
            let directory = try RowDirectory("[{\"id\":\(texts.0)},{\"id\":\(texts.1)}]")
            #expect(directory.keyHashes == [hashes.0, hashes.1], comment)
        }
    }
}
