import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("A write that needs the server", .timeLimit(.minutes(5)))
struct SendingTests {
    private struct Row: Codable, Equatable, Sendable {
        var id: Int
        var title: String
    }

    @Test func `is sent once, and tells that the server has taken it`() throws {
        try World.run { world in
            world.network.accept()
            let outcome = try await world.client.from("tasks").insert(
                Row(id: 1, title: "a"), policy: .requireServer
            )
            .execute()
            let response = try #require(outcome.response)
            #expect(response.status == 201 && !response.isFromCache && response.fetchedAt == nil)
            #expect(world.network.requests.map(\.method) == ["POST"])
            #expect(
                world.network.requests.first?.body
                    == .bytes(ContiguousArray(#"{"id":1,"title":"a"}"#.utf8)))
        }
    }

    @Test func `gives back the rows that it asked for`() throws {
        try World.run { world in
            let table = world.client.from("tasks")
            world.network.accept(json: #"[{"id":1,"title":"a"}]"#)
            let rows = try await table.insert(Row(id: 1, title: "a"), policy: .requireServer)
                .select()
                .execute([Row].self)
            #expect(rows.response?.value == [Row(id: 1, title: "a")])
            world.network.accept(200, json: #"{"id":1,"title":"b"}"#)
            let one = try await table.update(["title": "b"], policy: .requireServer).eq(
                "id", value: 1
            ).select().single()
                .execute(Row.self)
            #expect(one.response?.value == Row(id: 1, title: "b"))
            world.network.accept(200, range: "0-0/1", json: #"[{"id":1,"title":"b"}]"#)
            let counted = try await table.delete(count: .exact, policy: .requireServer).eq(
                "id", value: 1
            ).execute()
            #expect(counted.response?.count == 1)
        }
    }

    @Test func `that hits no row where one may be missing returns none`() throws {
        try World.run { world in
            try await world.warm(#"[{"id":1,"title":"a"}]"#)
            world.network.answer(
                status: 406,
                json: #"{"code":"PGRST116","message":"no","details":"The result contains 0 rows"}"#)
            let one = try await world.client.from("tasks").update(
                ["title": "b"], policy: .requireServer
            )
            .eq("id", value: 1).select().maybeSingle().execute(Row?.self)
            #expect(one.response?.value == .some(nil))
            // The device holds a row that should have been hit.
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":1,"title":"a"}]"#, isStale: true))
        }
    }

    @Test func `of no rows sends nothing and succeeds`() throws {
        try World.run { world in
            let none = try await world.client.from("tasks").insert([Row]()).select()
                .execute([Row].self)
            #expect(none.response?.value == [])
            try await world.client.from("tasks").upsert([Row]()).execute()
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `says that it was taken where its rows don't fit the type`() throws {
        try World.run { world in
            world.network.accept(json: #"[{"id":"x"}]"#)
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.from("tasks").insert(
                    Row(id: 1, title: "a"), policy: .requireServer
                ).select()
                    .execute([Row].self)
            }
            #expect(error?.reason == .decoding && error?.underlying is DecodingError)
            #expect(error?.description.contains("The server has taken the write") == true)
        }
    }

    // MARK: Refused before anything is sent

    @Test func `is refused without a filter if it updates or deletes`() throws {
        try World.run { world in
            let table = world.client.from("tasks")
            let update = table.update(["title": "x"])
            let delete = table.delete()
            for write in [
                update, delete, update.eq("photos.id", value: 1),
                update.or("id.eq.1", referencedTable: "photos"),
                update.ifUnchanged("title", "a"), delete.ifUnchanged("title", String?.none),
            ] {
                try await expectRefusal(of: write, naming: "filter", world)
            }
            for write in [update.limit(1), delete.order("id"), delete.select("id")] {
                try await expectRefusal(of: write, naming: "filter", world)
            }
        }
    }

    @Test func `is refused for values that are no rows, and says why`() throws {
        try World.run { world in
            let table = world.client.from("tasks")
            let long = String(repeating: "x", count: PlannedWrite.longestRow)
            let writes: [(PostgrestWriteBuilder, String)] = [
                (table.insert(7), "object"), (table.insert(["a", "b"]), "object"),
                (table.insert(["id": Double.nan]), "\"id\""),
                (table.insert(["id": [1]]), "key column \"id\""),
                (table.upsert([["id": ["a": 1]]]), "key column \"id\""),
                (table.update(["id": [1]]).eq("id", value: 1), "key column \"id\""),
                (table.update([["title": "x"]]).eq("id", value: 1), "one object"),
                (table.insert(["title": long]), "1048576"),
                (table.insert(["id": 1]).ifUnchanged("id", 1), "ifUnchanged"),
                (
                    table.update(["a": 1]).or("id.eq.1,id.eq.2").ifUnchanged("id", 1),
                    "ifUnchanged"
                ),
                (world.client.from("").insert(["id": 1]), "no name"),
            ]
            for (write, word) in writes { try await expectRefusal(of: write, naming: word, world) }
        }
    }

    @Test func `is refused where rows are to be decoded and none are asked for`() throws {
        try World.run { world in
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.from("tasks").insert(Row(id: 1, title: "a"))
                    .execute([Row].self)
            }
            #expect(error?.description.contains("select()") == true)
            #expect(world.network.requests.isEmpty)
        }
    }

    private func expectRefusal<Phase: PostgrestChangingPhase>(
        of write: PostgrestRequestBuilder<Phase>, naming word: String, _ world: World
    ) async throws {
        let error = await #expect(throws: OfflineError.self) { try await write.execute() }
        guard case .invalidRequest(let problem)? = error?.reason else {
            Issue.record("\(String(describing: error)) is another reason")
            return
        }
        #expect(problem.contains(word))
        let pending = await world.pending()
        #expect(world.network.requests.isEmpty && pending.isEmpty)
    }

    // MARK: What came of it

    struct Answer: Sendable, CustomTestStringConvertible {
        let method: String
        let status: Int
        var headers: HTTPHeaders = [:]
        var body = ""
        let isTaken: Bool

        var testDescription: String { "\(method) \(status) \(headers.fields) \(body)" }
    }

    /// The statuses are PostgREST's for a write, and so is a sign that it was PostgREST who answered.
    static let answers: [Answer] = {
        let signs: [HTTPHeaders] = [
            ["Content-Range": "*/*"], ["Preference-Applied": "return=minimal"],
        ]
        var all: [Answer] = []
        for sign in signs {
            for (method, taken) in [
                ("POST", [200, 201]), ("PATCH", [200, 204]), ("DELETE", [200, 204]),
            ] {
                for status in [200, 201, 202, 204, 206] {
                    all.append(
                        Answer(
                            method: method, status: status, headers: sign,
                            isTaken: taken.contains(status)))
                }
            }
        }
        let json: HTTPHeaders = ["Content-Type": "application/json"]
        let html: HTTPHeaders = ["Content-Type": "text/html"]
        return all + [
            Answer(method: "POST", status: 201, isTaken: false),
            Answer(method: "POST", status: 201, headers: json, body: "[]", isTaken: true),
            Answer(method: "POST", status: 201, headers: json, body: "{", isTaken: false),
            Answer(method: "POST", status: 200, headers: json, body: "\"ok\"", isTaken: false),
            Answer(method: "POST", status: 200, headers: html, body: "<p>", isTaken: false),
            Answer(method: "DELETE", status: 204, isTaken: false),
            Answer(method: "PATCH", status: 302, isTaken: false),
        ]
    }()

    @Test(arguments: answers)
    func `is taken by PostgREST's own status and sign alone`(_ answer: Answer) throws {
        try World.run { world in
            try await world.warm(#"[{"id":1,"title":"a"}]"#)
            await world.client.reads.waitUntilStored()
            world.network.answer(
                HTTPResponse(
                    status: answer.status, headers: answer.headers,
                    body: ContiguousArray(answer.body.utf8)))
            let result = await Result {
                try await world.change(1, by: answer.method).response?.status
            }
            if answer.isTaken {
                let status = try result.get()
                #expect(status == answer.status)
            } else {
                #expect { try result.get() } throws: { OfflineError.outcomeUnknown ~= $0 }
                let list = try await world.tasks(.cacheOnly).execute()
                #expect(list.isStale && list.text == #"[{"id":1,"title":"a"}]"#)
            }
        }
    }

    @Test(arguments: [
        (409, "23505", false), (403, "42501", false), (400, "PGRST204", false),
        (500, "XX000", true), (503, "57P01", true), (503, "PGRST001", true),
    ])
    func `that the server refuses throws its error and changes no list`(
        _ status: Int, _ code: String, _ mayHaveTakenEffect: Bool
    ) throws {
        try World.run { world in
            try await world.warm(#"[{"id":1,"title":"a"}]"#)
            world.network.refuse(status, code)
            let error = await #expect(throws: OfflineError.self) {
                try await world.change(1, by: "PATCH")
            }
            guard case .server(let refusal)? = error?.reason else {
                Issue.record("\(String(describing: error)) is another reason")
                return
            }
            #expect((refusal.status, refusal.code) == (status, code))
            #expect(refusal.mayHaveTakenEffect == mayHaveTakenEffect)
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":1,"title":"a"}]"#, isStale: mayHaveTakenEffect))
            #expect(world.network.requests.count == 2)
        }
    }

    @Test func `that can't leave says that it was not sent, and changes no list`() throws {
        try World.run { world in
            try await world.warm(#"[{"id":1,"title":"a"}]"#)
            world.network.setDown(true)
            let error = await #expect(throws: OfflineError.self) {
                try await world.change(1, by: "DELETE")
            }
            guard case .connectivity(let failure)? = error?.reason else {
                Issue.record("\(String(describing: error)) is another reason")
                return
            }
            #expect(failure.stage == .notSent)
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":1,"title":"a"}]"#))
        }
    }

    @Test(arguments: [
        TransportError(.unanswered, .connectionLost), TransportError(.answeredBadly, .cutShort),
        TransportError(.unanswered, .timedOut),
    ])
    func `without an answer leaves the outcome open, and the lists stale`(
        _ failure: TransportError
    ) throws {
        try World.run { world in
            try await world.warm(#"[{"id":1,"title":"a"}]"#)
            world.network.fail(failure)
            let error = await #expect(throws: OfflineError.self) {
                try await world.change(1, by: "DELETE")
            }
            #expect(error?.reason == .outcomeUnknown(ConnectivityFailure(failure)))
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":1,"title":"a"}]"#, isStale: true))
            // Once, since nobody knows whether it was done.
            #expect(world.network.requests.count == 2)
        }
    }
}

extension World {
    /// Changes a row by a method of HTTP, and asks for no rows unless the method is `POST`.
    @discardableResult
    func change(_ id: Int, by method: String) async throws -> WriteOutcome<Void> {
        let table = client.from("tasks")
        switch method {
        case "POST": return try await table.upsert(["id": id], policy: .requireServer).execute()
        case "PATCH":
            return try await table.update(
                ["title": "b"], returning: .minimal, policy: .requireServer
            ).eq("id", value: id)
                .execute()
        default:
            return try await table.delete(returning: .minimal, policy: .requireServer).eq(
                "id", value: id
            ).execute()
        }
    }
}
