import FoundationEssentials
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

/// The adapters of the documentation, over stand-ins of the shape of supabase-swift's auth.
@Suite("An app's auth library", .timeLimit(.minutes(5)))
struct AdapterTests {
    /// What of `Session` the adapters use.
    struct StandInSession: Sendable {
        struct User: Sendable { let id: UUID }

        let user: User
        let accessToken: String
    }

    /// What of `AuthClient` the adapters use.
    final class StandInAuth: Sendable {
        enum Event: Sendable { case initialSession, signedIn, signedOut, tokenRefreshed }

        private let relay = StateRelay<(event: Event, session: StandInSession?)>(
            (.initialSession, nil))

        var authStateChanges: AsyncStream<(event: Event, session: StandInSession?)> {
            relay.updates()
        }

        var currentUser: StandInSession.User? { relay.current.session?.user }

        var session: StandInSession {
            get async throws {
                guard let session = relay.current.session else { throw TokenSource.Unavailable() }
                return session
            }
        }

        func tell(_ event: Event, _ session: StandInSession?) { relay.send((event, session)) }
    }

    private static let user = UUID()
    private static let session = StandInSession(
        user: .init(id: user), accessToken: token(for: user.uuidString))

    private func client(
        _ network: ScriptedTransport, _ config: SupabaseOfflineClient.Config
    ) throws -> SupabaseOfflineClient {
        try SupabaseOfflineClient(
            supabaseURL: .example, supabaseKey: "publishable", config: config,
            storage: MemoryStorage(keyspaces: Keyspace.all), transport: network)
    }

    @Test func `tells its states`() async throws {
        let (auth, network) = (StandInAuth(), ScriptedTransport())
        var config = SupabaseOfflineClient.Config(logLevel: .error)
        config.sessionStates = {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let task = Task {
                    for await (_, session) in auth.authStateChanges {
                        continuation.yield(
                            session.map {
                                .signedIn(
                                    userID: $0.user.id.uuidString, accessToken: $0.accessToken)
                            } ?? .signedOut)
                    }
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
        let client = try client(network, config)
        auth.tell(.signedIn, Self.session)
        await client.session.wait { $0.owner == .user(UserID(Self.user.uuidString)) }
        network.answer(json: #"[{"id":1}]"#)
        try await client.from("tasks").select().execute()
        let sent = network.requests.last?.headers["Authorization"]
        #expect(sent == "Bearer \(Self.session.accessToken)")
        auth.tell(.signedOut, nil)
        await client.session.wait { $0.owner == .visitor }
        await #expect {
            try await client.from("tasks").select(readStrategy: .cacheOnly).execute()
        } throws: { OfflineError.cacheMiss ~= $0 }
        await client.close()
    }

    @Test func `gives its token and its stored user`() async throws {
        let (auth, network) = (StandInAuth(), ScriptedTransport())
        auth.tell(.initialSession, Self.session)
        let client = try client(
            network,
            .init(
                accessToken: { try await auth.session.accessToken },
                currentUserID: { auth.currentUser?.id.uuidString }, logLevel: .error))
        network.answer(json: #"[{"id":1}]"#)
        try await client.from("tasks").select().execute()
        let sent = network.requests.last?.headers["Authorization"]
        #expect(sent == "Bearer \(Self.session.accessToken)")
        let kept = try await client.from("tasks").select(readStrategy: .cacheOnly).execute()
        #expect(kept.text == #"[{"id":1}]"#)
        auth.tell(.signedOut, nil)
        await #expect {
            try await client.from("tasks").select(readStrategy: .cacheOnly).execute()
        } throws: { OfflineError.cacheMiss ~= $0 }
        await client.close()
    }
}
