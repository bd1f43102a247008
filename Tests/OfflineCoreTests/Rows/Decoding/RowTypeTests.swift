import Foundation
import OfflineCore
import Testing

@Suite("Decoding rows of a type", .timeLimit(.minutes(5)))
struct RowTypeTests {
    struct Task: Codable, Equatable {
        var id: Int
        var title: String
        var isDone: Bool
        var priority: Int?
        var position: Double
        var owner: UUID
        var createdAt: Date
        var tags: [String]
        var place: Place?

        struct Place: Codable, Equatable {
            var name: String
            var position: [Double]
        }

        enum CodingKeys: String, CodingKey {
            case id, title, priority, position, owner, tags, place
            case isDone = "is_done"
            case createdAt = "created_at"
        }
    }

    private let row = #"""
        {"id":1,"title":"Müsli \u00e4 \"x\"","is_done":false,"priority":null,"position":1.5,
         "owner":"8C3B0F5E-6c5d-4d6b-9f1c-000000000001","tags":["a","b\n"],"extra":[{"x":{}}],
         "created_at":"2026-01-02 03:04:05.123456+02","place":{"position":[1,2.5],"name":"Köln"}}
        """#

    @Test func `gives their values`() throws {
        let tasks = try #require(agreed([Task].self, "[\(row)]").value)
        #expect(tasks.count == 1)
        #expect(tasks[0].title == "Müsli ä \"x\"")
        #expect(tasks[0].priority == nil)
        #expect(tasks[0].createdAt.timeIntervalSince1970 == 1_767_315_845.123456)
        #expect(tasks[0].place == Task.Place(name: "Köln", position: [1, 2.5]))
    }

    @Test(arguments: ["[]", " [ ] ", "[\n]\n"])
    func `takes an empty list`(_ json: String) {
        #expect(agreed([Task].self, json).value == [])
    }

    @Test func `finds columns in any order, which may change from row to row`() throws {
        let rows = [
            #"{"id":1,"title":"x"}"#, #"{"title":"y","id":2}"#, #"{"title":"z","more":1,"id":3}"#,
            #"{"id":4,"titlf":"no","title":"yes"}"#, #"{"i":0,"id":5,"title":""}"#,
            #"{"id":6,"title":"x"}"#, #"{"id":7,"title":"x"}"#,
        ]
        struct Short: Decodable, Equatable {
            var id: Int
            var title: String
        }
        let json = "[" + rows.joined(separator: ",") + "]"
        #expect(agreed([Short].self, json).value?.map(\.id) == [1, 2, 3, 4, 5, 6, 7])
        #expect(agreed([Short].self, json).value?[3].title == "yes")
    }

    @Test(arguments: [
        #"[{"a":1,"a":2}]"#, #"[{"\u0061":1,"a":2}]"#, #"[{"a":1,"\u0061":2}]"#,
        #"[{"b":1,"a":1,"a":2},{"a":1,"b":0,"a":2},{"a":1,"a":2,"b":0},{"b":1,"a":1,"a":2}]"#,
    ])
    func `takes the first of repeated columns`(_ json: String) {
        #expect(agreed([Row<Int>].self, json).value?.allSatisfy { $0.a == 1 } == true)
    }

    @Test func `takes names for equal as Swift does`() {
        struct Accents: Decodable, Equatable {
            var é: Int
            var K: Int?
        }
        let composed = "{\"\u{E9}\":1,\"e\u{301}\":2}"
        let decomposed = "{\"e\u{301}\":1,\"\u{E9}\":2,\"\u{212A}\":3}"
        let escaped = #"{"e\u0301":1,"K":3}"#
        for json in [composed, decomposed, escaped] {
            #expect(agreed([Accents].self, "[\(json),\(json)]").value?.map(\.é) == [1, 1])
        }
        // The Kelvin sign as a key, the letter K as a name.
        struct Kelvin: Decodable, Equatable {
            var kelvin: Int?
            enum CodingKeys: String, CodingKey { case kelvin = "\u{212A}" }
        }
        #expect(agreed([Kelvin].self, #"[{"K":1}]"#).value?.first?.kelvin == 1)
    }

    @Test func `finds columns among many`() throws {
        let names = (0..<500).map { "column_\($0)" }
        let row = "{" + names.map { "\"\($0)\":\($0.count)" }.joined(separator: ",") + "}"
        let rows = try #require(agreed([[String: Int]].self, "[\(row),\(row)]").value)
        #expect(rows.count == 2)
        #expect(rows[1]["column_499"] == 10)
        #expect(rows[1].count == 500)
    }

    @Test func `takes dictionaries, arrays and optionals for rows`() {
        agreed([[String: Int]].self, #"[{"a":1,"b":2},{},{"c":3}]"#)
        agreed([[Int: Bool]].self, #"[{"1":true,"2":false}]"#)
        agreed([[String: [String: Int?]]].self, #"[{"a":{"x":1,"y":null}},{"b":{}}]"#)
        agreed([Row<Int>?].self, #"[{"a":1},null]"#)
        agreed([[Int]].self, "[[1,2],[],[3]]")
        agreed([Int].self, "[1, 2 ,3]")
        agreed(Set<String>.self, #"["a","b","a"]"#)
        agreed([Row<Row<[Row<Int>]>>].self, #"[{"a":{"a":[{"a":1},{"a":2}]}}]"#)
        agreed([Row<[[String: [Int?]]]>].self, #"[{"a":[{"x":[1,null]},{}]}]"#)
    }

    @Test func `takes values that are no list`() {
        agreed(Row<Int>.self, #" {"a":1} "#)
        agreed(Int.self, "1")
        agreed(String.self, #""x""#)
        agreed(Bool?.self, "null")
        agreed(Date.self, #""2026-01-02""#)
        agreed(Row<Int>.self, "[]")
        agreed([Int].self, "{}")
    }

    @Test func `gives classes, enumerations and wrapped values`() {
        agreed([Row<Colour>].self, #"[{"a":"red"},{"a":"green"}]"#)
        agreed([Row<Colour>].self, #"[{"a":"blue"}]"#)
        agreed([Row<Level>].self, #"[{"a":1}]"#)
        agreed([Row<Level>].self, #"[{"a":3}]"#)
        agreed([Row<Shape>].self, #"[{"a":{"circle":{"radius":2}}},{"a":{"point":{}}}]"#)
        agreed([Row<Shape>].self, #"[{"a":{"circle":{"radius":"x"}}}]"#)
        agreed([Row<Shape>].self, #"[{"a":{"circle":{},"point":{}}}]"#)
        agreed([Row<Shape>].self, #"[{"a":{"square":{}}}]"#)
        agreed([Row<Name>].self, #"[{"a":"x"},{"a":null}]"#)
        agreed([Wrapped].self, #"[{"lower":"ABC"},{"lower":"é"}]"#)
        agreed([Wrapped].self, #"[{"lower":1}]"#)
        agreed([Child].self, #"[{"id":1,"name":"x","super":{"id":2}}]"#)
        agreed([Child].self, #"[{"name":"x"}]"#)
        agreed([Flat].self, #"[{"id":1,"street":"a","city":"b"}]"#)
        agreed([Flat].self, #"[{"id":1,"street":"a"}]"#)
    }
}

private enum Colour: String, Decodable { case red, green }
private enum Level: Int, Decodable { case low = 1, high }
private enum Shape: Decodable, Equatable {
    case circle(radius: Double)
    case point
}

private struct Name: RawRepresentable, Decodable, Equatable { var rawValue: String }

@propertyWrapper
private struct Lowercased: Decodable, Equatable {
    var wrappedValue: String

    init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(String.self).lowercased()
    }
}

private struct Wrapped: Decodable, Equatable { @Lowercased var lower: String }

private class Parent: Decodable, Equatable {
    let id: Int

    static func == (lhs: Parent, rhs: Parent) -> Bool { lhs.id == rhs.id }
}

private final class Child: Parent {
    let name: String

    private enum CodingKeys: CodingKey { case name }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        try super.init(from: container.superDecoder())
    }
}

/// A row whose columns belong to two types.
private struct Flat: Decodable, Equatable {
    var id: Int
    var address: Address

    struct Address: Decodable, Equatable {
        var street: String
        var city: String
    }

    private enum CodingKeys: CodingKey { case id }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        address = try Address(from: decoder)
        id = try container.decode(Int.self, forKey: .id)
    }
}
