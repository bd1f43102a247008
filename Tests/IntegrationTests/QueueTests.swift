import Foundation
import OfflineTesting
import SupabaseOffline
import Testing

/// Writes of the demo's tables that wait on the device.
@Suite(
    "The queue over PostgreSQL",
    .enabled(if: TestServer.isThere, "OFFLINE_TEST_URL names no server"), .timeLimit(.minutes(2)))
struct QueueTests {
    private struct NewTask: Codable, Sendable {
        var id = UUID()
        var title: String
        var user_id: String?
    }

    /// The titles of a user's tasks, in order.
    private func titles(_ user: TestUser) async throws -> [String] {
        try await user.server.sql(
            "select title from public.tasks where user_id = '\(user.id)' order by title"
        ).split(separator: "\n").map(String.init)
    }

    @Test func `what was edited while the server was away is there once it is back`() async throws {
        let server = try #require(TestServer.current)
        let user = try await server.makeUser(tasks: ["old", "older"])
        try await withQueue(of: user) { client, network in
            struct TaskRow: Decodable, Sendable { let id: UUID, title: String }
            let there = try await client.from("tasks").select("id,title").order("title")
                .execute([TaskRow].self).value
            network.isAway = true
            let new = NewTask(title: "new")
            let tasks = { client.from("tasks") }
            var kept = [try await tasks().insert(new).execute().kept()]
            for title in ["newer", "newest"] {
                kept.append(
                    try await tasks().update(["title": title]).eq("id", value: new.id).separately()
                        .execute().kept())
            }
            kept.append(try await tasks().delete().eq("id", value: there[0].id).execute().kept())
            kept.append(
                try await tasks().update(["title": "oldest"]).eq("id", value: there[1].id).execute()
                    .kept())
            let before = try await titles(user)
            #expect(before == ["old", "older"])
            let seen = try await tasks().select("id,title").order("title").execute([TaskRow].self)
            #expect(Set(seen.value.map(\.title)) == ["newest", "oldest"])
            #expect(seen.isFromCache)

            network.isAway = false
            let report = try await client.syncPendingMutations()
            #expect(report.sent == kept.count && report.left == 0)
            let after = try await titles(user)
            #expect(after == ["newest", "oldest"])
            let fresh = try await tasks().select("id,title").order("title").execute([TaskRow].self)
            #expect(fresh.value.map(\.title) == after)
            #expect(!fresh.isFromCache && !fresh.hasPendingMutations)
        }
    }

    @Test func `a photo of a refused task waits for it, and both go when it is mended`()
        async throws
    {
        let server = try #require(TestServer.current)
        let user = try await server.makeUser()
        let other = try await server.makeUser()
        try await withQueue(of: user) { client, network in
            network.isAway = true
            var task = NewTask(title: "someone's", user_id: other.id)
            let insert = try await client.from("tasks").insert(task).execute().kept()
            let photo = [
                "id": UUID().uuidString, "task_id": task.id.uuidString, "object_path": "a.jpg",
            ]
            let child = try await client.from("task_photos").insert(photo).execute().kept()
            let update = try await client.from("tasks").update(["title": "mine"])
                .eq("id", value: task.id).execute().kept()
            let free = try await client.from("tasks").insert(NewTask(title: "free")).execute()
                .kept()
            network.isAway = false
            let report = try await client.syncPendingMutations()
            #expect(report.sent == 1 && report.rejected == 3 && report.left == 0)
            let rejected = Dictionary(
                uniqueKeysWithValues: await client.rejections.map { ($0.id, $0.rejection) })
            #expect(rejected[insert.id]?.error?.code == "42501")
            #expect(rejected[child.id] == .dependency(on: insert.id))
            #expect(rejected[update.id] == .dependency(on: insert.id))
            #expect(try await free.outcome == .applied(rows: 1))
            var there = try await titles(user)
            #expect(there == ["free"])

            task.user_id = nil
            let retried = try await client.retry(insert.id, replacing: task)
            #expect(retried.map(\.id) == [insert.id, child.id, update.id])
            try await client.drain()
            #expect(await client.rejections == [])
            there = try await titles(user)
            #expect(there == ["free", "mine"])
            let photos = try await server.sql(
                "select count(*) from public.task_photos where task_id = '\(task.id)'")
            #expect(photos == "1\n")
        }
    }

    @Test func `what another has changed meanwhile is a conflict with the row as it is`()
        async throws
    {
        let server = try #require(TestServer.current)
        let user = try await server.makeUser(tasks: ["one"])
        try await withQueue(of: user) { client, network in
            struct TaskRow: Decodable, Sendable { let id: UUID, updated_at: String }
            let seen = try await client.from("tasks").select("id,updated_at")
                .execute([TaskRow].self).value[0]
            network.isAway = true
            let update = try await client.from("tasks").update(["title": "mine"])
                .eq("id", value: seen.id).ifUnchanged("updated_at", seen.updated_at).execute()
                .kept()
            try await server.sql(
                "update public.tasks set title = 'theirs', updated_at = now() "
                    + "where id = '\(seen.id)'")
            network.isAway = false
            try await client.drain()
            let outcome = try await update.outcome
            guard case .rejected(.conflict(let conflict)) = outcome else {
                Issue.record("\(outcome) is no conflict")
                return
            }
            let row = try JSONDecoder().decode(
                NewTask.self, from: try #require(conflict.current))
            #expect(row.title == "theirs")
            #expect(try await titles(user) == ["theirs"])
        }
    }

    @Test func `a token that runs out while a write waits is replaced by the next`() async throws {
        let server = try #require(TestServer.current)
        let user = try await server.makeUser()
        let tokens = Tokens(try await user.token())
        let network = Detour()
        try await withClient(
            tokens: tokens,
            configure: {
                $0.transport = network
                $0.autoSync = false
            }
        ) { client, _ in
            network.isAway = true
            let kept = try await client.from("tasks").insert(NewTask(title: "one")).execute().kept()
            await tokens.set(
                try await user.token(lifetime: -3_600), then: try await user.token(lifetime: 7_200))
            network.isAway = false
            let report = try await client.syncPendingMutations()
            #expect(report.sent == 1 && report.stop == nil)
            #expect(try await kept.outcome == .applied(rows: 1))
            #expect(try await titles(user) == ["one"])
            #expect(await tokens.count == 2)
        }
    }

    @Test func `a user's writes wait for that user, whoever else is signed in`() async throws {
        let server = try #require(TestServer.current)
        let (ada, grace) = try await (server.makeUser(), server.makeUser())
        let session = SessionSwitch(.signedIn(userID: ada.id, accessToken: try await ada.token()))
        let network = Detour()
        try await withClient(configure: {
            $0.sessionStates = session.states
            $0.transport = network
        }) { client, _ in
            network.isAway = true
            let insert = { client.from("tasks").insert(NewTask(title: $0)) }
            let kept = try await insert("ada's").execute().kept()
            session.state = .signedIn(userID: grace.id, accessToken: try await grace.token())
            // Until the client has heard of it.
            _ = await client.pendingMutationCount.first { $0 == 0 }
            _ = try await insert("grace's").execute().kept()
            network.isAway = false
            try await client.drain()
            #expect(try await titles(grace) == ["grace's"])
            #expect(try await titles(ada) == [])
            let waiting = try await client.unsentWrites
            #expect(waiting.map(\.userID) == [ada.id] && waiting.map(\.pending) == [1])

            // Nobody asks for it: it goes out because the user is back.
            session.state = .signedIn(userID: ada.id, accessToken: try await ada.token())
            #expect(try await kept.outcome == .applied(rows: 1))
            #expect(try await titles(ada) == ["ada's"])
            #expect(try await titles(grace) == ["grace's"])
            #expect(try await client.unsentWrites == [])
        }
    }

    @Test func `five hundred writes of eight tasks arrive once, while the server comes and goes`()
        async throws
    {
        let server = try #require(TestServer.current)
        let user = try await server.makeUser()
        try await withQueue(of: user) { client, network in
            try await withThrowingDiscardingTaskGroup { group in
                for task in 0..<8 {
                    group.addTask {
                        for number in stride(from: task, to: 500, by: 8) {
                            if number % 50 == 0 { network.isAway.toggle() }
                            try await client.from("tasks")
                                .insert(NewTask(title: "task \(1_000 + number)")).execute()
                        }
                    }
                }
            }
            network.isAway = false
            try await client.drain()
            #expect(await client.rejections == [])
            #expect(try await titles(user) == (1_000..<1_500).map { "task \($0)" })
        }
    }
}
