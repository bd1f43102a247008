import Foundation
import OfflineTesting
import SupabaseOffline
import Synchronization
import Testing

/// Sessions against row-level security, which answers nobody with 200 and no rows.
@Suite(
    "A session on a real server", .enabled(if: TestServer.isThere, "no server is named"),
    .timeLimit(.minutes(2)))
struct SessionTests {
    private static let mine = #"[{"title":"mine"}]"#

    /// Runs `body` with a client in whose directory ada has a list, and whose session is restoring.
    private func whileRestoring(
        _ body: (SupabaseOfflineClient, SessionSwitch, TestUser) async throws -> Void
    ) async throws {
        let server = try #require(TestServer.current)
        let ada = try await server.makeUser(tasks: ["mine"])
        let directory = FileManager.default.temporaryDirectory.appending(
            component: "data-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let token = try await ada.token()
        try await withClient(
            tokens: Tokens(token), configure: { $0.dataDirectory = directory }
        ) { client, _ in
            _ = try await client.from("tasks").select("title").execute()
        }
        let session = SessionSwitch(.restoring(storedUserID: ada.id))
        try await withClient(configure: {
            $0.dataDirectory = directory
            $0.sessionStates = session.states
        }) { client, _ in
            try await body(client, session, ada)
        }
    }

    @Test func `that settles as the user while a read waits gets the user's rows`() async throws {
        try await whileRestoring { client, session, ada in
            async let rows = client.from("tasks").select("title").execute()
            session.state = .signedIn(userID: ada.id, accessToken: try await ada.token())
            let answer = try await rows
            #expect(answer.text == Self.mine)
            #expect(!answer.isFromCache)
        }
    }

    @Test func `that settles as nobody gets nobody's rows, and shows the user's no more`()
        async throws
    {
        try await whileRestoring { client, session, _ in
            async let rows = client.from("tasks").select("title").execute()
            session.state = .signedOut
            #expect(try await rows.text == "[]")
            let kept = try await client.from("tasks").select("title", readStrategy: .cacheOnly)
                .execute()
            #expect(kept.text == "[]")
        }
    }

    @Test func `that never settles gets nobody's rows and leaves the user's on the device`()
        async throws
    {
        try await whileRestoring { client, _, _ in
            let answer = try await client.from("tasks").select("title").execute()
            #expect(answer.text == "[]")
            let kept = try await client.from("tasks").select("title", readStrategy: .cacheOnly)
                .execute()
            #expect(kept.text == Self.mine)
        }
    }

    @Test func `that can't be renewed offline still shows the user's rows`() async throws {
        try await whileRestoring { client, session, ada in
            session.state = .refreshFailed(userID: ada.id)
            let kept = try await client.from("tasks").select("title", readStrategy: .cacheFirst)
                .execute()
            #expect(kept.text == Self.mine)
            let error = await #expect(throws: OfflineError.self) {
                try await client.from("tasks").select("title").execute()
            }
            #expect(error?.reason == .sessionExpired)
        }
    }

    @Test func `whose token expires between two requests goes on with another one`() async throws {
        let server = try #require(TestServer.current)
        let ada = try await server.makeUser(tasks: ["mine"])
        let tokens = Tokens(try await ada.token())
        try await withClient(tokens: tokens) { client, _ in
            _ = try await client.from("tasks").select("title").execute()
            await tokens.set(
                try await ada.token(lifetime: -3_600), then: try await ada.token(lifetime: 7_200))
            let answer = try await client.from("tasks").select("title").execute()
            #expect(answer.text == Self.mine)
            #expect(!answer.isFromCache)
        }
    }

    @Test func `whose token expires and can't be replaced leaves the rows alone`() async throws {
        let server = try #require(TestServer.current)
        let ada = try await server.makeUser(tasks: ["mine"])
        let tokens = Tokens(try await ada.token())
        try await withClient(tokens: tokens) { client, _ in
            _ = try await client.from("tasks").select("title").execute()
            await tokens.set(try await ada.token(lifetime: -3_600))
            let error = await #expect(throws: OfflineError.self) {
                try await client.from("tasks").select("title").execute()
            }
            #expect(error?.reason == .sessionExpired)
            #expect((error?.underlying as? PostgrestError)?.status == 401)
            let kept = try await client.from("tasks").select("title", readStrategy: .cacheOnly)
                .execute()
            #expect(kept.text == Self.mine)
        }
    }

    @Test func `whose source turns every failure into nil hides the rows and loses none`()
        async throws
    {
        let server = try #require(TestServer.current)
        let ada = try await server.makeUser(tasks: ["mine"])
        let tokens = Tokens(try await ada.token())
        try await withClient(tokens: tokens) { client, _ in
            let read = client.from("tasks").select("title")
            _ = try await read.execute()
            await tokens.set(nil)
            #expect(try await read.execute().text == "[]")
            await tokens.set(try await ada.token())
            let kept = try await client.from("tasks").select("title", readStrategy: .cacheOnly)
                .execute()
            #expect(kept.text == Self.mine)
        }
    }

    @Test func `whose user changes while an answer is on its way gets no rows of it`() async throws
    {
        let server = try #require(TestServer.current)
        let (ada, grace) = (
            try await server.makeUser(tasks: ["mine"]), try await server.makeUser()
        )
        let session = SessionSwitch(
            .signedIn(userID: ada.id, accessToken: try await ada.token()))
        let network = HoldingTransport()
        try await withClient(configure: {
            $0.sessionStates = session.states
            $0.transport = network
        }) { client, _ in
            let token = try await grace.token()
            async let late = outcome { try await client.from("tasks").select("title").execute() }
            await network.hasAnswer.wait()
            session.state = .signedIn(userID: grace.id, accessToken: token)
            // Her own, once she is known: her list is empty.
            await outcome {
                while try await client.from("tasks").select("id").execute().text != "[]" {}
            }
            network.mayGoOn.open()
            let outcome = await late
            #expect(throws: OfflineError.self) { try outcome.get() }
            await #expect(throws: OfflineError.self) {
                try await client.from("tasks").select("title", readStrategy: .cacheOnly).execute()
            }
        }
    }

    @Test func `is renewed once for fifty reads whose token is refused`() async throws {
        let server = try #require(TestServer.current)
        let ada = try await server.makeUser(tasks: ["mine"])
        let tokens = Tokens(try await ada.token(lifetime: -3_600))
        try await withClient(tokens: tokens) { client, _ in
            let good = try await ada.token()
            await tokens.set(try await ada.token(lifetime: -3_600), then: good, after: 50)
            try await withThrowingDiscardingTaskGroup { group in
                for limit in 1...50 {
                    group.addTask {
                        let answer = try await client.from("tasks").select("title").limit(limit)
                            .execute()
                        #expect(answer.text == Self.mine)
                    }
                }
            }
            let asked = await tokens.count
            #expect(asked == 51)
        }
    }

    @Test func `is not renewed where a privilege is missing`() async throws {
        let server = try #require(TestServer.current)
        let table = "closed_\(UInt64.random(in: 0...UInt64.max))"
        try await server.sql(
            "create table public.\(table) (id int); "
                + "revoke all on public.\(table) from anon; notify pgrst, 'reload schema';")
        let ada = try await server.makeUser()
        // 42501 comes with 401 for the anonymous role alone.
        let tokens = Tokens(try await server.token(for: ada.id, role: "anon"))
        try await withClient(tokens: tokens) { client, _ in
            let error = await #expect(throws: OfflineError.self) {
                try await client.from(table).select().execute()
            }
            guard case .server(let refusal)? = error?.reason else {
                Issue.record("\(String(describing: error)) is another reason")
                return
            }
            #expect((refusal.status, refusal.code) == (401, "42501"))
            let asked = await tokens.count
            #expect(asked == 1)
        }
        try await server.sql("drop table public.\(table); notify pgrst, 'reload schema';")
    }
}

/// What an asynchronous body came to.
@discardableResult
private func outcome<R: Sendable>(
    _ body: @Sendable () async throws -> R
) async -> Result<R, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
}

/// The platform's network, which holds the first answer back until a test lets it go on.
private final class HoldingTransport: HTTPTransport {
    let hasAnswer = Gate()
    let mayGoOn = Gate()
    private let base = PlatformTransport.make()
    private let isFirst = Mutex(true)

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let response = try await base.send(request)
        let isHeld = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if isHeld {
            hasAnswer.open()
            await mayGoOn.wait()
        }
        return response
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        try await base.download(request, toFile: path)
    }

    func close() { base.close() }
}
