import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("A write on the wire", .timeLimit(.minutes(5)))
struct WriteRequestTests {
    private struct Row: Encodable {
        var id: Int
        var title: String?
        var at: Date?
    }

    @Test func `an insert has its row as it encodes, and prefers nothing`() throws {
        try World.run { world in
            let at = Date(timeIntervalSince1970: 1.000_000_6)
            let request = world.client.from("t").insert(Row(id: 1, title: "a/b", at: at)).request
            #expect(request.method == "POST")
            #expect(request.query == "")
            #expect(request.text == #"{"at":"1970-01-01T00:00:01.000001Z","id":1,"title":"a/b"}"#)
            #expect(request.headers["Prefer"] == nil)
        }
    }

    @Test func `several rows name all their columns, sorted and quoted`() throws {
        try World.run { world in
            let rows: [JSONValue] = [["b": 1, "a \"x\"": 2], ["b": 3, "é": nil]]
            let request = world.client.from("t").insert(rows).request
            #expect(request.items.map(\.name) == ["columns"])
            #expect(request.items.map(\.value) == [#""a \"x\"","b","é""#])
            let one = world.client.from("t").insert([Row(id: 1)]).request
            #expect(one.items.map(\.value) == [#""id""#])
        }
    }

    @Test func `an upsert says how it merges`() throws {
        try World.run { world in
            let table = world.client.from("t")
            let merging = table.upsert(Row(id: 1)).request
            #expect(
                merging.headers["Prefer"] == "resolution=merge-duplicates,return=representation")
            let ignoring = table.upsert(
                [Row(id: 1)], onConflict: "a,b", returning: .minimal, count: .exact,
                ignoreDuplicates: true
            ).request
            #expect(ignoring.query == "on_conflict=a%2Cb&columns=%22id%22")
            #expect(
                ignoring.headers["Prefer"]
                    == "resolution=ignore-duplicates,return=minimal,count=exact")
        }
    }

    @Test func `an update and a delete carry their filters`() throws {
        try World.run { world in
            let update = world.client.from("t").update(["a": 1]).eq("id", value: 1).maxAffected(1)
                .request
            #expect((update.method, update.query) == ("PATCH", "id=eq.1"))
            #expect(
                update.headers["Prefer"]
                    == "return=representation,handling=strict,max-affected=1")
            let delete = world.client.from("t").delete(returning: .minimal).in("id", values: [1])
                .select("id").request
            #expect((delete.method, delete.query) == ("DELETE", "id=in.%281%29&select=id"))
            #expect(delete.headers["Prefer"] == "return=representation")
            #expect(delete.body == nil)
        }
    }

    @Test func `values that can't be written refuse the request and name the place`() throws {
        try World.run { world in
            let problem = world.client.from("t").insert(["a": Double.nan]).request.problem
            #expect(problem?.contains("\"a\"") == true)
        }
    }

    @Test func `names another schema in the header for writes`() throws {
        try World.run { world in
            let request = world.client.schema("s").from("t").delete().eq("id", value: 1).request
            let sent = world.client.settings.exchange(
                request, token: nil, retries: 0, isWarm: false)
            #expect(sent.headers["Content-Profile"] == "s")
            #expect(sent.headers["Accept-Profile"] == nil)
        }
    }
}

@Suite("A call of a function", .timeLimit(.minutes(5)))
struct FunctionCallTests {
    private let all: JSONValue = [
        "yes": true, "none": nil, "count": 42, "ratio": 1.5, "text": "a b,c",
        "list": [1, 2], "words": ["a,b", "", "null", "c"], "deep": [[1], [2, 3]],
        "object": ["b": 1, "a": "x"],
    ]

    @Test func `is sent once by POST with its arguments, whatever becomes of it`() throws {
        try World.run { world in
            world.network.fail(TransportError(.unanswered, .connectionLost))
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.rpc("add", params: ["a": 1]).execute()
            }
            #expect(error?.context.operation == "rpc")
            let request = try #require(world.network.requests.first)
            #expect(world.network.requests.count == 1)
            #expect(request.method == "POST")
            #expect(request.url == "https://xyz.supabase.co/rest/v1/rpc/add")
            #expect(request.body == .bytes(ContiguousArray(#"{"a":1}"#.utf8)))
        }
    }

    @Test func `gives back what the server answers, and keeps nothing`() throws {
        try World.run { world in
            world.network.answer(json: "42")
            let answer = try await world.client.rpc("answer").execute(Int.self)
            #expect(answer.value == 42)
            #expect(answer.fetchedAt == nil)
            #expect(world.network.requests.first?.body == HTTPRequest.Body.none)
        }
    }

    @Test func `has its arguments in the query by GET, sorted by name`() throws {
        try World.run { world in
            let request = world.client.rpc("f", params: all, get: true).request
            let expected = [
                "count": "42", "deep": "{{1},{2,3}}", "list": "{1,2}", "none": "null",
                "object": #"{"a":"x","b":1}"#, "ratio": "1.5", "text": "a b,c",
                "words": #"{"a,b","","null",c}"#, "yes": "true",
            ]
            #expect(request.items.map(\.name) == expected.keys.sorted())
            for item in request.items { #expect(item.value == expected[item.name]) }
            #expect(request.body == nil)
        }
    }

    @Test func `by GET is refused with arguments that have no names`() throws {
        try World.run { world in
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.rpc("f", params: [1, 2], get: true).execute()
            }
            #expect(error?.isInvalidRequest == true)
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `by GET is asked again like a read`() throws {
        try World.run { world in
            world.network.fail(TransportError(.notSent, .cannotConnect))
            world.network.answer(json: "1")
            let answer = try await world.client.rpc("f", get: true).execute(Int.self)
            #expect(answer.value == 1)
        }
    }

    @Test func `needs a name`() throws {
        try World.run { world in
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.rpc("").execute()
            }
            #expect(error?.isInvalidRequest == true)
        }
    }
}

@Suite("An answer of another shape", .timeLimit(.minutes(5)))
struct OtherShapeTests {
    typealias Shaped = @Sendable (PostgrestFilterBuilder) -> PostgrestTransformBuilder

    static let shapes: [(accept: String, build: Shaped)] = [
        ("application/vnd.pgrst.object+json", { $0.single() }),
        ("application/vnd.pgrst.object+json", { $0.maybeSingle() }),
        ("application/vnd.pgrst.object+json;nulls=stripped", { $0.single().stripNulls() }),
        ("application/vnd.pgrst.array+json;nulls=stripped", { $0.stripNulls() }),
        ("text/csv", { $0.csv() }),
        ("application/geo+json", { $0.geojson() }),
        (
            #"application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose;"#,
            { $0.explain(analyze: true, verbose: true, format: .json) }
        ),
    ]

    @Test(arguments: shapes.indices)
    func `is asked for by media type, never kept and never served`(_ index: Int) throws {
        let shape = Self.shapes[index]
        try World.run { world in
            try await world.warm()
            world.network.answer(json: #"{"id":1}"#)
            let answer = try await shape.build(world.tasks()).execute()
            #expect(answer.text == #"{"id":1}"#)
            #expect(answer.fetchedAt == nil)
            #expect(world.network.requests.last?.headers["Accept"] == shape.accept)
            await #expect { try await shape.build(world.tasks(.cacheOnly)).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
            world.network.setDown(true)
            for strategy: ReadStrategy in [.networkFirst, .cacheFirst, .networkOnly] {
                let error = await #expect(throws: OfflineError.self) {
                    try await shape.build(world.tasks(strategy)).execute()
                }
                #expect(error?.reason != .cacheMiss)
            }
        }
    }

    @Test func `without a row is null where the row was optional`() throws {
        try World.run { world in
            for details in ["The result contains 0 rows", "Results contain 0 rows, ..."] {
                world.network.answer(
                    status: 406,
                    json: #"{"code":"PGRST116","message":"m","details":"\#(details)","hint":null}"#)
                let answer = try await world.tasks().maybeSingle().execute(JSONValue?.self)
                #expect(answer.value == nil)
            }
            #expect(world.elapsed == .zero)
        }
    }

    @Test(arguments: [2, 10, 100])
    func `with several rows is refused although the row was optional`(_ count: Int) throws {
        try World.run { world in
            world.network.answer(
                status: 406,
                json:
                    #"{"code":"PGRST116","message":"m","details":"The result contains \#(count) rows"}"#
            )
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks().maybeSingle().execute()
            }
            guard case .server(let refusal)? = error?.reason else {
                Issue.record("\(String(describing: error)) is another reason")
                return
            }
            #expect(refusal.code == "PGRST116")
        }
    }

    @Test func `of values and without nulls can't be had at once`() throws {
        try World.run { world in
            for builder in [world.tasks().stripNulls().csv(), world.tasks().csv().stripNulls()] {
                let error = await #expect(throws: OfflineError.self) { try await builder.execute() }
                #expect(error?.isInvalidRequest == true)
            }
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `is asked for at the last moment too`() throws {
        try World.run { world in
            world.network.answer(headers: ["Content-Range": "*/3"], json: "")
            let answer = try await world.tasks().execute(
                options: FetchOptions(head: true, count: .exact))
            #expect(answer.count == 3)
            let request = try #require(world.network.requests.last)
            #expect((request.method, request.headers["Prefer"]) == ("HEAD", "count=exact"))
        }
    }

    @Test func `is a dry run's, which the device neither keeps nor answers`() throws {
        try World.run { world in
            try await world.warm()
            world.network.answer(json: "[]")
            let answer = try await world.tasks().dryRun().execute()
            #expect(answer.fetchedAt == nil)
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":1}]"#)
        }
    }
}

extension PostgrestRequest {
    fileprivate var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }
}
