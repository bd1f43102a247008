import Foundation
import OfflineCore
import OfflineTesting
import Testing

@Suite("The columns of a write", .timeLimit(.minutes(5)))
struct RowColumnsTests {
    @Test func `come in their order, the last value of a repeated name`() throws {
        let columns = try columns(#"{"a":1,"b":[ 2 ],"\u0061":3.0}"#)
        #expect(columns.columns.map { String(decoding: $0.name, as: UTF8.self) } == ["a", "b"])
        #expect(
            columns.columns.map { String(decoding: $0.value, as: UTF8.self) } == ["3.0", "[ 2 ]"])
        #expect(columns.value(ofName: Bytes("a".utf8)) == Bytes("3.0".utf8))
        #expect(columns.value(ofName: Bytes("c".utf8)) == nil)
    }

    @Test(arguments: ["", "[]", "{", #"{"a":1} "#, #"{"a":1}{}"#, "7"])
    func `aren't read from anything but one object`(_ text: String) {
        #expect(throws: JSONError.self) { try RowColumns(Bytes(text.utf8).span) }
    }

    @Test func `aren't read where a name is no text`() throws {
        let columns = try RowColumns(Bytes(#"{"\ud800":1}"#.utf8).span)
        #expect(columns == nil)
    }

    /// A row, a payload, and the row with its columns.
    @Test(arguments: [
        (#"{"id":1,"title":"a"}"#, #"{"title":"b"}"#, #"{"id":1,"title":"b"}"#),
        (#"{"id":1,"title":"a"}"#, #"{"id":2,"title":"b"}"#, #"{"id":2,"title":"b"}"#),
        // Everything else stays as it is written: blanks, digits, escapes, unknown columns.
        (
            #"{ "id" : 10000000000000000001.50 ,"n\u0061me": "J\u00fcrgen","x":{"y":[1]} }"#,
            #"{"x":null}"#,
            #"{ "id" : 10000000000000000001.50 ,"n\u0061me": "J\u00fcrgen","x":null }"#
        ),
        // A name counts by its text.
        (#"{"n\u0061me":1}"#, #"{"name":2}"#, #"{"n\u0061me":2}"#),
        (#"{"é":1}"#, #"{"\u00e9":2}"#, #"{"é":2}"#),
        (#"{"é":1}"#, #"{"e\u0301":2}"#, nil),
        // What the server was not asked for isn't added.
        (#"{"id":1}"#, #"{"title":"b"}"#, nil),
        (#"{}"#, #"{"title":"b"}"#, nil),
        // Nothing changes where nothing is said, or what is there already.
        (#"{"id":1}"#, #"{}"#, nil),
        (#"{"id":1}"#, #"{"id":1}"#, nil),
        // A repeated name stands for one column.
        (#"{"a":1,"b":2,"a":3}"#, #"{"a":4}"#, #"{"a":4,"b":2,"a":4}"#),
    ])
    func `take the place of a row's own`(
        _ row: String, _ payload: String, _ expected: String?
    ) throws {
        var members = RowMembers()
        let patched = try columns(payload).replaced(in: Bytes(row.utf8).span, &members)
        #expect(patched.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test func `make a row of those that are wanted`() throws {
        let columns = try columns(#"{"id":1,"q\"\\\n\u0000é":"x","other":true}"#)
        let whole = columns.object()
        let read = try #require(try RowColumns(whole.span))
        #expect(read == columns)
        let some = columns.object { $0 != Bytes("other".utf8) }
        #expect(try RowColumns(some.span)?.columns.count == 2)
        #expect(columns.object { _ in false } == Bytes("{}".utf8))
        let decoded = try JSONSerialization.jsonObject(with: Data(whole)) as? [String: Any]
        #expect(decoded?["q\"\\\n\u{0}é"] as? String == "x")
    }

    @Test(arguments: (0..<50).map { _ in UInt64.random(in: .min ... .max) })
    func `change a random row as a dictionary would`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var members = RowMembers()
        for _ in 0..<50 {
            let (row, payload) = (random.object(), random.object())
            let before = try dictionary(row)
            let patched = try columns(payload).replaced(in: row.utf8Bytes.span, &members)
            let after = try dictionary(patched.map { String(decoding: $0, as: UTF8.self) } ?? row)
            var expected = before
            for (name, value) in try dictionary(payload) where before[name] != nil {
                expected[name] = value
            }
            #expect(after == expected, "seed \(seed)")
        }
    }

    private func columns(_ text: String) throws -> RowColumns {
        try #require(try RowColumns(text.utf8Bytes.span))
    }

    private func dictionary(_ text: String) throws -> [String: Int] {
        try JSONDecoder().decode([String: Int].self, from: Data(text.utf8))
    }
}

extension SplitMix64 {
    /// A row of a few columns, from a few names.
    fileprivate mutating func object() -> String {
        let names = ["a", "b", "ä", "quote\\\"", "long name with blanks"].filter { _ in
            Bool.random(using: &self)
        }
        let members = names.map { name in
            "\"\(name)\"\(Bool.random(using: &self) ? " : " : ":")\(Int.random(in: 0..<4, using: &self))"
        }
        return "{\(members.joined(separator: Bool.random(using: &self) ? " , " : ","))}"
    }
}

extension String {
    fileprivate var utf8Bytes: Bytes { Bytes(utf8) }
}
