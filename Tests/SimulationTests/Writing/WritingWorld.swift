import FoundationEssentials
import OfflineCore
import OfflineTesting
import StorageMemory
import Synchronization

/// A user who writes and reads on one device, and what may be shown to them.
///
/// Nobody else writes, so what the server has is known; every write has a number, which its rows bear.
final class WritingWorld: Sendable {
    private struct Row: Decodable, Sendable {
        let id: Int
        let v: Int
        let d: Bool?
    }

    private struct State {
        /// The rows as the last write that was told to be taken has left them; nil is gone.
        var taken: [Int: (number: Int, row: WritingServer.Row?)] = [:]
        /// The rows that a write has changed of which nobody knows whether it did.
        var doubtful: Set<Int> = []
        /// The number of the write that is under way.
        var pending: Int?
        var last = 0
        var faults: [String] = []
        var checks = 0
        var fresh = 0
    }

    private let runtime: OfflineRuntime
    private let server: WritingServer
    private let state = Lock(State())

    init(_ runtime: OfflineRuntime) {
        self.runtime = runtime
        server = WritingServer(runtime)
    }

    var faults: [String] { state.withLock { $0.faults } }
    /// How many lists were looked at, and how many of them said that they were fresh.
    var checks: Int { state.withLock { $0.checks } }
    var fresh: Int { state.withLock { $0.fresh } }

    func live() async throws {
        guard let url = URL(string: "https://xyz.supabase.co") else { return }
        var config = SupabaseOfflineClient.Config(cacheSize: .bytes(4_096), logLevel: .error)
        config.runtime = runtime
        let client = try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: "publishable", config: config,
            storage: MemoryStorage(keyspaces: Keyspace.all), transport: server)
        await withDiscardingTaskGroup { group in
            group.addTask { for _ in 0..<25 { await self.write(to: client) } }
            for _ in 0..<4 {
                group.addTask { for _ in 0..<15 { await self.read(from: client) } }
            }
            group.addTask {
                for _ in 0..<3 {
                    await self.pause(upTo: 6_000)
                    try? await client.clearCache()
                }
            }
        }
        await client.close()
    }

    private func draw(_ count: Int) -> Int { Int(runtime.random.next() % UInt64(count)) }

    private func pause(upTo milliseconds: Int) async {
        await wait(.milliseconds(draw(milliseconds)))
    }

    private func wait(_ duration: Duration) async { try? await runtime.clock.sleep(for: duration) }
}

// MARK: Writing

extension WritingWorld {
    private func write(to client: SupabaseOfflineClient) async {
        await pause(upTo: 500)
        let number = state.withLock { state in
            state.last += 1
            state.pending = state.last
            return state.last
        }
        let before = server.rows
        let result: Result<Void, any Error>
        do {
            try await makeWrite(number, of: client.from("tasks"))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // Time moves only when nothing else is left to do, so whatever was read before the write returned
        // is looked at before it counts as taken.
        await wait(.milliseconds(1))
        let after = server.rows
        state.withLock { state in
            state.pending = nil
            for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
                if case .success = result {
                    state.taken[key] = (number, after[key])
                } else {
                    // It may be shown or not.
                    state.taken[key] = nil
                    state.doubtful.insert(key)
                }
            }
        }
    }

    private func makeWrite(_ number: Int, of table: PostgrestQueryBuilder) async throws {
        let key = draw(6)
        let payload: JSONValue = ["id": .integer(key), "v": .integer(number)]
        let whole: JSONValue = [
            "id": .integer(key), "v": .integer(number), "d": .bool(draw(2) == 0),
        ]
        let isTold = draw(2) == 0
        let returning: PostgrestReturningOptions = isTold ? .representation : .minimal
        switch draw(8) {
        case 0:
            try await table.insert(payload, returning: returning, policy: .requireServer).execute()
        case 1:
            try await table.insert(whole, returning: returning, policy: .requireServer).execute()
        case 2:
            try await table.upsert(payload, returning: returning, policy: .requireServer).execute()
        case 3:
            let columns: JSONValue = ["v": .integer(number), "d": .bool(draw(2) == 0)]
            try await table.update(columns, returning: returning, policy: .requireServer).eq(
                "id", value: key
            ).execute()
        case 4:
            try await table.update(["v": number], returning: returning, policy: .requireServer)
                .eq("d", value: draw(2) == 0).execute()
        case 5:
            try await table.update(["v": number], policy: .requireServer).eq("id", value: key)
                .select("id,v").execute()
        case 6:
            try await table.delete(returning: returning, policy: .requireServer).eq(
                "id", value: key
            ).execute()
        default:
            try await table.delete(returning: returning, policy: .requireServer).eq(
                "d", value: true
            )
            .eq("id", value: key).execute()
        }
    }
}

// MARK: Reading

extension WritingWorld {
    private func read(from client: SupabaseOfflineClient) async {
        await pause(upTo: 800)
        let strategies: [ReadStrategy] = [.networkFirst, .cacheFirst, .cacheOnly, .networkOnly]
        let strategy = strategies[draw(4)]
        let table = client.from("tasks")
        let list = draw(4)
        let response: OfflineResponse<[Row]>?
        switch list {
        case 0: response = try? await table.select(readStrategy: strategy).execute()
        case 1:
            response = try? await table.select(readStrategy: strategy).eq("d", value: false)
                .execute()
        case 2: response = try? await table.select("id,v", readStrategy: strategy).execute()
        default:
            response = try? await table.select(readStrategy: strategy).order("id").limit(3)
                .execute()
        }
        guard let response else { return }
        check(response, ServerQuery(["t?", "t?d=eq.false", "t?", "t?limit=3"][list]))
        // Another list takes the room of these.
        if draw(6) == 0 { _ = try? await client.from("notes").select().execute() }
    }

    private func check(_ response: OfflineResponse<[Row]>, _ query: ServerQuery) {
        let rows = server.rows
        state.withLock { state in
            state.checks += 1
            let text = String(decoding: response.data, as: UTF8.self)
            for row in response.value {
                // A stale list can't follow a write whose filter reads what the list doesn't show, or what
                // is another value there than on the server.
                if response.isStale, row.d == nil || state.doubtful.contains(row.id) { continue }
                guard let taken = state.taken[row.id], row.v < taken.number else { continue }
                if taken.row == nil || row.v < taken.row?.version ?? 0 {
                    state.faults.append("write \(taken.number) is undone in \(text)")
                }
            }
            guard !response.isStale else { return }
            state.fresh += 1
            // Fresh is what the server has, unless a write is under way.
            guard state.pending == nil else { return }
            let expected = query.keys(in: rows).map { [$0, rows[$0]?.version ?? -1] }
            let found = response.value.map { [$0.id, $0.v] }.sorted { $0[0] < $1[0] }
            if expected != found {
                state.faults.append("\(text) is not \(expected), cached: \(response.isFromCache)")
            }
        }
    }
}
