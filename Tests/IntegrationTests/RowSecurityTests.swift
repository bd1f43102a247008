import Foundation
import SupabaseOffline
import Testing

/// Row-level security answers a request without the user's token with 200 and no rows.
@Suite(
    "Whose rows", .enabled(if: TestServer.isThere, "OFFLINE_TEST_URL names no server"),
    .timeLimit(.minutes(2)))
struct RowSecurityTests {
    @Test func `the empty answer to nobody's request never replaces the user's rows`() async throws
    {
        let server = try #require(TestServer.current)
        let ada = try await server.makeUser(tasks: ["mine"])
        let token = try await ada.token()
        let tokens = Tokens(token)
        try await withClient(tokens: tokens) { client, _ in
            let request = client.from("tasks").select("title")
            #expect(try await request.execute().text == #"[{"title":"mine"}]"#)
            await tokens.set(nil)
            // The server really answers this: it is no refusal.
            let anonymous = try await request.execute()
            #expect((anonymous.status, anonymous.text) == (200, "[]"))
            await tokens.set(token)
            let kept = try await client.from("tasks").select("title", readStrategy: .cacheOnly)
                .execute()
            #expect(kept.text == #"[{"title":"mine"}]"#)
        }
    }

    @Test func `two users of one device never see each other's rows`() async throws {
        let server = try #require(TestServer.current)
        let (ada, grace) = try await (
            server.makeUser(tasks: ["ada's"]), server.makeUser(tasks: ["grace's"])
        )
        let tokens = Tokens(nil)
        try await withClient(
            tokens: tokens, configure: { $0.signOutPolicy = .keepCache }
        ) { client, _ in
            for (user, expected) in [(ada, "ada's"), (grace, "grace's")] {
                await tokens.set(try await user.token())
                await #expect {
                    try await client.from("tasks").select("title", readStrategy: .cacheOnly)
                        .execute()
                } throws: { OfflineError.cacheMiss ~= $0 }
                let rows = try await client.from("tasks").select("title").execute()
                #expect(rows.text == #"[{"title":"\#(expected)"}]"#)
            }
            await tokens.set(try await ada.token())
            let kept = try await client.from("tasks").select("title", readStrategy: .cacheOnly)
                .execute()
            #expect(kept.text == #"[{"title":"ada's"}]"#)
        }
    }

    @Test func `no token and no key is kept on the device`() async throws {
        let server = try #require(TestServer.current)
        let ada = try await server.makeUser(tasks: ["mine"])
        let token = try await ada.token()
        let directory = FileManager.default.temporaryDirectory.appending(
            component: "data-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await withClient(
            tokens: Tokens(token), configure: { $0.dataDirectory = directory }
        ) { client, _ in
            _ = try await client.from("tasks").select("title").execute()
        }
        let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
        var bytes = Data()
        while let file = files?.nextObject() as? URL {
            bytes += (try? Data(contentsOf: file)) ?? Data()
        }
        #expect(bytes.contains(Data("mine".utf8)))
        for secret in [token, server.key] { #expect(!bytes.contains(Data(secret.utf8))) }
    }
}

extension Data {
    fileprivate func contains(_ other: Data) -> Bool { range(of: other) != nil }
}
