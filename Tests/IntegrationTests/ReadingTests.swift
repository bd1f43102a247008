import Foundation
import SupabaseOffline
import Testing

@Suite(
    "Reading from PostgreSQL", .enabled(if: TestServer.isThere, "OFFLINE_TEST_URL names no server"),
    .timeLimit(.minutes(2)))
struct ReadingTests {
    private struct TaskRow: Decodable, Equatable {
        let id: UUID
        let title: String
        let done: Bool
        let priority: Int?
        let created_at: Date
    }

    private func withTasks<R>(
        _ titles: [String], _ body: (SupabaseOfflineClient, TestUser) async throws -> R
    ) async throws -> R {
        let server = try #require(TestServer.current)
        let user = try await server.makeUser(tasks: titles)
        return try await withClient(tokens: Tokens(try await user.token())) { client, _ in
            try await body(client, user)
        }
    }

    @Test func `rows arrive decoded and are there again without the server`() async throws {
        try await withTasks(["one", "two"]) { client, _ in
            let request = client.from("tasks").select().order("priority")
            let fresh = try await request.execute([TaskRow].self)
            #expect(fresh.value.map(\.title) == ["one", "two"])
            #expect(fresh.value.first?.created_at == Date(timeIntervalSince1970: 1_767_225_600))
            #expect(!fresh.isFromCache)
            let kept = try await client.from("tasks").select(readStrategy: .cacheOnly)
                .order("priority").execute([TaskRow].self)
            #expect(kept.value == fresh.value)
            #expect(kept.text == fresh.text)
            #expect(kept.isFromCache)
            #expect(kept.fetchedAt == fresh.fetchedAt)
        }
    }

    @Test func `every kind of filter, order and page is understood`() async throws {
        try await withTasks(["apple", "banana", "cherry, pie", "%date"]) { client, user in
            try await user.server.sql(
                "update public.tasks set done = true, notes = 'x' where user_id = '\(user.id)' "
                    + "and priority = 1")
            let all = client.from("tasks").select("title")
            let cases: [(PostgrestFilterBuilder, [String])] = [
                (all.eq("title", value: "cherry, pie"), ["cherry, pie"]),
                (all.neq("title", value: "apple"), ["banana", "cherry, pie", "%date"]),
                (all.gt("priority", value: 2), ["%date"]),
                (all.gte("priority", value: 2).lt("priority", value: 3), ["cherry, pie"]),
                (all.lte("priority", value: 0), ["apple"]),
                (all.like("title", pattern: "%an%"), ["banana"]),
                (all.like("title", pattern: #"\%d%"#), ["%date"]),
                (all.ilike("title", pattern: "APP*"), ["apple"]),
                (all.likeAnyOf("title", patterns: ["a%", "%pie"]), ["apple", "cherry, pie"]),
                (all.match("title", pattern: "^[ab]"), ["apple", "banana"]),
                (all.is("done", value: true), ["banana"]),
                (all.is("notes", value: nil), ["apple", "cherry, pie", "%date"]),
                (all.isDistinct("notes", value: "x"), ["apple", "cherry, pie", "%date"]),
                (
                    all.in("title", values: ["cherry, pie", "apple", "\"q\""]),
                    ["apple", "cherry, pie"]
                ),
                (all.in("title", values: []), []),
                (all.notIn("priority", values: [0, 1]), ["cherry, pie", "%date"]),
                (all.not("title", operator: .like, value: "%a%"), ["cherry, pie"]),
                (all.or(#"title.eq."cherry, pie",priority.eq.0"#), ["apple", "cherry, pie"]),
                (all.filter("notes", operator: "not.is", value: "null"), ["banana"]),
                (all.textSearch("title", query: "apple"), ["apple"]),
                (all.match(["done": true, "priority": 1]), ["banana"]),
                (
                    all.gt("created_at", value: Date(timeIntervalSince1970: 1_767_225_720)),
                    ["%date"]
                ),
            ]
            for (request, expected) in cases {
                let titles = try await request.order("priority").execute([[String: String]].self)
                #expect(titles.value.compactMap { $0["title"] } == expected, "\(request)")
            }
            let pages: [(PostgrestTransformBuilder, [String])] = [
                (all.order("title", ascending: false).limit(1), ["cherry, pie"]),
                (all.order("priority").range(from: 1, to: 2), ["banana", "cherry, pie"]),
                (
                    all.order("done", ascending: false).order("priority").limit(2),
                    ["banana", "apple"]
                ),
                (all.order("notes", nullsFirst: false).limit(1), ["banana"]),
            ]
            for (request, expected) in pages {
                let titles = try await request.execute([[String: String]].self)
                #expect(titles.value.compactMap { $0["title"] } == expected)
            }
        }
    }

    @Test func `a total and a head are the server's`() async throws {
        try await withTasks(["one", "two", "three"]) { client, _ in
            let page = try await client.from("tasks").select("id", count: .exact).limit(1).execute()
            #expect(page.count == 3)
            #expect(page.status == 206)
            let head = try await client.from("tasks").select("id", head: true, count: .exact)
                .execute()
            #expect(head.count == 3)
            #expect(head.data.isEmpty)
        }
    }

    @Test func `one row is asked for as such`() async throws {
        try await withTasks(["one", "two"]) { client, _ in
            let titles = client.from("tasks").select("title")
            let row = try await titles.eq("title", value: "one").single().execute(
                [String: String].self)
            #expect(row.value == ["title": "one"])
            let none = try await titles.eq("title", value: "three").maybeSingle()
                .execute([String: String]?.self)
            #expect(none.value == nil)
            for request in [titles.single(), titles.maybeSingle()] {
                let error = await #expect(throws: OfflineError.self) { try await request.execute() }
                guard case .server(let refusal)? = error?.reason else {
                    Issue.record("\(String(describing: error)) is another reason")
                    continue
                }
                #expect(refusal.code == "PGRST116")
            }
            let stripped = try await client.from("tasks").select("title,notes").limit(1)
                .stripNulls()
                .execute()
            #expect(stripped.text == #"[{"title":"one"}]"#)
        }
    }

    @Test func `a list fetched beforehand answers for each of its rows without the server`()
        async throws
    {
        try await withTasks(["one", "two"]) { client, user in
            let ids = try await user.server.sql(
                "select id from public.tasks where user_id = '\(user.id)' order by priority")
            let id = try #require(UUID(uuidString: String(ids.prefix(36))))
            let list = client.from("tasks").select(readStrategy: .cacheOnly).order("priority")
            let outcomes = await client.prefetch([list])
            #expect(outcomes.count == 1)
            let row = try await list.row(id, as: TaskRow.self)
            #expect(row.value?.title == "one")
            #expect(row.isFromCache)
        }
    }

    @Test func `embedded rows come with their parents`() async throws {
        try await withTasks(["one"]) { client, user in
            try await user.server.sql(
                "insert into public.task_photos (id, task_id, user_id, object_path) "
                    + "select gen_random_uuid(), id, user_id, 'p.jpg' from public.tasks "
                    + "where user_id = '\(user.id)'")
            let rows = try await client.from("tasks").select("title, task_photos ( object_path )")
                .execute()
            let json = try JSONSerialization.jsonObject(with: rows.data) as? [[String: Any]]
            let photos = json?.first?["task_photos"] as? [[String: String]]
            #expect(photos == [["object_path": "p.jpg"]])
        }
    }

    @Test func `a table of the same name in another schema is another list`() async throws {
        try await withTasks(["mine"]) { client, user in
            try await user.server.sql(
                "insert into archive.tasks (id, user_id, title) "
                    + "values (gen_random_uuid(), '\(user.id)', 'old')")
            for strategy: ReadStrategy in [.networkOnly, .cacheOnly] {
                let present = try await client.from("tasks").select("title", readStrategy: strategy)
                    .execute()
                let archived = try await client.schema("archive").from("tasks")
                    .select("title", readStrategy: strategy).execute()
                #expect(
                    [present.text, archived.text] == [
                        #"[{"title":"mine"}]"#, #"[{"title":"old"}]"#,
                    ])
            }
        }
    }

    @Test func `the server's refusal comes with its code`() async throws {
        try await withTasks([]) { client, _ in
            for (request, code) in [
                (client.from("tasks").select("nothing"), "42703"),
                (client.from("tasks").select().eq("priority", value: "x"), "22P02"),
                (client.from("nothing_here").select(), "PGRST205"),
                (client.schema("hidden").from("tasks").select(), "PGRST106"),
            ] {
                let error = await #expect(throws: OfflineError.self) { try await request.execute() }
                guard case .server(let refusal)? = error?.reason else {
                    Issue.record("\(String(describing: error)) is another reason")
                    continue
                }
                #expect(refusal.code == code)
                #expect(!refusal.message.isEmpty)
            }
        }
    }
}
