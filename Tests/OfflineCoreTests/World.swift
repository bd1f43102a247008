import FoundationEssentials
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

/// A client and everything around it, in a run that a seed decides.
///
/// Time passes by itself when nothing is left to do, so a retry needs no help from the test; how
/// much has passed is ``elapsed``.
struct World: Sendable {
    let client: SupabaseOfflineClient
    let network: ScriptedTransport
    let storage: any Storage
    let runtime: OfflineRuntime
    let clock: ManualClock
    private let start: ManualClock.Instant

    /// Runs `body` with a client over a fresh store, or over `storage`.
    static func run(
        seed: UInt64 = 1, storage: any Storage = MemoryStorage(keyspaces: Keyspace.all),
        configure: @escaping @Sendable (inout SupabaseOfflineClient.Config) -> Void = { _ in },
        _ body: @escaping @Sendable (World) async throws -> Void
    ) throws {
        let executor = SeededExecutor(seed: seed)
        let outcome = try executor.run { runtime in
            do {
                try await body(
                    World(runtime: runtime, clock: executor.clock, storage: storage, configure))
                return Result<Void, any Error>.success(())
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }

    private init(
        runtime: OfflineRuntime, clock: ManualClock, storage: any Storage,
        _ configure: (inout SupabaseOfflineClient.Config) -> Void
    ) throws {
        let network = ScriptedTransport()
        var config = SupabaseOfflineClient.Config(logLevel: .error)
        config.runtime = runtime
        configure(&config)
        client = try SupabaseOfflineClient(
            supabaseURL: .example, supabaseKey: "publishable", config: config, storage: storage,
            transport: network)
        self.network = network
        self.storage = storage
        self.runtime = runtime
        self.clock = clock
        start = clock.now
    }

    /// The time that passed since the world began.
    var elapsed: Duration { start.duration(to: clock.now) }

    /// Lets everything that can go on go on, as time moves only when nothing else is left to do.
    func settle() async {
        try? await runtime.clock.sleep(for: .nanoseconds(1))
    }

    /// A read of the one list that most tests are about.
    func tasks(_ strategy: ReadStrategy = .networkFirst) -> PostgrestFilterBuilder {
        client.from("tasks").select(readStrategy: strategy)
    }

    /// Lets the device have a list, as the server answers it now.
    func warm(_ json: String = #"[{"id":1}]"#) async throws {
        network.answer(json: json)
        try await tasks(.networkOnly).execute()
    }
}

extension URL {
    static var example: URL {
        guard let url = URL(string: "https://xyz.supabase.co") else {
            preconditionFailure("the example is a URL")
        }
        return url
    }
}

extension OfflineResponse {
    /// The answer as text.
    var text: String { String(decoding: data, as: UTF8.self) }
}

/// A token that names a user, or nobody.
func token(for user: String?, salt: String = "") -> String {
    let payload = user.map { #"{"sub":"\#($0)","salt":"\#(salt)"}"# } ?? #"{"role":"anon"}"#
    let encoded = Data(payload.utf8).base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return "e30.\(encoded).c2ln"
}

/// What a test lets the app's token closure say, and how often it was asked.
actor TokenSource {
    enum Word: Sendable {
        case token(String)
        case noToken
        case failure
        case pending(Gate, then: String?)
    }

    struct Unavailable: Error {}

    private var word: Word
    private nonisolated let wasAsked = Gate()

    init(_ word: Word) { self.word = word }

    func say(_ word: Word) { self.word = word }

    nonisolated func waitUntilAsked() async { await wasAsked.wait() }

    nonisolated var closure: @Sendable () async throws -> String? {
        { try await self.answer() }
    }

    private func answer() async throws -> String? {
        wasAsked.open()
        switch word {
        case .token(let token): return token
        case .noToken: return nil
        case .failure: throw Unavailable()
        case .pending(let gate, let token):
            await gate.wait()
            return token
        }
    }
}
