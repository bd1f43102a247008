import FoundationEssentials
import OfflineCore
import OfflineTesting
import StorageMemory
import Synchronization

/// A user who writes and reads on one device, whose network comes and goes and whose app is killed.
final class QueueWorld: Sendable {
    private struct Row: Decodable, Sendable {
        let id: Int
        let v: Int
        let d: Bool
    }

    private struct Life: Sendable {
        let client: SupabaseOfflineClient
        let tether: Tether
        let storage: TetheredStorage
    }

    private struct State {
        var model = QueueModel()
        var last = 0
        var faults: [String] = []
        var reads = 0
        var fresh = 0
        var kept = 0
        /// The writes that are kept, by their ids.
        var mutations: [UUID: Int] = [:]
        var isOver = false
    }

    private let runtime: OfflineRuntime
    private let server: QueueServer
    private let storage = MemoryStorage(keyspaces: Keyspace.all)
    private let state = Lock(State())
    private let life: Lock<Life?> = Lock(nil)

    init(_ runtime: OfflineRuntime) {
        self.runtime = runtime
        server = QueueServer(runtime)
    }

    var faults: [String] { state.withLock { $0.faults } }
    var reads: Int { state.withLock { $0.reads } }
    var fresh: Int { state.withLock { $0.fresh } }
    var kept: Int { state.withLock { $0.kept } }
    var largestBatch: Int { server.largestBatch }

    /// Lives for a while, and then looks at what has come of all writes.
    func live() async throws {
        try begin()
        await withDiscardingTaskGroup { group in
            group.addTask {
                for _ in 0..<40 { await self.write() }
                self.state.withLock { $0.isOver = true }
            }
            for _ in 0..<2 { group.addTask { for _ in 0..<20 { await self.read() } } }
            group.addTask { await self.disturb() }
        }
        server.calmDown()
        try await end()
    }

    private func begin() throws {
        guard let url = URL(string: "https://xyz.supabase.co") else { return }
        var config = SupabaseOfflineClient.Config(logLevel: .error)
        config.runtime = runtime
        config.requestTimeout = .seconds(10)
        let (tether, storage) = (Tether(server), TetheredStorage(storage))
        let client = try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: "publishable", config: config,
            storage: storage, transport: tether)
        life.withLock { $0 = Life(client: client, tether: tether, storage: storage) }
    }

    private var client: SupabaseOfflineClient {
        guard let life = life.withLock({ $0 }) else { preconditionFailure("the app lives") }
        return life.client
    }

    private func draw(_ count: Int) -> Int { Int(runtime.random.next() % UInt64(count)) }

    private func wait(_ milliseconds: Int) async {
        try? await runtime.clock.sleep(for: .milliseconds(milliseconds))
    }

    private func fail(_ fault: String) { state.withLock { $0.faults.append(fault) } }

    /// Takes the network away and brings it back, kills the app, and asks for a pass now and then.
    private func disturb() async {
        while !state.withLock({ $0.isOver }) {
            await wait(500 + draw(6_000))
            switch draw(6) {
            case 0, 1:
                server.setDown(true)
                await wait(draw(20_000))
                server.setDown(false)
            case 2:
                life.withLock { life in
                    life?.tether.cut()
                    life?.storage.close()
                }
                do { try begin() } catch { fail("the app can't be opened again: \(error)") }
            case 3: _ = try? await client.syncPendingMutations()
            default: break
            }
        }
    }
}

// MARK: Writing

extension QueueWorld {
    private func write() async {
        await wait(draw(4) == 0 ? 3_000 : draw(300))
        let (number, key, kind) = state.withLock { state in
            state.last += 1
            let keys = state.model.keys
            var key = state.last
            var kind = QueueModel.Kind.insert(isDone: draw(2) == 0)
            if draw(3) > 0, !keys.isEmpty {
                key = keys[draw(keys.count)]
                switch draw(7) {
                case 0: kind = .delete
                case 1 where !state.model.isPoisoned(key): kind = .upsert(isDone: draw(2) == 0)
                case 1...3: kind = .update(isDone: draw(2) == 0)
                default: kind = .update(isDone: nil)
                }
            }
            state.model.begin(state.last, kind, of: key)
            return (state.last, key, kind)
        }
        do {
            let outcome = try await make(number, kind, of: key)
            state.withLock { state in
                state.model.confirm(number, of: key)
                if let id = outcome.mutation?.id {
                    state.kept += 1
                    state.mutations[id] = number
                }
            }
        } catch let error as OfflineError {
            switch error.reason {
            case .server:
                state.withLock { $0.model.withdraw(number, of: key) }
            case .closed: break
            default: fail("write \(number) has failed: \(error)")
            }
        } catch {
            fail("write \(number) has failed: \(error)")
        }
    }

    private func make(
        _ number: Int, _ kind: QueueModel.Kind, of key: Int
    ) async throws -> WriteOutcome<Void> {
        let table = client.from("tasks")
        let isTold = draw(2) == 0
        let returning: PostgrestReturningOptions = isTold ? .representation : .minimal
        func row(_ isDone: Bool) -> JSONValue {
            ["id": .integer(key), "v": .integer(number), "d": .bool(isDone)]
        }
        switch kind {
        case .insert(let isDone):
            return try await table.insert(row(isDone), returning: returning).execute()
        case .upsert(let isDone):
            return try await table.upsert(row(isDone), returning: returning).execute()
        case .update(let isDone?):
            let columns: JSONValue = ["v": .integer(number), "d": .bool(isDone)]
            return try await alone(
                table.update(columns, returning: returning).eq("id", value: key), number
            ).execute()
        case .update(nil):
            return try await alone(
                table.update(["v": number], returning: returning).eq("id", value: key), number
            ).execute()
        case .delete:
            return try await table.delete(returning: returning).eq("id", value: key).execute()
        }
    }
}

extension QueueWorld {
    /// One that will be refused takes no other with it.
    private func alone(
        _ update: PostgrestWriteBuilder, _ number: Int
    ) -> PostgrestWriteBuilder {
        QueueServer.isPoison(number) ? update.separately() : update
    }
}

// MARK: Reading

extension QueueWorld {
    private func read() async {
        await wait(draw(1_500))
        let before = state.withLock { $0.model }
        let certain = before.writes.mapValues { writes in
            // The app was told of these before it has asked.
            writes.firstIndex { !$0.isCertain } ?? writes.count
        }
        let strategies: [ReadStrategy] = [.networkFirst, .cacheFirst, .cacheOnly, .networkOnly]
        let table = client.from("tasks").select(readStrategy: strategies[draw(4)])
        let isOfUndone = draw(2) == 0
        let response: OfflineResponse<[Row]>?
        if isOfUndone {
            response = try? await table.eq("d", value: false).execute()
        } else {
            response = try? await table.execute()
        }
        guard let response else { return }
        let shown = Dictionary(grouping: response.value, by: \.id)
        state.withLock { state in
            state.reads += 1
            if !response.isStale { state.fresh += 1 }
            for key in Set(state.model.keys).union(shown.keys) {
                let rows = shown[key] ?? []
                if rows.count > 1 { state.faults.append("row \(key) is shown twice") }
                guard !response.isStale else { continue }
                let row = rows.first.map { QueueServer.Row(v: $0.v, d: $0.d) }
                var allowed = state.model.rows(of: key, after: certain[key] ?? 0)
                if isOfUndone { allowed = Set(allowed.map { $0?.d == true ? nil : $0 }) }
                if !allowed.contains(row) {
                    state.faults.append(
                        "row \(key) is \(String(describing: row)) after \(state.model.writes[key] ?? [])"
                            + ", from the device: \(response.isFromCache)")
                }
            }
        }
    }
}

// MARK: The end

extension QueueWorld {
    /// Sends what is left, and compares the server with what the user has written.
    private func end() async throws {
        var report = try await client.syncPendingMutations()
        for _ in 0..<20 where report.left > 0 { report = try await client.syncPendingMutations() }
        if report.left > 0 { fail("\(report) is left") }
        let (rows, history) = (server.rows, server.history)
        let (model, mutations) = state.withLock { ($0.model, $0.mutations) }
        for key in Set(model.keys).union(rows.keys) {
            let row = rows[key]
            if !model.rows(of: key, after: .max, isFinal: true).contains(row) {
                fail("the server has \(String(describing: row)) of \(model.writes[key] ?? [])")
            }
            let numbers = history[key] ?? []
            if zip(numbers, numbers.dropFirst()).contains(where: { $0 > $1 }) {
                fail("row \(key) was written in the order \(numbers)")
            }
        }
        for (number, count) in server.inserts where count > 1 {
            fail("insert \(number) was carried out \(count) times")
        }
        for (id, number) in mutations {
            do {
                switch try await client.outcome(of: id) {
                case .applied where QueueServer.isPoison(number): break
                case .applied, .cancelledOut, .rejected(.dependency): break
                case .rejected(let rejection) where !QueueServer.isPoison(number):
                    fail("write \(number) was rejected: \(rejection)")
                case .rejected: break
                case .discarded: fail("write \(number) was discarded")
                }
            } catch {
                fail("nothing is known of write \(number): \(error)")
            }
        }
        await client.close()
    }
}
