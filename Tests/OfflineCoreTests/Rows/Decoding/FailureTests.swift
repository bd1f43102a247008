import Foundation
import OfflineCore
import OfflineTesting
import Testing

@Suite("Rows that can't be decoded", .timeLimit(.minutes(5)))
struct DecodingFailureTests {
    private struct Deep: Decodable, Equatable {
        var id: Int
        var inner: [Inner]

        struct Inner: Decodable, Equatable {
            var name: String
            var at: Date?
            var by: UUID
        }
    }

    @Test(arguments: [
        (#"[{"id":1}]"#, "keyNotFound(inner) at [Index 0/0]"),
        (
            #"[{"id":1,"inner":[]},{"id":null,"inner":[]}]"#,
            "valueNotFound(Int) at [Index 1/1, id/]"
        ),
        (#"[{"id":"1","inner":[]}]"#, "typeMismatch(Int) at [Index 0/0, id/]"),
        (#"[{"id":1e400,"inner":[]}]"#, "dataCorrupted at []"),
        (#"[{"id":1.5,"inner":[]}]"#, "dataCorrupted at []"),
        (#"[{"id":1,"inner":{}}]"#, "typeMismatch(Array<Any>) at [Index 0/0, inner/]"),
        (
            #"[{"id":1,"inner":[{"name":1}]}]"#,
            "typeMismatch(String) at [Index 0/0, inner/, Index 0/0, name/]"
        ),
        (
            #"[{"id":1,"inner":[{"name":"","at":"x"}]}]"#,
            "dataCorrupted at [Index 0/0, inner/, Index 0/0, at/]"
        ),
        (
            #"[{"id":1,"inner":[{"name":"","by":"x"}]}]"#,
            "dataCorrupted at [Index 0/0, inner/, Index 0/0, by/]"
        ),
        (
            #"[{"id":1,"inner":[null]}]"#,
            "valueNotFound(Dictionary<String, Any>) at [Index 0/0, inner/, Index 0/0]"
        ),
        (#"[{"id":1,"inner":[{"name":"\ud800"}]}]"#, "dataCorrupted at []"),
        (#"[{"id":1,"\ud800":[]}]"#, "dataCorrupted at []"),
        ("[1]", "typeMismatch(Dictionary<String, Any>) at [Index 0/0]"),
        ("{}", "typeMismatch(Array<Any>) at []"), ("null", "valueNotFound(Array<Any>) at []"),
    ])
    func `fail with the path to what is wrong`(_ json: String, _ failure: String) {
        #expect(agreed([Deep].self, json).failure == failure)
    }

    @Test func `fail with the app's own error`() {
        struct Refusing: Decodable, Equatable {
            init(from decoder: any Decoder) throws { throw AppError() }
        }
        #expect(agreed([Refusing].self, "[{}]").failure == "the app's")
        #expect(agreed([Row<Refusing>].self, #"[{"a":1}]"#).failure == "the app's")
    }

    @Test func `say in words what was found, and nothing of the row`() throws {
        let error = #expect(throws: DecodingError.self) {
            try ours([Row<Int>].self, #"[{"a":"secret"}]"#)
        }
        let words = try #require(error.map { "\($0)" })
        #expect(words.contains("Expected to decode Int but found a string instead."))
        #expect(!words.contains("secret"))
    }

    /// Asks for as little as it can.
    private struct First: Decodable {
        init(from decoder: any Decoder) throws {
            var rows = try decoder.unkeyedContainer()
            _ = try rows.decode(Row<Int>.self)
        }
    }

    private struct Nothing: Decodable {
        init(from decoder: any Decoder) {}
    }

    @Test(arguments: [
        "", " ", "[", "]", "[{\"a\":1}", #"[{"a":1},]"#, #"[{"a":1},x]"#, #"[{"a":1}]x"#,
        #"[{"a":1}}"#, #"[{"a":01}]"#, #"[{"a":1} {"a":1}]"#, "\u{FEFF}[]",
        "[{\"a\":1,\"b\":\"\u{1}\"}]",
        "nul", "[\0]", "\0", "[{\"a\":1},{\"b\":[}]", "[{\"a\":\"x\"},",
    ])
    func `are corrupted if their text is no JSON, whatever is asked for`(_ text: String) {
        func failure<T: Decodable>(_ type: T.Type) -> String? {
            Outcome {
                _ = try ours(type, text)
                return 0
            }.failure
        }
        #expect(failure([Row<Int>].self) == "dataCorrupted at []")
        #expect(failure(First.self) == "dataCorrupted at []")
        #expect(failure(Nothing.self) == "dataCorrupted at []")
        #expect(failure([[String: Bool]].self) == "dataCorrupted at []")
        #expect(failure(String.self) == "dataCorrupted at []")
    }

    @Test func `are corrupted, even if a type starts over behind the fault`() {
        struct Restarting: Decodable, Equatable {
            struct Second: Decodable { var b: Int? }

            init(from decoder: any Decoder) throws {
                for _ in 0..<2 {
                    var rows = try decoder.unkeyedContainer()
                    while !rows.isAtEnd, (try? rows.decode(Second.self)) != nil {}
                }
            }
        }
        let json = #"[{"a":1},{"a":1,"b":2},{"a":1,"b":x}]"#
        #expect(agreed(Restarting.self, json).failure == "dataCorrupted at []")
    }

    @Test func `are corrupted if they are nested too deeply`() {
        struct Nest: Decodable, Equatable {
            var inner: [Nest]

            init(from decoder: any Decoder) throws {
                inner = try decoder.singleValueContainer().decode([Nest].self)
            }
        }
        for depth in [511, 512, 513, 600] {
            let json =
                String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            agreed(Nest.self, json)
            agreed([Row<Nest>].self, "[{\"a\":\(json)}]")
            agreed([Row<Int>].self, "[{\"a\":1,\"b\":\(json)}]")
        }
    }

    @Test(arguments: LeafTests.seeds)
    func `never crash, whatever the bytes are`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<3_000 {
            var body = RowListWriter.list(using: &random)
            for _ in 0..<Int.random(in: 1...3, using: &random) where !body.isEmpty {
                let place = body.indices.randomElement(using: &random) ?? 0
                if Bool.random(using: &random) {
                    body.removeSubrange(place..<min(place + 3, body.count))
                } else {
                    body[place] = UInt8(
                        ascii: Unicode.Scalar(
                            "{}[],:\"\\0-eEtnx".utf8.randomElement(using: &random) ?? 0))
                }
            }
            let trace = Trace(seed: random.next())
            let outcome = Outcome {
                _ = try RowDecoder(userInfo: [.trace: trace]).decode([Probe].self, from: body)
                return 0
            }
            if !body.isValid { #expect(outcome.failure == "dataCorrupted at []", "\(body.text)") }
        }
    }
}
