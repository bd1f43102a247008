import FoundationEssentials
import OfflineTesting
import Synchronization
import TestSupport

@testable import OfflineCore

/// Users who come and go, their tokens, their server and their device.
///
/// Time passes in steps, so that much happens at the same instant, in an order that the seed decides.
final class SessionWorld: Sendable {
    /// How the app tells its session.
    enum Source: CaseIterable { case token, storedUser, states, statesAndToken }

    private struct NoToken: Error {}

    struct State {
        var session = SimulatedSession.user("ada")
        /// Whose rows may be shown, as far as the client can know.
        var history: SessionHistory
        /// Whether that is settled, as far as the client can know.
        var settling: SessionHistory
        /// The last user whom a token has named, as the client can know them.
        var named = "ada"
        /// The number that a token must have to be accepted.
        var tokenVersion = 1
        /// How many requests there were, and those whose answers may be kept: the session was settled
        /// when they went out, and had not changed when they were answered.
        var requests = 0
        var keepable: Set<Int> = []
        var faults: [String] = []
        var answers = 0
    }

    let runtime: OfflineRuntime
    let state: Lock<State>
    private let clock: ManualClock
    private let source: Source
    private let switcher = SessionSwitch(.restoring(storedUserID: nil))
    private let storage = ReopenedStorage()

    init(_ runtime: OfflineRuntime, _ clock: ManualClock, _ source: Source) {
        (self.runtime, self.clock, self.source) = (runtime, clock, source)
        state = Lock(
            State(
                history: SessionHistory(isAsked: source == .token),
                settling: SessionHistory(isAsked: source == .token || source == .storedUser)))
    }

    var faults: [String] { state.withLock { $0.faults } }
    var answers: Int { state.withLock { $0.answers } }

    /// A client's life, from its opening to the moment at which its store is free.
    func live() async throws {
        guard let url = URL(string: "https://xyz.supabase.co") else { return }
        if draw(2) == 0 { state.withLock { $0.session = nextSession(after: $0) } }
        switcher.state = sessionState
        if isTellingStates {
            // Before a client hears its first state, it is as if the last user were restored.
            let last = try lastUser
            note(.restoring(last), \.history, \.settling)
        }
        tell()
        let client = try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: "publishable", config: config,
            storage: storage.reopened(), transport: SessionWorldServer(self))
        await withDiscardingTaskGroup { group in
            group.addTask { await self.switchSessions(of: client) }
            group.addTask { await self.suspend(client) }
            for _ in 0..<4 {
                group.addTask { for _ in 0..<5 { await self.call(client) } }
            }
            if draw(2) == 0 {
                group.addTask {
                    await self.pause(upTo: 20_000)
                    await client.close()
                }
            }
        }
        await client.close()
        // Ten seconds may have been too short for a call.
        while !storage.isClosed { await pause(upTo: 1_000) }
        try checkStore()
    }

    private var config: SupabaseOfflineClient.Config {
        var config = SupabaseOfflineClient.Config(logLevel: .error)
        config.runtime = runtime
        if source != .states { config.accessToken = { try self.token() } }
        if source == .storedUser { config.currentUserID = { self.storedUser } }
        if isTellingStates { config.sessionStates = switcher.states }
        return config
    }

    private var isTellingStates: Bool { source == .states || source == .statesAndToken }

    // MARK: The app

    /// Notes what the client is told when the session changes: all, nothing, or whose it is.
    private func tell() {
        let session = state.withLock { $0.session }
        switch source {
        case .states, .statesAndToken: note(session, \.history, \.settling)
        case .storedUser: note(session, \.history)
        case .token: break
        }
    }

    /// Notes what the client is told by a token, or by none.
    private func tellByToken() {
        let session = state.withLock { $0.session }
        switch source {
        case .states, .statesAndToken: break
        case .storedUser: note(session, \.settling)
        case .token: note(session, \.history, \.settling)
        }
    }

    private func note(
        _ session: SimulatedSession, _ histories: WritableKeyPath<State, SessionHistory>...
    ) {
        state.withLock { state in
            for history in histories { state[keyPath: history].tell(session, at: clock.now) }
        }
    }

    private func token() throws -> String? {
        tellByToken()
        let (session, version) = state.withLock { state in
            if case .user(let name) = state.session { state.named = name }
            return (state.session, state.tokenVersion)
        }
        switch session {
        case .user(let name): return Self.token(name, version)
        case .failing, .restoring: throw NoToken()
        case .nobody: return nil
        }
    }

    static func token(_ name: String, _ version: Int) -> String {
        let claims = Data(#"{"sub":"\#(name)","version":\#(version)}"#.utf8)
        return "e30.\(claims.base64EncodedString()).s"
    }

    private var storedUser: String? {
        switch state.withLock({ $0.session }) {
        case .user(let name), .failing(let name): name
        case .restoring(let name): name
        case .nobody: nil
        }
    }

    private var sessionState: SessionState {
        let (session, version) = state.withLock { ($0.session, $0.tokenVersion) }
        return switch session {
        case .restoring(let name): .restoring(storedUserID: name)
        case .user(let name):
            .signedIn(userID: name, accessToken: Self.token(name, version))
        case .nobody: .signedOut
        case .failing(let name): .refreshFailed(userID: name)
        }
    }

    private func switchSessions(of client: SupabaseOfflineClient) async {
        for _ in 0..<6 {
            await pause(upTo: 6_000)
            switch draw(8) {
            case 0, 1:
                // The server wants another token; the app has it at once.
                state.withLock { $0.tokenVersion += 1 }
                switcher.state = sessionState
                continue
            case 2: try? await client.clearCache()
            case 3: try? await client.clear()
            default: break
            }
            state.withLock { $0.session = nextSession(after: $0) }
            switcher.state = sessionState
            tell()
        }
    }

    /// A session that may follow; a token source alone can't tell of some.
    private func nextSession(after state: State) -> SimulatedSession {
        let all: [SimulatedSession]
        switch source {
        case .token:
            // Who fails without ever having given a token is unknown to the client.
            all = [.user("ada"), .user("grace"), .nobody, .failing(state.named)]
        case .storedUser:
            // That nobody is stored and that nobody is signed in are the same.
            all = [
                .user("ada"), .user("grace"), .nobody, .failing("ada"), .failing("grace"),
                .restoring("ada"), .restoring("grace"),
            ]
        case .states, .statesAndToken:
            all = [
                .user("ada"), .user("grace"), .nobody, .failing("ada"), .failing("grace"),
                .restoring("ada"), .restoring("grace"), .restoring(nil),
            ]
        }
        return all[Int(draw(UInt64(all.count)))]
    }

    private func suspend(_ client: SupabaseOfflineClient) async {
        for _ in 0..<draw(3) {
            await pause(upTo: 10_000)
            await client.suspend()
            await pause(upTo: 2_000)
            try? await client.resume()
        }
    }

    private func call(_ client: SupabaseOfflineClient) async {
        await pause(upTo: 2_000)
        let strategies: [ReadStrategy] = [.networkFirst, .cacheFirst, .cacheOnly, .networkOnly]
        let read = client.from("list\(draw(2))").select(readStrategy: strategies[Int(draw(4))])
        guard let response = try? await read.execute() else { return }
        let owner = Self.owner(of: String(decoding: response.data, as: UTF8.self))
        state.withLock { state in
            state.answers += 1
            // A read for one who is not there any more throws.
            let sessions = state.history.sessions(at: clock.now)
            let owners =
                response.isFromCache
                ? sessions.compactMap(\.shown) : sessions.flatMap(\.answered)
            guard !owners.contains(owner) else { return }
            let place = response.isFromCache ? "device" : "server"
            state.faults.append("under \(sessions) the \(place)'s rows were \(owner)'s")
        }
    }

    // MARK: The device

    /// Checks that every list lies with its owner, and none with one who has gone.
    private func checkStore() throws {
        let last = try lastUser
        for list in try storage.reopened().lists() {
            let owner = Self.owner(of: list.text)
            let expected = owner == "public" ? "visitor" : "user\n\(owner)"
            let isOwners = list.identity.hasSuffix("\n" + expected)
            let isKeepable = state.withLock { $0.keepable.contains(Self.request(of: list.text)) }
            guard !isOwners || !isKeepable || owner != "public" && owner != last else { continue }
            state.withLock { state in
                guard isKeepable else {
                    return state.faults.append("what came under no settled session was kept")
                }
                state.faults.append(
                    "\(list.identity) has \(owner)'s rows, and the last user is \(last ?? "none")")
            }
        }
    }

    private var lastUser: String? {
        get throws {
            try OfflineStore(storage.reopened(), runtime: runtime).identities
                .lastUser(of: "xyz.supabase.co")?.id.text
        }
    }

    private static func owner(of text: String) -> String {
        text.split(separator: "\"").dropFirst(3).first.map(String.init) ?? "nobody"
    }

    private static func request(of text: String) -> Int {
        text.split(separator: ":").last.flatMap { Int($0.prefix { $0 != "}" }) } ?? 0
    }

    // MARK: The server

    /// Notes that a request goes out.
    ///
    /// - Returns: Its number, and the settled sessions under which it does.
    func noteRequest() -> (number: Int, places: Set<Int>) {
        state.withLock { state in
            state.requests += 1
            return (state.requests, state.settling.settledPlaces(at: clock.now))
        }
    }

    /// Notes that a request is answered.
    func noteAnswer(to request: (number: Int, places: Set<Int>)) {
        state.withLock { state in
            let places = state.settling.settledPlaces(at: clock.now)
            if !places.isDisjoint(with: request.places) { state.keepable.insert(request.number) }
        }
    }

    // MARK: Chance and time

    func draw(_ count: UInt64) -> UInt64 { runtime.random.next() % count }

    func pause(upTo milliseconds: UInt64) async {
        let steps = draw(milliseconds / 100 + 1)
        try? await runtime.clock.sleep(for: .milliseconds(steps * 100))
    }
}

extension Storage {
    /// The whole name of each identity that has a list, and the list.
    fileprivate func lists() throws(StorageError) -> [(identity: String, text: String)] {
        try read { transaction throws(StorageError) in
            var names: [Bytes: String] = [:]
            try transaction.scan(in: .identities) { _, value in
                let record = Bytes(copying: value)
                names[Bytes(record.prefix(4))] = String(
                    decoding: record.dropFirst(4), as: UTF8.self)
                return .next
            }
            var lists: [(identity: String, text: String)] = []
            try transaction.scan(in: .bodies) { key, value in
                let number = Bytes(Bytes(copying: key).dropFirst().prefix(4))
                let text = String(decoding: Bytes(copying: value), as: UTF8.self)
                lists.append((names[number] ?? "nobody known", text))
                return .next
            }
            return lists
        }
    }
}
