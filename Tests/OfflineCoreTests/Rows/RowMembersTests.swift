import Foundation
import OfflineCore
import Testing

@Suite("The members of a row", .timeLimit(.minutes(5)))
struct RowMembersTests {
    private let row = Bytes(
        #" { "id" :12.50 , "n\u0061me":"J\u00fcrgen" ,"id":3,"" : [ 1, {} ]}, {}"#)

    @Test func `come in their order, as they are written`() throws {
        var members = RowMembers()
        let end = try members.read(row.span, at: 1)
        #expect(row.slice(end..<row.count).text == ", {}")
        let names = members.members.map { row.slice($0.name).text }
        let values = members.members.map { row.slice($0.value).text }
        #expect(names == ["id", #"n\u0061me"#, "id", ""])
        #expect(values == ["12.50", #""J\u00fcrgen""#, "3", "[ 1, {} ]"])
        #expect(members.members.map(\.isNameEscaped) == [false, true, false, false])
    }

    @Test func `are found by the text of their name`() throws {
        var members = RowMembers()
        try members.read(row.span, at: 1)
        let name = try #require(members.first(named: "name", in: row))
        #expect(try JSONText.string(of: row.slice(name.value).span) == "Jürgen")
        #expect(members.first(named: "", in: row)?.name.isEmpty == true)
        #expect(members.first(named: "nam", in: row) == nil)
        #expect(members.first(named: #"n\u0061me"#, in: row) == nil)
    }

    @Test func `are found first where a name is repeated, as by JSONDecoder`() throws {
        struct Row: Decodable { var id: Double }
        var members = RowMembers()
        try members.read(row.span, at: 1)
        let id = try #require(members.first(named: "id", in: row))
        #expect(row.slice(id.value).text == "12.50")
        for text in [#"{"id":1,"id":2}"#, #"{"\u0069d":1,"id":2}"#, #"{"id":1,"\u0069d":2}"#] {
            #expect(try JSONDecoder().decode(Row.self, from: Data(text.utf8)).id == 1)
        }
    }

    @Test func `are replaced by those of the next row`() throws {
        var members = RowMembers()
        try members.read(row.span, at: 1)
        try members.read(row.span, at: row.count - 2)
        #expect(members.members.isEmpty)
    }

    @Test(arguments: [
        ("", JSONError.unexpectedEnd(offset: 0)), ("[]", .unexpectedByte(offset: 0)),
        ("{\"a\":1", .unexpectedEnd(offset: 6)), ("{\"a\":tru}", .unexpectedByte(offset: 8)),
        ("{\"a\":1,}", .unexpectedByte(offset: 7)), (" {}", .unexpectedByte(offset: 0)),
    ])
    func `aren't read from anything but an object`(_ text: String, _ error: JSONError) {
        var members = RowMembers()
        #expect(throws: error) { try members.read(Bytes(text).span) }
    }

    @Test(arguments: [-1, 3, .max, .min])
    func `aren't read from outside of the bytes`(_ start: Int) {
        var members = RowMembers()
        #expect(throws: JSONError.self) { try members.read(Bytes("{}").span, at: start) }
    }
}
