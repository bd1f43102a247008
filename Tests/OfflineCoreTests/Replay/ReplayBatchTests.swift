import Testing

@testable import OfflineCore

@Suite("Inserts that travel together", .timeLimit(.minutes(5)))
struct ReplayBatchTests {
    private func batch(_ writes: [QueuedWrite], alone: Set<Int> = []) -> ReplayBatch {
        var batch = ReplayBatch(writes[0], isAlone: alone.contains(0))
        for (index, write) in writes.enumerated().dropFirst()
        where !batch.take(write, isAlone: alone.contains(index)) { break }
        return batch
    }

    // MARK: Bodies

    @Test func `have one body with all their rows, as they are written`() {
        let first = #"{ "id": 1, "t": "é\u00e9,]}" }"#
        let second = #"[{"t":[1,{"a":null}],"id":2.50} , {"id":3,"t":""}]"#
        let third = #" [ {"id":4,"t":null} ] "#
        let all = batch([.insert(first), .insert(second), .insert(third)])
        #expect(all.count == 3)
        #expect(
            all.body == "[" + first + "," + second.dropFirst().dropLast() + ","
                + #"{"id":4,"t":null}"# + "]")
    }

    @Test(arguments: [#"{"id": 1}"#, #"[{"id":1} ]"#, "[]", "{}"])
    func `keep their body if there is only one`(_ body: String) {
        for alone in [batch([.insert(body)]), batch([.insert(body), .delete()])] {
            #expect(alone.count == 1)
            #expect(alone.body == body)
        }
    }

    @Test func `are the request of the first with other rows`() {
        let headers: HTTPHeaders = ["Prefer": "return=minimal", "X-A": "1"]
        let items: KeyValuePairs = ["columns": #""id""#, "select": "id"]
        let writes = [UInt64(1), 2].map { id in
            QueuedWrite.insert(#"[{"id":\#(id)}]"#, items, headers: headers, id: id)
        }
        var expected = writes[0].request
        expected.body = Bytes(#"[{"id":1},{"id":2}]"#.utf8)
        #expect(batch(writes).request == expected)
    }

    @Test func `may have their columns in another order`() {
        #expect(batch([.insert(#"{"a":1,"b":2}"#), .insert(#"{"b":3,"a":4}"#)]).count == 2)
    }

    // MARK: Who goes

    static let strangers: [(String, QueuedWrite)] = [
        ("an upsert", .upsert(#"{"id":2}"#)),
        ("an update", .update(#"{"id":2}"#)),
        ("a delete", .delete()),
        ("a call", .call()),
        ("another table", .insert(#"{"id":2}"#, into: "other")),
        ("another schema", .insert(#"{"id":2}"#).with { $0.request = $0.request.of(schema: "s") }),
        ("another column", .insert(#"{"id":2,"t":1}"#)),
        ("one column less", .insert("{}")),
        ("another item", .insert(#"{"id":2}"#, ["select": "id"])),
        ("another header", .insert(#"{"id":2}"#, headers: ["Prefer": "return=minimal"])),
        ("a count", .insert(#"{"id":2}"#, headers: ["Prefer": "count=exact"])),
        ("a single row", .insert(#"{"id":2}"#, headers: ["Accept": MediaType.object])),
        (
            "a row that may be missing",
            .insert(#"{"id":2}"#).with { $0.request.isRowOptional = true }
        ),
        ("one that was perhaps sent", .insert(#"{"id":2}"#).with { $0.isPerhapsSent = true }),
        ("rows of different columns", .insert(#"[{"id":2},{"id":3,"t":1}]"#)),
        ("no body", .insert("{}").with { $0.request.body = nil }),
    ]

    @Test(arguments: strangers)
    func `are of one kind`(_ name: String, _ stranger: QueuedWrite) {
        let insert = QueuedWrite.insert(#"{"id":1}"#)
        #expect(batch([insert, insert, stranger, insert]).count == 2)
        #expect(batch([stranger, insert, insert]).count == 1)
    }

    @Test(arguments: [
        QueuedWrite.insert(#"{"id":1}"#, headers: ["Prefer": "count=exact"]),
        .insert(#"{"id":1}"#, headers: ["Accept": MediaType.object]),
        .insert(#"{"id":1}"#).with { $0.request.isRowOptional = true },
        .insert(#"{"id":1}"#).with { $0.isPerhapsSent = true },
        .insert(#"[{"id":2},{"id":3,"t":1}]"#), .update(), .upsert(#"{"id":1}"#),
    ])
    func `are never those that have to go alone, however like they are`(_ write: QueuedWrite) {
        #expect(batch([write, write]).count == 1)
    }

    @Test func `are none that somebody wants to go alone`() {
        let inserts = Array(repeating: QueuedWrite.insert(#"{"id":1}"#), count: 4)
        #expect(batch(inserts).count == 4)
        #expect(batch(inserts, alone: [0]).count == 1)
        #expect(batch(inserts, alone: [1]).count == 1)
        #expect(batch(inserts, alone: [3]).count == 3)
    }

    // MARK: Limits

    @Test func `are a hundred rows at most`() {
        let inserts = Array(repeating: QueuedWrite.insert(#"{"id":1}"#), count: 101)
        #expect(batch(Array(inserts.prefix(100))).count == 100)
        #expect(batch(inserts).count == 100)
        let forty = QueuedWrite.insert(
            "[" + Array(repeating: #"{"id":1}"#, count: 40).joined(separator: ",") + "]")
        #expect(batch([forty, forty, forty]).count == 2)
        #expect(batch([forty, forty] + inserts).count == 22)
        let many = QueuedWrite.insert(
            "[" + Array(repeating: #"{"id":1}"#, count: 101).joined(separator: ",") + "]")
        #expect(batch([many, inserts[0]]).count == 1)
    }

    @Test func `are a mebibyte at most, brackets and commas included`() {
        func insert(_ length: Int) -> QueuedWrite {
            .insert(#"{"t":""# + String(repeating: "x", count: length - 8) + #""}"#)
        }
        let half = 1 << 19
        let full = batch([insert(half), insert(half - 3), insert(8)])
        #expect(full.count == 2)
        #expect(full.request.body?.count == 1 << 20)
        #expect(batch([insert(half), insert(half - 2)]).count == 1)
        #expect(batch([insert(2 << 20), insert(8)]).count == 1)
    }
}

extension ReplayBatch {
    fileprivate var body: String { String(decoding: request.body ?? [], as: UTF8.self) }
}

extension PostgrestRequest {
    fileprivate func of(schema: String) -> PostgrestRequest {
        var request = PostgrestRequest(target, schema: schema, method: method)
        request.body = body
        return request
    }
}
