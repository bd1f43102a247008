import OfflineCore
import OfflineTesting
import Testing

@Suite("The directory of a list", .timeLimit(.minutes(5)))
struct RowDirectoryTests {
    private func hash(_ value: String) throws -> UInt64 {
        try #require(RowKey(values: [Bytes(value)])).stableHash
    }

    @Test func `knows where each row is`() throws {
        let body = Bytes(#" [ {"id":1,"n":{"a":[{}]}} ,{}, {"id":"2"}]"# + "\n")
        let directory = try RowDirectory(body.text)
        let rows = (0..<directory.count).map { body.slice(directory[$0]).text }
        #expect(rows == [#"{"id":1,"n":{"a":[{}]}}"#, "{}", #"{"id":"2"}"#])
        #expect(directory.bodyLength == body.count)
    }

    @Test(arguments: ["[]", " [ ] ", "[\n]"])
    func `of an empty list has no rows`(_ body: String) throws {
        let directory = try RowDirectory(body)
        #expect(directory.count == 0)
        #expect(directory.keyHashes == [])
        #expect(directory.rows(withHash: 0) == [])
    }

    @Test func `finds the rows of a key`() throws {
        let directory = try RowDirectory(
            #"[{"id":1},{"id":2},{"id":null},{"id":1.0},{"id":"1"},{"x":1}]"#)
        #expect(try directory.rows(withHash: hash("1")) == [0, 3, 4])
        #expect(try directory.rows(withHash: hash("2")) == [1])
        #expect(try directory.rows(withHash: hash("\"1\"")) == [0, 3, 4])
        #expect(try directory.rows(withHash: hash("3")) == [])
    }

    @Test(arguments: [1, 2, 3, 15, 16, 17, 31, 33, 255, 256, 257, 4000])
    func `finds each of many rows`(_ count: Int) throws {
        let body = "[" + (0..<count).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
        let directory = try RowDirectory(body)
        #expect(directory.count == count)
        let found = try (0..<count).map { try directory.rows(withHash: hash("\($0)")) }
        #expect(found == (0..<count).map { [$0] })
        #expect(try RowDirectory(decoding: directory.encoded.span) == directory)
    }

    @Test(arguments: [17, 3000])
    func `finds all rows that share a key, in their order`(_ count: Int) throws {
        let body = "[" + (0..<count).map { "{\"id\":\($0 % 3)}" }.joined(separator: ",") + "]"
        let directory = try RowDirectory(body)
        for key in 0..<3 {
            let rows = (0..<count).filter { $0 % 3 == key }
            #expect(try directory.rows(withHash: hash("\(key)")) == rows)
        }
        #expect(try RowDirectory(decoding: directory.encoded.span) == directory)
    }

    @Test(arguments: [
        ("1", 0), (" {} ", 1), ("\"x\"", 0), ("null", 0), ("true", 0), ("{\"message\":\"no\"}", 0),
        ("[1]", 1), ("[{},1]", 4), ("[[{}]]", 1), ("[null]", 1), ("[{} , \"x\"]", 6),
    ])
    func `isn't made of anything but an array of objects`(_ body: String, _ offset: Int) {
        #expect(throws: RowListError.notAList(offset: offset)) { try RowDirectory(body) }
    }

    @Test(arguments: [
        ("", JSONError.unexpectedEnd(offset: 0)), ("<html>", .unexpectedByte(offset: 0)),
        ("[", .unexpectedEnd(offset: 1)), ("[{}", .unexpectedEnd(offset: 3)),
        ("[{},]", .unexpectedByte(offset: 4)), ("[{}]]", .trailingBytes(offset: 4)),
        ("[{}{}]", .unexpectedByte(offset: 3)), ("[{\"a\":01}]", .invalidNumber(offset: 7)),
        ("[{\"a\":\"\u{1}\"}]", .controlCharacter(offset: 7)),
        ("[,{}]", .unexpectedByte(offset: 1)),
        ("[{]", .unexpectedByte(offset: 2)), ("[{\"a\"}]", .unexpectedByte(offset: 5)),
        ("[{\"a\":1,}]", .unexpectedByte(offset: 8)), ("[{\"a\":1 2}]", .unexpectedByte(offset: 8)),
        ("[{\"a\":}]", .unexpectedByte(offset: 6)), ("[{1:1}]", .unexpectedByte(offset: 2)),
    ])
    func `isn't made of broken JSON`(_ body: String, _ error: JSONError) {
        #expect(throws: RowListError.invalid(error)) { try RowDirectory(body) }
    }

    @Test func `isn't made of a body cut at any byte`() {
        let body = Bytes(#"[{"id":1,"n":{"a":[{}]}} ,{"é":"\n"}, {"id":"2"}]"#)
        for count in 0..<body.count {
            #expect(throws: RowListError.invalid(.unexpectedEnd(offset: count))) {
                let cut = body.slice(0..<count)
                return try RowDirectory(scanning: cut.span, columns: KeyColumns(["id"]))
            }
        }
    }

    @Test(arguments: [(509, true), (510, true), (511, false), (100_000, false)])
    func `counts the list and the row as nesting`(_ depth: Int, _ isTaken: Bool) {
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let body = "[{\"a\":\(value)}]"
        #expect(Bytes(body).isValid == isTaken)
        #expect(((try? RowDirectory(body)) != nil) == isTaken)
    }

    @Test func `isn't made of a body that is too long`() throws {
        let body = Bytes("[{}, {}]"), columns = KeyColumns(["id"])
        #expect(throws: RowListError.tooLong(count: 8)) {
            try RowDirectory(scanning: body.span, columns: columns, longest: 7)
        }
        #expect(try RowDirectory(scanning: body.span, columns: columns, longest: 8).count == 2)
    }

    static let seeds = [1, UInt64.random(in: 2...UInt64.max)]

    @Test(arguments: seeds)
    func `has rows that can be read one by one`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let body = JSONWriter.list(seed: random.next())
            let directory = try RowDirectory(scanning: body.span, columns: KeyColumns(["#0"]))
            var end = 0
            for row in 0..<directory.count {
                let range = directory[row]
                let text = body.slice(range)
                try #require(range.lowerBound > end, "seed \(seed)")
                try #require(text.first == UInt8(ascii: "{"), "seed \(seed)")
                try #require(text.last == UInt8(ascii: "}"), "seed \(seed)")
                try #require(text.isValid, "seed \(seed)")
                end = range.upperBound
            }
        }
    }
}
