import Foundation
import OfflineCore
import Testing

@Suite("What a type may do with its decoder", .timeLimit(.minutes(5)))
struct DecoderUseTests {
    private static let json =
        #"[{"id":1,"n":{"id":10}},{"id":2,"n":{"id":20}},{"id":3,"n":{"id":30}}]"#

    private enum Keys: CodingKey { case id, n }

    /// Keeps what it was given.
    private struct Keeping: Decodable {
        let decoder: any Decoder
        let container: KeyedDecodingContainer<Keys>
        let nested: KeyedDecodingContainer<Keys>

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            container = try decoder.container(keyedBy: Keys.self)
            nested = try container.nestedContainer(keyedBy: Keys.self, forKey: .n)
        }
    }

    /// Keeps what its member was given.
    private struct KeepingDeeper: Decodable { let n: Keeping }

    @Test func `is to keep it, and its containers, for later`() throws {
        let rows = try ours([Keeping].self, Self.json)
        #expect(try rows.map { try $0.container.decode(Int.self, forKey: .id) } == [1, 2, 3])
        #expect(try rows.map { try $0.nested.decode(Int.self, forKey: .id) } == [10, 20, 30])
        #expect(rows.map { $0.decoder.codingPath.first?.intValue } == [0, 1, 2])
        let again = try rows.map { row in
            try row.decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .id)
        }
        #expect(again == [1, 2, 3])
        let deeper = try ours(
            [KeepingDeeper].self,
            #"[{"n":\#(Self.json.dropFirst().prefix(22))},{"n":{"id":7,"n":{"id":8}}}]"#)
        #expect(try deeper.map { try $0.n.nested.decode(Int.self, forKey: .id) } == [10, 8])
    }

    @Test func `is to find what the caller passed on`() throws {
        struct Reading: Decodable {
            let number: Int?

            init(from decoder: any Decoder) throws {
                number = CodingUserInfoKey(rawValue: "number").flatMap {
                    decoder.userInfo[$0] as? Int
                }
            }
        }
        let key = try #require(CodingUserInfoKey(rawValue: "number"))
        #expect(try ours([Row<Reading?>].self, #"[{"a":{}}]"#, [key: 7]).first?.a?.number == 7)
    }

    @Test func `is to try several ways`() {
        struct Either: Decodable, Equatable {
            var text: String

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int.self) {
                    text = "number \(number)"
                } else if let list = try? container.decode([Either].self) {
                    text = list.map(\.text).joined(separator: ", ")
                } else {
                    text = try container.decode(String.self)
                }
            }
        }
        let json = #"[{"a":1},{"a":"x"},{"a":[1,"y",[2]]},{"a":1e400}]"#
        #expect(
            agreed([Row<Either>].self, json).failure == "typeMismatch(String) at [Index 3/3, a/]")
        agreed([Row<Either>].self, json.replacingOccurrences(of: "1e400", with: "1e2"))
    }

    @Test func `is to go on behind an element that failed`() {
        /// Leaves out what doesn't fit.
        struct Lossy: Decodable, Equatable {
            var rows: [Int]

            init(from decoder: any Decoder) throws {
                rows = []
                var container = try decoder.unkeyedContainer()
                while !container.isAtEnd {
                    if let row = try? container.decode(Row<Int>.self) {
                        rows.append(row.a)
                    } else {
                        _ = try container.superDecoder()
                    }
                }
            }
        }
        let json = #"[{"a":1},{"a":"x"},{},7,null,{"a":2},[{"a":3}]]"#
        #expect(agreed(Lossy.self, json).value?.rows == [1, 2])
        #expect(agreed([Row<Lossy>].self, "[{\"a\":\(json)}]").value?.first?.a.rows == [1, 2])
    }

    @Test func `is to decode in its own actor`() async throws {
        let rows = try await MainActor.run {
            try ours([MainActorRow].self, #"[{"a":1},{"a":2}]"#).map(\.a)
        }
        #expect(rows == [1, 2])
    }
}

@MainActor
private final class MainActorRow: @MainActor Decodable {
    let a: Int

    private enum CodingKeys: CodingKey { case a }
}
