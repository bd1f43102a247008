import OfflineCore
import Testing

@Suite("A scan of JSON", .timeLimit(.minutes(5)))
struct JSONGrammarTests {
    @Test(arguments: [
        "0", "-0", "1", "-1", "10", "0.5", "-0.5", "1.0", "1e5", "1E5", "1e+5", "1e-5", "0e0",
        "1.5e300", "1e400", "-1e-400", "1e999999999", "123456789012345678901234567890",
        "0.00000000000000000000000000001",
    ])
    func `takes every number of the grammar, however large`(_ number: String) {
        #expect(Bytes(number).error == nil)
        #expect(Bytes("[\(number),\(number)]").error == nil)
    }

    @Test(arguments: [
        ("-", JSONError.unexpectedEnd(offset: 1)), ("-x", .invalidNumber(offset: 1)),
        ("01", .invalidNumber(offset: 1)), ("-01", .invalidNumber(offset: 2)),
        ("00", .invalidNumber(offset: 1)), ("1.", .unexpectedEnd(offset: 2)),
        ("1.x", .invalidNumber(offset: 2)), ("1e", .unexpectedEnd(offset: 2)),
        ("1e+", .unexpectedEnd(offset: 3)), ("1ex", .invalidNumber(offset: 2)),
        ("--1", .invalidNumber(offset: 1)), ("+1", .unexpectedByte(offset: 0)),
        (".5", .unexpectedByte(offset: 0)), ("1.e5", .invalidNumber(offset: 2)),
        ("0x10", .trailingBytes(offset: 1)), ("1.5.5", .trailingBytes(offset: 3)),
        ("1e5.5", .trailingBytes(offset: 3)), ("NaN", .unexpectedByte(offset: 0)),
        ("Infinity", .unexpectedByte(offset: 0)), ("1_000", .trailingBytes(offset: 1)),
    ])
    func `refuses any other number`(_ number: String, _ error: JSONError) {
        #expect(Bytes(number).error == error)
    }

    @Test(arguments: ["true", "false", "null", "\"\"", "[]", "{}", "[[],{}]", "{\"\":{}}"])
    func `takes every kind of value`(_ value: String) {
        #expect(Bytes(value).error == nil)
    }

    @Test(arguments: [
        ("tru", JSONError.unexpectedEnd(offset: 3)), ("trux", .unexpectedByte(offset: 3)),
        ("True", .unexpectedByte(offset: 0)), ("nulL", .unexpectedByte(offset: 3)),
        ("falsey", .trailingBytes(offset: 5)), ("'a'", .unexpectedByte(offset: 0)),
        ("undefined", .unexpectedByte(offset: 0)), ("\0", .unexpectedByte(offset: 0)),
        ("//\n1", .unexpectedByte(offset: 0)),
    ])
    func `refuses other words`(_ value: String, _ error: JSONError) {
        #expect(Bytes(value).error == error)
    }

    @Test(arguments: [
        ("[1,]", JSONError.unexpectedByte(offset: 3)), ("[,1]", .unexpectedByte(offset: 1)),
        ("[1 2]", .unexpectedByte(offset: 3)), ("[1,,2]", .unexpectedByte(offset: 3)),
        ("{\"a\":1,}", .unexpectedByte(offset: 7)), ("{,}", .unexpectedByte(offset: 1)),
        ("{\"a\" 1}", .unexpectedByte(offset: 5)), ("{\"a\":}", .unexpectedByte(offset: 5)),
        ("{1:2}", .unexpectedByte(offset: 1)), ("{\"a\":1 \"b\":2}", .unexpectedByte(offset: 7)),
        ("[1}", .unexpectedByte(offset: 2)), ("{\"a\":1]", .unexpectedByte(offset: 6)),
        ("[[1]", .unexpectedEnd(offset: 4)), ("]", .unexpectedByte(offset: 0)),
        ("[]]", .trailingBytes(offset: 2)), ("[{\"a\":[1},2]", .unexpectedByte(offset: 8)),
        ("[1]2", .trailingBytes(offset: 3)), ("[1]\0", .trailingBytes(offset: 3)),
        ("[1:2]", .unexpectedByte(offset: 2)), ("{\"a\",1}", .unexpectedByte(offset: 4)),
    ])
    func `refuses what doesn't fit together`(_ text: String, _ error: JSONError) {
        #expect(Bytes(text).error == error)
    }

    @Test(arguments: ["", " ", "\n\t\r "])
    func `refuses a text without a value`(_ text: String) {
        #expect(Bytes(text).error == .unexpectedEnd(offset: text.utf8.count))
    }

    @Test func `passes over blanks wherever they may stand`() throws {
        let text = Bytes(" \n[\t1\r,{ \"a\"\n:\ttrue , \"b\" : [ ] } , { } ]\r\n ")
        #expect(try JSONScanner.validate(text.span) == 2..<text.count - 3)
    }

    @Test(arguments: ["\u{C}", "\u{B}", "\u{A0}", "\u{FEFF}", "\u{2028}"])
    func `takes nothing else for a blank`(_ character: String) {
        #expect(Bytes("[\(character)1]").error == .unexpectedByte(offset: 1))
    }

    @Test func `refuses a byte order mark and other encodings`() {
        #expect(Bytes("\u{FEFF}[1]").error == .unexpectedByte(offset: 0))
        for text in [[0x5B, 0, 0x31, 0, 0x5D, 0], [0, 0x5B, 0, 0x31, 0, 0x5D]] as [Bytes] {
            #expect(!text.isValid)
        }
    }

    @Test func `refuses a text cut at any byte`() {
        let whole = Bytes(
            """
            [{"id": -1.5e+7, "täxt\\n": "\\uD83D\\uDE00 😀", "ok": [true, false, null, {}]}, []]
            """)
        #expect(whole.isValid)
        for count in 0..<whole.count {
            #expect(whole.slice(0..<count).error == .unexpectedEnd(offset: count))
        }
    }

    @Test(arguments: [64, 65, 128, 511, 512])
    func `takes values nested up to the limit`(_ depth: Int) {
        #expect(Bytes.nested(depth, "[", "]").isValid)
        #expect(Bytes.nested(depth, "{\"a\":", "}", inside: "1").isValid)
        #expect(Bytes.nested(depth / 2, "{\"a\":[", "]}").isValid)
    }

    @Test func `remembers what is open at every depth`() {
        for depth in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
            let kinds = (0..<depth).map { ($0 * 7 + depth) % 3 == 0 }
            let start = kinds.map { $0 ? "{\"a\":" : "[" }.joined()
            let ends = kinds.reversed().map { $0 ? "}" : "]" }
            #expect(Bytes("\(start)1\(ends.joined())").isValid)
            for wrong in ends.indices {
                var ends = ends
                ends[wrong] = ends[wrong] == "}" ? "]" : "}"
                #expect(!Bytes("\(start)1\(ends.joined())").isValid)
            }
        }
    }

    @Test(arguments: [513, 514, 100_000])
    func `refuses values nested past the limit`(_ depth: Int) {
        let limit = JSONScanner.deepestNesting
        #expect(Bytes.nested(depth, "[", "]").error == .tooDeep(offset: limit))
        #expect(Bytes.nested(depth, "[", "").error == .tooDeep(offset: limit))
        #expect(Bytes.nested(depth, "{\"a\":", "}").error == .tooDeep(offset: 5 * limit))
    }
}

extension Bytes {
    fileprivate static func nested(
        _ depth: Int, _ start: String, _ end: String, inside: String = ""
    ) -> Bytes {
        let start = String(repeating: start, count: depth)
        return Bytes(start + inside + String(repeating: end, count: depth))
    }
}
