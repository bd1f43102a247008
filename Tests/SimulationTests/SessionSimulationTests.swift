import FoundationEssentials
import OfflineTesting
import StorageMemory
import Synchronization
import TestSupport
import Testing

@testable import OfflineCore

/// Sessions that change at any moment of any read: the client against a model of who may see what.
@Suite("Sessions in a seeded world", .timeLimit(.minutes(5)))
struct SessionSimulationTests {
    /// How the app tells its session.
    enum Source: CaseIterable { case token, storedUser, states, statesAndToken }

    /// How many seeds each way of telling is tried with.
    #if THREAD_SANITIZER
    static let rounds = 50
    #else
    static let rounds = 500
    #endif

    @Test(arguments: Source.allCases)
    func `serve and store every row for its owner alone`(_ source: Source) async throws {
        let start = UInt64.random(in: 1_000...UInt64.max / 2)
        let seeds = Array(1...50) + (start..<start + UInt64(Self.rounds))
        // Apart from the shared pool, which would have no thread left for the other tests.
        let faulty = try await onOwnThread {
            try seeds.map { (seed: $0, faults: try run($0, source).faults) }
                .filter { !$0.faults.isEmpty }
        }
        for (seed, faults) in faulty { Issue.record("seed \(seed), \(source): \(faults)") }
    }

    @Test func `repeat a run for its seed`() throws {
        let (first, second, other) = try (run(7, .states), run(7, .states), run(8, .states))
        #expect(first.trace == second.trace)
        #expect(first.trace != other.trace)
        #expect(first.answers > 5)
    }

    private func run(
        _ seed: UInt64, _ source: Source
    ) throws -> (trace: UInt64, faults: [String], answers: Int) {
        let executor = SeededExecutor(seed: seed)
        let outcome = try executor.run { runtime in
            let world = SessionWorld(runtime, source)
            do {
                try await world.live()
                return Result<SessionWorld, any Error>.success(world)
            } catch {
                return .failure(error)
            }
        }
        let world = try outcome.get()
        return (executor.trace, world.faults, world.answers)
    }
}

/// Users who come and go, their tokens, their server and their device.
private final class SessionWorld: Sendable {
    /// What the app knows of its session.
    enum Session: Equatable {
        case restoring(String?)
        case user(String)
        case nobody
        case failing(String)

        /// Whose rows may be seen; the visitor has those that are public.
        var owner: String {
            switch self {
            case .restoring(let name?), .user(let name), .failing(let name): name
            case .restoring(nil), .nobody: "public"
            }
        }
    }

    struct NoToken: Error {}

    private struct State {
        /// All sessions so far; the last is the present one.
        var sessions: [Session] = [.user("ada")]
        /// From which of them on the client may show rows: it has heard of this one.
        var heard = 0
        /// The last user whom a token has named, as the client can know them.
        var named = "ada"
        /// The number that a token must have to be accepted.
        var tokenVersion = 1
        var faults: [String] = []
        var answers = 0
    }

    private let runtime: OfflineRuntime
    private let source: SessionSimulationTests.Source
    private let state = Lock(State())
    private let switcher = SessionSwitch(.restoring(storedUserID: nil))
    private let storage = MemoryStorage(keyspaces: Keyspace.all)

    init(_ runtime: OfflineRuntime, _ source: SessionSimulationTests.Source) {
        self.runtime = runtime
        self.source = source
    }

    var faults: [String] { state.withLock { $0.faults } }
    var answers: Int { state.withLock { $0.answers } }

    func live() async throws {
        guard let url = URL(string: "https://xyz.supabase.co") else { return }
        switcher.state = state(of: .user("ada"))
        let client = try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: "publishable", config: config, storage: storage,
            transport: Server(self, runtime))
        await withDiscardingTaskGroup { group in
            group.addTask { await self.switchSessions(of: client) }
            for _ in 0..<4 {
                group.addTask { for _ in 0..<8 { await self.call(client) } }
            }
        }
        await client.reads.waitUntilStored()
        try checkStore()
        await client.close()
    }

    private var config: SupabaseOfflineClient.Config {
        var config = SupabaseOfflineClient.Config(logLevel: .error)
        config.runtime = runtime
        if source != .states { config.accessToken = { try self.token() } }
        if source == .storedUser { config.currentUserID = { self.storedUser } }
        if source == .states || source == .statesAndToken {
            config.sessionStates = switcher.states
        }
        return config
    }

    // MARK: The app

    private func token() throws -> String? {
        let (session, version) = state.withLock { state in
            if case .user(let name)? = state.sessions.last { state.named = name }
            return (state.sessions.last, state.tokenVersion)
        }
        switch session {
        case .user(let name)?: return Self.token(name, version)
        case .failing?, .restoring?: throw NoToken()
        case .nobody?, nil: return nil
        }
    }

    private var storedUser: String? {
        switch state.withLock({ $0.sessions.last }) {
        case .user(let name)?, .failing(let name)?, .restoring(let name?)?: name
        case .nobody?, .restoring(nil)?, nil: nil
        }
    }

    private func state(of session: Session) -> SessionState {
        switch session {
        case .restoring(let name): .restoring(storedUserID: name)
        case .user(let name):
            .signedIn(
                userID: name, accessToken: Self.token(name, state.withLock { $0.tokenVersion }))
        case .nobody: .signedOut
        case .failing(let name): .refreshFailed(userID: name)
        }
    }

    private static func token(_ name: String, _ version: Int) -> String {
        let claims = Data(#"{"sub":"\#(name)","version":\#(version)}"#.utf8)
        return "e30.\(claims.base64EncodedString()).s"
    }

    private func switchSessions(of client: SupabaseOfflineClient) async {
        for _ in 0..<8 {
            await pause(upTo: 6_000)
            if draw(4) == 0 {
                // The server wants another token; the app has it at once.
                state.withLock { $0.tokenVersion += 1 }
                if case .user(let name)? = state.withLock({ $0.sessions.last }) {
                    switcher.state = state(of: .user(name))
                }
                continue
            }
            if draw(6) == 0 { try? await client.clearCache() }
            let next = nextSession
            let index = state.withLock { state in
                state.sessions.append(next)
                return state.sessions.count - 1
            }
            switcher.state = state(of: next)
            if source == .states || source == .statesAndToken {
                await client.session.wait { $0.isHearing(of: next) }
            }
            state.withLock { $0.heard = index }
        }
    }

    /// A session that may follow; a token source alone can't tell of some.
    private var nextSession: Session {
        let named = state.withLock { $0.named }
        let all: [Session]
        switch source {
        case .token:
            // Who fails without ever having given a token is unknown to the client.
            all = [.user("ada"), .user("grace"), .nobody, .failing(named)]
        case .storedUser, .states, .statesAndToken:
            all = [
                .user("ada"), .user("grace"), .nobody, .failing("ada"), .failing("grace"),
                .restoring("ada"), .restoring("grace"), .restoring(nil),
            ]
        }
        return all[Int(draw(UInt64(all.count)))]
    }

    private func call(_ client: SupabaseOfflineClient) async {
        await pause(upTo: 2_000)
        let strategies: [ReadStrategy] = [.networkFirst, .cacheFirst, .cacheOnly, .networkOnly]
        let read = client.from("list\(draw(2))").select(readStrategy: strategies[Int(draw(4))])
        let start = state.withLock { $0.heard }
        guard let response = try? await read.execute() else { return }
        let text = String(decoding: response.data, as: UTF8.self)
        state.withLock { state in
            state.answers += 1
            // Whoever was there at some time during the call may be answered. What is public the
            // server shows to anybody; the device shows it to the visitor alone.
            var owners = Set(state.sessions[start...].map(\.owner))
            if !response.isFromCache { owners.insert("public") }
            let owner = Self.owner(of: text)
            if !owners.contains(owner) { state.faults.append("\(owners) saw \(owner)'s rows") }
        }
    }

    // MARK: The device

    /// Checks that every list lies with its owner.
    private func checkStore() throws {
        var lists: [(identity: Bytes, owner: String)] = []
        var names: [Bytes: String] = [:]
        try storage.read { transaction throws(StorageError) in
            try transaction.scan(in: .identities) { _, value in
                let record = Bytes(copying: value)
                names[Bytes(record.prefix(4))] = String(
                    decoding: record.dropFirst(4), as: UTF8.self)
                return .next
            }
            try transaction.scan(in: .bodies) { key, value in
                let text = String(decoding: Bytes(copying: value), as: UTF8.self)
                lists.append(
                    (Bytes(Bytes(copying: key).dropFirst().prefix(4)), Self.owner(of: text)))
                return .next
            }
        }
        for list in lists {
            let name = names[list.identity] ?? "nobody known"
            let expected = list.owner == "public" ? "visitor" : "user\n\(list.owner)"
            if !name.hasSuffix("\n" + expected) {
                state.withLock { $0.faults.append("\(name) has \(list.owner)'s rows") }
            }
        }
    }

    private static func owner(of text: String) -> String {
        text.split(separator: "\"").dropFirst(3).first.map(String.init) ?? "nobody"
    }

    // MARK: The server

    /// Answers whoever the token names with their rows, and nobody with public ones, if at all.
    private struct Server: HTTPTransport {
        let world: SessionWorld
        let runtime: OfflineRuntime

        init(_ world: SessionWorld, _ runtime: OfflineRuntime) {
            (self.world, self.runtime) = (world, runtime)
        }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            await world.pause(upTo: 800)
            let version = world.state.withLock { $0.tokenVersion }
            let rows: (String) -> HTTPResponse = { owner in
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "application/json"],
                    body: ContiguousArray(#"[{"owner":"\#(owner)"}]"#.utf8))
            }
            switch runtime.random.next() % 10 {
            case 0: throw TransportError(.notSent, .cannotConnect)
            case 1: return HTTPResponse(status: 503, headers: ["Retry-After": "1"])
            default: break
            }
            guard let token = request.headers["Authorization"] else { return rows("public") }
            for name in ["ada", "grace"]
            where token == "Bearer \(SessionWorld.token(name, version))" {
                await world.pause(upTo: 800)
                return rows(name)
            }
            return HTTPResponse(
                status: 401, headers: ["Content-Type": "application/json"],
                body: ContiguousArray(#"{"code":"PGRST303","message":"JWT expired"}"#.utf8))
        }

        func download(
            _ request: HTTPRequest, toFile path: String
        ) async throws(TransportError) -> HTTPResponse {
            throw TransportError(.notSent, .file)
        }

        func close() {}
    }

    private func draw(_ count: UInt64) -> UInt64 { runtime.random.next() % count }

    private func pause(upTo milliseconds: UInt64) async {
        try? await runtime.clock.sleep(for: .milliseconds(draw(milliseconds)))
    }
}

extension SessionStateMachine {
    /// Whether the client has heard of a session.
    fileprivate func isHearing(of session: SessionWorld.Session) -> Bool {
        switch (session, state) {
        case (.restoring(let name), .restoring(let stored)): name == stored?.text
        case (.user(let name), .user(let user)): name == user.text
        case (.nobody, .visitor): true
        case (.failing(let name), .refreshFailed(let user)): name == user?.text
        default: false
        }
    }
}
