import Foundation
import SupabaseOffline
import Testing

@Suite(
    "Writing to PostgreSQL", .enabled(if: TestServer.isThere, "OFFLINE_TEST_URL names no server"),
    .timeLimit(.minutes(2)))
struct WritingTests {
    private struct TaskRow: Codable, Equatable, Sendable {
        let id: UUID
        var title: String
        var done: Bool?
        var priority: Int?
        var updated_at: String?
    }

    /// Runs `body` with a client of a user who has a task, and that task's id.
    private func withTask(
        _ body: (SupabaseOfflineClient, TestUser, UUID) async throws -> Void
    ) async throws {
        let server = try #require(TestServer.current)
        let user = try await server.makeUser(tasks: ["one"])
        try await withClient(tokens: Tokens(try await user.token())) { client, _ in
            let rows = try await client.from("tasks").select().execute([TaskRow].self).value
            try await body(client, user, try #require(rows.first?.id))
        }
    }

    /// What the device has of the tasks.
    private struct Kept: Equatable {
        var titles: [String]
        var isStale = false
    }

    private func kept(_ client: SupabaseOfflineClient) async throws -> Kept {
        let list = try await client.from("tasks").select(readStrategy: .cacheOnly)
            .execute([TaskRow].self)
        return Kept(titles: list.value.map(\.title), isStale: list.isStale)
    }

    @Test func `rows are inserted, changed and deleted, there and on the device`() async throws {
        try await withTask { client, user, id in
            let two = TaskRow(id: UUID(), title: "two")
            let inserted = try await client.from("tasks").insert(two).select().single()
                .execute(TaskRow.self).response
            #expect(inserted?.status == 201 && inserted?.value.done == false)
            let first = try await kept(client)
            #expect(first == Kept(titles: ["one", "two"]))

            try await client.from("tasks").update(["title": "second"]).eq("id", value: two.id)
                .execute()
            let second = try await kept(client)
            #expect(second == Kept(titles: ["one", "second"]))

            try await client.from("tasks").delete().eq("id", value: id).execute()
            let third = try await kept(client)
            #expect(third == Kept(titles: ["second"]))
            let fresh = try await client.from("tasks").select().execute([TaskRow].self)
            #expect(fresh.value.map(\.title) == ["second"])
            let there = try await user.server.sql(
                "select title from public.tasks where user_id = '\(user.id)'")
            #expect(there == "second\n")
        }
    }

    @Test func `without rows in return the list is stale, and right`() async throws {
        try await withTask { client, _, id in
            try await client.from("tasks").insert(TaskRow(id: UUID(), title: "two")).execute()
            let first = try await kept(client)
            #expect(first == Kept(titles: ["one", "two"], isStale: true))
            let fresh = try await client.from("tasks").select(readStrategy: .cacheFirst)
                .execute([TaskRow].self)
            #expect(!fresh.isFromCache && !fresh.isStale)
            try await client.from("tasks").delete(returning: .minimal, count: .exact)
                .eq("id", value: id).execute()
            let second = try await kept(client)
            #expect(second == Kept(titles: ["two"]))
        }
    }

    @Test func `an upsert adds a row, then changes it`() async throws {
        try await withTask { client, _, _ in
            var row = TaskRow(id: UUID(), title: "two", priority: 7)
            let added = try await client.from("tasks").upsert(row).execute([TaskRow].self).response
            #expect(added?.status == 201)
            row.title = "zwei"
            let changed = try await client.from("tasks").upsert(row).execute([TaskRow].self)
                .response
            #expect(changed?.status == 200 && changed?.value.map(\.title) == ["zwei"])
            let list = try await kept(client)
            #expect(list == Kept(titles: ["one", "zwei"]))
        }
    }

    @Test func `what another has changed is not overwritten, if asked for`() async throws {
        try await withTask { client, user, id in
            let seen = try await client.from("tasks").select().execute([TaskRow].self).value[0]
            try await user.server.sql(
                "update public.tasks set title = 'theirs', updated_at = now() where id = '\(id)'")
            do {
                try await client.from("tasks").update(["title": "mine"]).eq("id", value: id)
                    .ifUnchanged("updated_at", seen.updated_at).execute()
                Issue.record("it was overwritten")
            } catch let error as OfflineError {
                guard case .conflict(let conflict) = error.reason else { throw error }
                let row = try JSONDecoder().decode(
                    TaskRow.self, from: try #require(conflict.current))
                #expect(row.title == "theirs")
            }
            let behind = try await kept(client)
            #expect(behind.isStale)
            let now = try await client.from("tasks").select().execute([TaskRow].self).value[0]
            try await client.from("tasks").update(["title": "mine"]).eq("id", value: id)
                .ifUnchanged("updated_at", now.updated_at).execute()
            let list = try await kept(client)
            #expect(list == Kept(titles: ["mine"]))
        }
    }

    @Test func `rows that a tree of filters hides from the answer are right or stale`()
        async throws
    {
        try await withTask { client, _, _ in
            try await client.from("tasks").update(["title": "x", "notes": "y"])
                .or("title.eq.one,title.eq.two").execute()
            let list = try await kept(client)
            #expect(list.titles == ["x"] || list.isStale)
            let fresh = try await client.from("tasks").select(readStrategy: .cacheFirst)
                .execute([TaskRow].self)
            #expect(fresh.value.map(\.title) == ["x"])
        }
    }

    @Test func `what policies and constraints refuse is told, and changes no list`() async throws {
        try await withTask { client, _, id in
            let other = ["id": UUID().uuidString, "title": "t", "user_id": UUID().uuidString]
            for (row, code) in [(other, "42501"), (["id": id.uuidString, "title": "t"], "23505")] {
                let error = await #expect(throws: OfflineError.self) {
                    try await client.from("tasks").insert(row).execute()
                }
                guard case .server(let refusal)? = error?.reason else {
                    Issue.record("\(String(describing: error)) is another reason")
                    continue
                }
                #expect(refusal.code == code)
            }
            let list = try await kept(client)
            #expect(list == Kept(titles: ["one"]))
        }
    }

    @Test func `another's row is not hit, which is no error`() async throws {
        try await withTask { client, user, _ in
            let other = try await user.server.makeUser(tasks: ["theirs"])
            let id = try await user.server.sql(
                "select id from public.tasks where user_id = '\(other.id)'")
            let rows = try await client.from("tasks").update(["title": "mine"])
                .eq("id", value: id.trimmingCharacters(in: .whitespacesAndNewlines))
                .execute([TaskRow].self)
            #expect(rows.response?.value == [])
            let list = try await kept(client)
            #expect(list == Kept(titles: ["one"]))
        }
    }

    @Test func `a dry run is carried out where the server doesn't allow one`() async throws {
        try await withTask { client, _, id in
            try await client.from("tasks").update(["title": "x"]).eq("id", value: id).dryRun()
                .execute()
            let list = try await kept(client)
            let fresh = try await client.from("tasks").select().execute([TaskRow].self)
            #expect(list.isStale || list.titles == fresh.value.map(\.title))
        }
    }

    @Test func `a table of the same name in another schema is another one`() async throws {
        try await withTask { client, _, id in
            try await client.schema("archive").from("tasks").insert(TaskRow(id: id, title: "old"))
                .execute()
            let list = try await kept(client)
            #expect(list == Kept(titles: ["one"]))
        }
    }
}
