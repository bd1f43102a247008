import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("A read on the wire", .timeLimit(.minutes(5)))
struct RequestTests {
    /// A builder chain and the query that it makes.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let build: @Sendable (PostgrestFilterBuilder) -> PostgrestRequest

        init(
            _ query: String,
            _ build: @escaping @Sendable (PostgrestFilterBuilder) -> PostgrestRequest
        ) {
            testDescription = query
            self.build = build
        }

        static func filter(
            _ query: String,
            _ build: @escaping @Sendable (PostgrestFilterBuilder) -> PostgrestFilterBuilder
        ) -> Example {
            Example(query) { build($0).request }
        }

        static func transform(
            _ query: String,
            _ build: @escaping @Sendable (PostgrestFilterBuilder) -> PostgrestTransformBuilder
        ) -> Example {
            Example(query) { build($0).request }
        }
    }

    static let filters: [Example] = [
        .filter("n=eq.1") { $0.eq("n", value: 1) },
        .filter("n=neq.-5") { $0.neq("n", value: -5) },
        .filter("n=gt.1.5") { $0.gt("n", value: 1.5) },
        .filter("n=gte.9007199254740993") { $0.gte("n", value: Int64(9_007_199_254_740_993)) },
        .filter("n=lt.true") { $0.lt("n", value: true) },
        .filter("n=lte.a%20b") { $0.lte("n", value: "a b") },
        .filter("n=eq.a%2Cb%22c") { $0.eq("n", value: #"a,b"c"#) },
        .filter("n=eq.1e%2B21") { $0.eq("n", value: 1e21) },
        .filter("n=eq.") { $0.eq("n", value: "") },
        .filter("t=like.%25x%2A") { $0.like("t", pattern: "%x*") },
        .filter("t=ilike.x_") { $0.ilike("t", pattern: "x_") },
        .filter("t=like%28all%29.%7Ba%25%2C%22b%20%22%7D") {
            $0.likeAllOf("t", patterns: ["a%", "b "])
        },
        .filter("t=like%28any%29.%7Ba%2Cb%7D") { $0.likeAnyOf("t", patterns: ["a", "b"]) },
        .filter("t=ilike%28all%29.%7Ba%7D") { $0.iLikeAllOf("t", patterns: ["a"]) },
        .filter("t=ilike%28any%29.%7Ba%7D") { $0.iLikeAnyOf("t", patterns: ["a"]) },
        .filter("t=match.%5Ea.%2B%24") { $0.match("t", pattern: "^a.+$") },
        .filter("t=imatch.a") { $0.imatch("t", pattern: "a") },
        .filter("a=eq.1&b=eq.x") { $0.match(["b": "x", "a": 1]) },
        .filter("d=is.true") { $0.is("d", value: true) },
        .filter("d=is.NULL") { $0.is("d", value: nil) },
        .filter("d=isdistinct.1") { $0.isDistinct("d", value: 1) },
        .filter("n=in.%281%2C2%29") { $0.in("n", values: [1, 2]) },
        .filter("n=in.%28%29") { $0.in("n", values: []) },
        .filter("n=not.in.%281%2C%22a%2Cb%22%29") { $0.notIn("n", values: [1, "a,b"]) },
        .filter("n=cs.%7Ba%2C%22%22%2C%22null%22%7D") {
            $0.contains("n", value: ["a", "", "null"])
        },
        .filter("n=cd.%7B%7B1%2C2%7D%2C%7B3%7D%7D") { $0.containedBy("n", value: [[1, 2], [3]]) },
        .filter("n=ov.%5B1%2C3%29") { $0.overlaps("n", value: "[1,3)") },
        .filter("r=sl.x&r=sr.x") { $0.rangeLt("r", range: "x").rangeGt("r", range: "x") },
        .filter("r=nxl.x&r=nxr.x") { $0.rangeGte("r", range: "x").rangeLte("r", range: "x") },
        .filter("r=adj.x") { $0.rangeAdjacent("r", range: "x") },
        .filter("t=fts.a") { $0.textSearch("t", query: "a") },
        .filter("t=plfts%28english%29.a") {
            $0.textSearch("t", query: "a", config: "english", type: .plain)
        },
        .filter("t=phfts.a&t=wfts.a") {
            $0.textSearch("t", query: "a", type: .phrase)
                .textSearch("t", query: "a", type: .websearch)
        },
        .filter("t=fts%28de%29.a") { $0.fts("t", query: "a", config: "de") },
        .filter("n=not.gt.3") { $0.not("n", operator: .gt, value: 3) },
        .filter("or=%28a.eq.1%2Cb.is.null%29") { $0.or("a.eq.1,b.is.null") },
        .filter("c.or=%28a.eq.1%29") { $0.or("a.eq.1", referencedTable: "c") },
        .filter("notes=not.is.null") { $0.filter("notes", operator: "not.is", value: "null") },
        .filter("c.body=eq.x") { $0.eq("c.body", value: "x") },
        .filter("n=gte.1&n=lte.9") { $0.gte("n", value: 1).lte("n", value: 9) },
        .filter("u=eq.8C3B0F5E-6C5D-4D6B-9F1C-0E6A2B7C8D9E") {
            $0.eq("u", value: UUID(uuidString: "8c3b0f5e-6c5d-4d6b-9f1c-0e6a2b7c8d9e") ?? UUID())
        },
        .filter("at=gt.1970-01-01T00%3A00%3A01.250Z") {
            $0.gt("at", value: Date(timeIntervalSince1970: 1.25))
        },
    ]

    static let transforms: [Example] = [
        .transform("order=a.asc.nullslast") { $0.order("a") },
        .transform("order=a.desc.nullsfirst%2Cb.asc.nullslast") {
            $0.order("a", ascending: false, nullsFirst: true).order("b")
        },
        .transform("c.order=a.asc.nullslast") { $0.order("a", referencedTable: "c") },
        .transform("limit=0") { $0.limit(0) },
        .transform("c.limit=3") { $0.limit(3, referencedTable: "c") },
        .transform("offset=10&limit=10") { $0.range(from: 10, to: 19) },
        .transform("limit=3&offset=10") { $0.limit(1).range(from: 10, to: 12) },
        .transform("offset=10&limit=3") { $0.range(from: 10, to: 19).limit(3) },
        .transform("c.offset=0&c.limit=1") { $0.range(from: 0, to: 0, referencedTable: "c") },
    ]

    @Test(arguments: filters + transforms)
    func `has its query percent-encoded, in the order of the calls`(_ example: Example) throws {
        try World.run { world in
            let request = example.build(world.client.from("t").select())
            #expect(request.query == "select=%2A&" + example.testDescription)
            #expect(request.problem == nil)
        }
    }

    @Test func `drops the blanks of its columns, but not those in quotes`() throws {
        try World.run { world in
            let builder = world.client.from("t").select("id,\n \"odd name\" , c ( a )")
            #expect(builder.request.query == "select=id%2C%22odd%20name%22%2Cc%28a%29")
        }
    }

    @Test func `names another schema in a header and leaves the default one to the server`() throws
    {
        try World.run { world in
            for (builder, profile) in [
                (world.client.from("t").select(), nil),
                (world.client.schema("archive").from("t").select(), "archive"),
            ] {
                world.network.answer(json: "[]")
                try await builder.execute()
                #expect(world.network.requests.last?.headers["Accept-Profile"] == profile)
            }
        }
    }

    @Test func `goes below rest v1 of the project, its table encoded`() throws {
        try World.run { world in
            world.network.answer(json: "[]")
            try await world.client.from("my täsks/1").select("id").execute()
            let url = world.network.requests.last?.url
            #expect(url == "https://xyz.supabase.co/rest/v1/my%20t%C3%A4sks%2F1?select=id")
        }
    }

    @Test func `asks for a total without keeping the answer`() throws {
        try World.run { world in
            world.network.answer(headers: ["Content-Range": "0-0/42"], json: #"[{"id":1}]"#)
            let response = try await world.client.from("t").select(count: .exact).execute()
            #expect(response.count == 42)
            #expect(response.fetchedAt == nil)
            #expect(world.network.requests.last?.headers["Prefer"] == "count=exact")
            await #expect {
                try await world.client.from("t").select(count: .exact, readStrategy: .cacheOnly)
                    .execute()
            } throws: { OfflineError.cacheMiss ~= $0 }
        }
    }

    @Test func `asks for the head alone with HEAD`() throws {
        try World.run { world in
            world.network.answer(headers: ["Content-Range": "*/7"], json: "")
            let response = try await world.client.from("t").select(head: true, count: .planned)
                .execute()
            #expect(response.count == 7)
            #expect(world.network.requests.last?.method == "HEAD")
        }
    }

    @Test(arguments: [
        ("", "public"), ("t", ""),
    ])
    func `is refused without a table's or a schema's name`(_ table: String, _ schema: String) throws
    {
        try World.run { world in
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.schema(schema).from(table).select().execute()
            }
            #expect(error?.isInvalidRequest == true)
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `is refused with a range, a limit or a header that means nothing`() throws {
        try World.run { world in
            let tasks = world.client.from("t").select()
            for builder in [
                tasks.limit(-1), tasks.range(from: 3, to: 2), tasks.range(from: -1, to: 2),
                tasks.range(from: 0, to: .max), tasks.range(from: .min, to: .max),
                tasks.limit(1).setHeader(name: "accept-profile", value: "x"),
                tasks.limit(1).setHeader(name: "Content-Profile", value: "x"),
            ] {
                let error = await #expect(throws: OfflineError.self) { try await builder.execute() }
                #expect(error?.isInvalidRequest == true)
            }
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test(arguments: ["networkFirst", "cacheFirst", "cacheOnly"])
    func `is refused with a negative maxAge, and the list stays`(_ name: String) throws {
        let age = Duration.seconds(-1)
        let strategy: ReadStrategy =
            switch name {
            case "networkFirst": .networkFirst(maxAge: age)
            case "cacheFirst": .cacheFirst(maxAge: age)
            default: .cacheOnly(maxAge: age)
            }
        try World.run { world in
            try await world.warm()
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks(strategy).execute()
            }
            #expect(error?.isInvalidRequest == true)
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":1}]"#)
        }
    }

    @Test func `a filter that was branched off leaves the other branch alone`() throws {
        try World.run { world in
            let base = world.client.from("t").select()
            let (done, open) = (base.eq("done", value: true), base.eq("done", value: false))
            #expect(done.request.query == "select=%2A&done=eq.true")
            #expect(open.request.query == "select=%2A&done=eq.false")
        }
    }
}

extension OfflineError {
    var isInvalidRequest: Bool {
        if case .invalidRequest(let problem) = reason { !problem.isEmpty } else { false }
    }
}
