import FoundationEssentials
import OfflineCore
import OfflineTesting
import StorageMemory
import Synchronization
import Testing

/// The whole client in a world of users who come and go and a network that fails.
@Suite("A client in a seeded world", .timeLimit(.minutes(5)))
struct ReadingSimulationTests {
    /// Seeds that failed once, and new ones in every run; the test's name shows them.
    static let seeds = [1, 2, 3] + (0..<40).map { _ in UInt64.random(in: 4...UInt64.max) }

    @Test(arguments: seeds)
    func `shows nobody another's rows, and nothing that was not read`(_ seed: UInt64) throws {
        let faults = try run(seed).faults
        #expect(faults == [])
    }

    @Test func `repeats its run for the same seed`() throws {
        let (first, second, other) = try (run(7), run(7), run(8))
        #expect(first.trace == second.trace)
        #expect(first.trace != other.trace)
        #expect(first.answers > 20)
    }

    private func run(_ seed: UInt64) throws -> (trace: UInt64, faults: [String], answers: Int) {
        let executor = SeededExecutor(seed: seed)
        let outcome = try executor.run { runtime in
            let world = SimulatedWorld(runtime)
            do {
                try await world.live()
                return Result<SimulatedWorld, any Error>.success(world)
            } catch {
                return .failure(error)
            }
        }
        let world = try outcome.get()
        return (executor.trace, world.faults, world.answers)
    }
}

/// Users, their server and their device.
private final class SimulatedWorld: Sendable {
    /// What the app would say if it were asked.
    enum Session: Equatable {
        case user(String)
        case nobody
        /// The user's token can't be had now.
        case failing(String)

        var owner: String? {
            switch self {
            case .user(let name), .failing(let name): name
            case .nobody: nil
            }
        }
    }

    private struct State {
        /// All sessions so far; the last is the present one.
        var sessions: [Session] = [.user("ada")]
        /// The user of the last token that the client was given.
        var heard: String?
        var faults: [String] = []
        var answers = 0
    }

    struct NoToken: Error {}

    private let runtime: OfflineRuntime
    private let state = Lock(State())

    init(_ runtime: OfflineRuntime) { self.runtime = runtime }

    var faults: [String] { state.withLock { $0.faults } }
    var answers: Int { state.withLock { $0.answers } }

    func live() async throws {
        var config = SupabaseOfflineClient.Config(logLevel: .error)
        config.runtime = runtime
        config.accessToken = { try self.token() }
        guard let url = URL(string: "https://xyz.supabase.co") else { return }
        let client = try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: "publishable", config: config,
            storage: MemoryStorage(keyspaces: Keyspace.all),
            transport: SimulatedServer(runtime))
        await withDiscardingTaskGroup { group in
            group.addTask { await self.switchUsers() }
            for _ in 0..<5 {
                group.addTask { for _ in 0..<15 { await self.read(from: client) } }
            }
        }
        await client.close()
    }

    private func token() throws -> String? {
        let session = state.withLock { state in
            if case .user(let name)? = state.sessions.last { state.heard = name }
            return state.sessions.last
        }
        switch session {
        case .user(let name)?:
            return "e30.\(Data(#"{"sub":"\#(name)"}"#.utf8).base64EncodedString()).s"
        case .failing?: throw NoToken()
        case .nobody?, nil: return nil
        }
    }

    private func switchUsers() async {
        let all: [Session] = [
            .user("ada"), .user("grace"), .nobody, .failing("ada"), .failing("grace"),
        ]
        for _ in 0..<12 {
            await pause(upTo: 3_000)
            let (present, heard) = state.withLock { ($0.sessions.last?.owner, $0.heard) }
            // Who fails without ever having given a token is unknown to the client, which goes on
            // with the last user that it heard of.
            let next = all.filter { session in
                if case .failing(let name) = session {
                    present == name && heard == name
                } else {
                    true
                }
            }
            let session = next[Int(runtime.random.next() % UInt64(next.count))]
            state.withLock { $0.sessions.append(session) }
        }
    }

    private func read(from client: SupabaseOfflineClient) async {
        await pause(upTo: 2_000)
        let strategies: [ReadStrategy] = [.networkFirst, .cacheFirst, .cacheOnly, .networkOnly]
        let strategy = strategies[Int(runtime.random.next() % 4)]
        let list = runtime.random.next() % 3
        let start = state.withLock { $0.sessions.count - 1 }
        let response = try? await client.from("list\(list)").select(readStrategy: strategy)
            .execute()
        guard let response else { return }
        let text = String(decoding: response.data, as: UTF8.self)
        state.withLock { state in
            state.answers += 1
            // Whoever was there at some time during the call may be answered.
            let owners = state.sessions[start...].map(\.owner)
            let answered = text.split(separator: "\"").dropFirst(3).first.map(String.init)
            if !owners.contains(answered) {
                state.faults.append("\(owners) got the rows of \(answered ?? "nobody")")
            }
            if !text.contains("list\(list)") && text != "[]" {
                state.faults.append("list\(list) is \(text)")
            }
        }
    }

    private func pause(upTo milliseconds: UInt64) async {
        let pause = Duration.milliseconds(runtime.random.next() % milliseconds)
        try? await runtime.clock.sleep(for: pause)
    }
}

/// Answers whoever the token names with their rows, and nobody with none, if at all.
private final class SimulatedServer: HTTPTransport {
    private let runtime: OfflineRuntime

    init(_ runtime: OfflineRuntime) { self.runtime = runtime }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard
            (try? await runtime.clock.sleep(for: .milliseconds(runtime.random.next() % 4_000)))
                != nil
        else { throw TransportError(.unanswered, .cancelled) }
        let json: HTTPHeaders = ["Content-Type": "application/json"]
        switch runtime.random.next() % 8 {
        case 0: throw TransportError(.notSent, .cannotConnect)
        case 1: throw TransportError(.unanswered, .connectionLost)
        case 2: return HTTPResponse(status: 503, headers: ["Retry-After": "1"])
        case 3: return HTTPResponse(status: 200, headers: ["Content-Type": "text/html"])
        default:
            return HTTPResponse(
                status: 200, headers: json, body: ContiguousArray(rows(for: request).utf8))
        }
    }

    private func rows(for request: HTTPRequest) -> String {
        guard let token = request.headers["Authorization"],
            let claims = Data(base64Encoded: String(token.split(separator: ".")[1])),
            let name = String(decoding: claims, as: UTF8.self).split(separator: "\"").dropFirst(3)
                .first
        else { return "[]" }
        let list = request.url.split(separator: "/").last?.prefix { $0 != "?" } ?? ""
        return #"[{"owner":"\#(name)","list":"\#(list)","n":\#(runtime.random.next() % 1_000)}]"#
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.notSent, .file)
    }

    func close() {}
}
