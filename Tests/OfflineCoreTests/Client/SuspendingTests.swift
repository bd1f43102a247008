import OfflineTesting
import StorageMemory
import Synchronization
import TestSupport
import Testing

@testable import OfflineCore

@Suite("A suspended client", .timeLimit(.minutes(5)))
struct SuspendingTests {
    /// A call, and what it says when it has come to its end.
    enum Call: CaseIterable {
        case cacheOnly, cacheFirst, networkFirst, networkOnly, function, clear
    }

    @Test(arguments: Call.allCases)
    func `lets calls wait until it is resumed`(_ call: Call) throws {
        try World.run { world in
            try await world.warm()
            await world.client.reads.waitUntilStored()
            await world.client.suspend()
            let ended = Lock(false)
            let task = world.runtime.task(name: "call") {
                let outcome = await Result { try await world.perform(call) }
                ended.withLock { $0 = true }
                return outcome
            }
            try await world.runtime.clock.sleep(for: .seconds(60))
            #expect(!ended.withLock { $0 })
            #expect(world.network.requests.count == 1)
            if call != .cacheOnly, call != .cacheFirst { world.network.answer(json: "[]") }
            try await world.client.resume()
            let text = try await task.value.get()
            switch call {
            case .cacheOnly, .cacheFirst: #expect(text == #"[{"id":1}]"#)
            case .networkFirst, .networkOnly, .function: #expect(text == "[]")
            case .clear:
                await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                    OfflineError.cacheMiss ~= $0
                }
            }
        }
    }

    @Test(arguments: Call.allCases.filter { $0 != .clear })
    func `lets a waiting call be cancelled`(_ call: Call) throws {
        try World.run { world in
            try await world.warm()
            await world.client.suspend()
            let task = world.runtime.task(name: "call") {
                await Result { try await world.perform(call) }
            }
            try await world.runtime.clock.sleep(for: .seconds(1))
            task.cancel()
            let outcome = await task.value
            #expect(throws: CancellationError.self) { try outcome.get() }
            try await world.client.resume()
        }
    }

    @Test func `clears what was to be cleared, even if nobody waits for it any more`() throws {
        try World.run { world in
            try await world.warm()
            await world.client.suspend()
            let task = world.runtime.task(name: "clear") {
                _ = await Result { try await world.client.clearCache() }
            }
            try await world.runtime.clock.sleep(for: .seconds(1))
            task.cancel()
            try await world.client.resume()
            await task.value
            try await world.waitUntilLists(are: 0)
        }
    }

    @Test func `returns what the server answers meanwhile, and keeps it when it is resumed`() throws
    {
        let gate = Gate()
        try World.run { world in
            try await world.warm()
            await world.client.reads.waitUntilStored()
            world.network.answer(json: #"[{"id":2}]"#, after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(2)
            await world.client.suspend()
            gate.open()
            let text = try await read.value.get()
            #expect(text == #"[{"id":2}]"#)
            try await world.client.resume()
            await world.client.reads.waitUntilStored()
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":2}]"#)
        }
    }

    @Test func `lets a read wait that needs the device after all`() throws {
        let gate = Gate()
        try World.run { world in
            try await world.warm()
            await world.client.reads.waitUntilStored()
            world.network.fail(TransportError(.notSent, .cannotConnect), after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute() }
            }
            await world.network.waitForRequests(2)
            await world.client.suspend()
            gate.open()
            let ended = Lock(false)
            let watch = world.runtime.task(name: "watch") {
                _ = await read.value
                ended.withLock { $0 = true }
            }
            try await world.runtime.clock.sleep(for: .seconds(60))
            #expect(!ended.withLock { $0 })
            try await world.client.resume()
            let response = try await read.value.get()
            #expect(response.isFromCache && response.text == #"[{"id":1}]"#)
            await watch.value
        }
    }

    @Test(arguments: [ReadStrategy.networkFirst, .cacheOnly, .cacheFirst])
    func `shows nothing of a user who has gone meanwhile`(_ strategy: ReadStrategy) throws {
        let gate = Gate()
        let session = SessionSwitch(.signedIn(userID: "ada", accessToken: token(for: "ada")))
        try World.run(configure: {
            $0.sessionStates = session.states
            $0.signOutPolicy = .keepCache
        }) { world in
            await world.waitForSession { $0.isSettled }
            try await world.warm()
            await world.client.reads.waitUntilStored()
            if strategy.source == .networkFirst {
                // It needs the device only when the store is away already.
                world.network.fail(TransportError(.notSent, .cannotConnect), after: gate)
            } else {
                await world.client.suspend()
            }
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks(strategy).execute().text }
            }
            if strategy.source == .networkFirst {
                await world.network.waitForRequests(2)
                await world.client.suspend()
                gate.open()
            }
            try await world.runtime.clock.sleep(for: .seconds(1))
            session.state = .signedIn(userID: "grace", accessToken: token(for: "grace"))
            await world.waitForSession { $0.owner == .user(UserID("grace")) }
            world.network.setDown(true)
            try await world.client.resume()
            #expect((try? await read.value.get()) == nil)
        }
    }

    @Test func `keeps in their order what it hears of the session`() throws {
        let storage = ReopenedStorage()
        let session = SessionSwitch(.signedIn(userID: "ada", accessToken: token(for: "ada")))
        try World.run(storage: storage.reopened(), configure: { $0.sessionStates = session.states })
        { world in
            await world.waitForSession { $0.owner == .user(UserID("ada")) }
            try await world.warm()
            await world.client.reads.waitUntilStored()
            await world.client.suspend()
            for user in ["grace", "alan"] {
                session.state = .signedIn(userID: user, accessToken: token(for: user))
                await world.waitForSession { $0.owner == .user(UserID(user)) }
            }
            try await world.client.resume()
            // Ada has gone, and her list goes too.
            try await world.waitUntilLists(are: 0)
            await world.client.close()
        }
        try World.run(storage: storage.reopened()) { world in
            let last = try world.client.store.identities.lastUser(of: "xyz.supabase.co")
            #expect(last?.id == UserID("alan"))
        }
    }

    @Test func `can be suspended and resumed again, and twice`() throws {
        try World.run { world in
            try await world.warm()
            try await world.client.resume()
            for _ in 0..<3 {
                for _ in 0..<2 { await world.client.suspend() }
                #expect(throws: StorageError.suspended) {
                    try world.storage.read { _ throws(StorageError) in }
                }
                for _ in 0..<2 { try await world.client.resume() }
                let kept = try await world.tasks(.cacheOnly).execute()
                #expect(kept.text == #"[{"id":1}]"#)
            }
        }
    }

    @Test func `takes its store back to end what is under way when it is closed`() throws {
        let (gate, storage) = (Gate(), ReopenedStorage())
        try World.run(storage: storage.reopened()) { world in
            try await world.warm()
            world.network.answer(json: #"[{"id":"last"}]"#, after: gate)
            let read = world.runtime.task(name: "read") { _ = try? await world.tasks().execute() }
            await world.network.waitForRequests(2)
            await world.client.suspend()
            let waiting = world.runtime.task(name: "waiting") {
                await Result { try await world.tasks(.cacheOnly).execute().text }
            }
            try await world.runtime.clock.sleep(for: .seconds(1))
            let close = world.runtime.task(name: "close") { await world.client.close() }
            let text = try await waiting.value.get()
            #expect(text == #"[{"id":1}]"#)
            // Nobody suspends a client that is being closed.
            await world.client.suspend()
            gate.open()
            await read.value
            await close.value
            #expect(storage.isClosed)
            await #expect { try await world.client.resume() } throws: { OfflineError.closed ~= $0 }
        }
        try World.run(storage: storage.reopened()) { world in
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":"last"}]"#)
        }
    }

    @Test func `that can't have its store back lets nothing wait when it is closed`() throws {
        let storage = LostStorage()
        let messages = MessageRecorder()
        try World.run(
            storage: storage,
            configure: { ($0.logHandler, $0.logLevel) = (messages.note, .warning) }
        ) { world in
            try await world.warm()
            await world.client.suspend()
            storage.lose()
            let waiting = world.runtime.task(name: "waiting") {
                await Result { try await world.tasks(.cacheOnly).execute() }
            }
            let clear = world.runtime.task(name: "clear") {
                await Result { try await world.client.clearCache() }
            }
            try await world.runtime.clock.sleep(for: .seconds(1))
            await #expect { try await world.client.resume() } throws: {
                OfflineError.databaseInUse ~= $0
            }
            await world.client.close()
            #expect(await waiting.value.reason == .closed)
            #expect(await clear.value.reason == .closed)
            #expect(messages.messages.contains { $0.contains("could not be opened again") })
        }
    }
}

/// A store in memory that somebody else can take while it is suspended.
private final class LostStorage: Storage {
    private let base = MemoryStorage(keyspaces: Keyspace.all)
    private let lost = Lock(false)

    func lose() { lost.withLock { $0 = true } }

    func read<R>(
        _ body: (borrowing ReadTransaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        try base.read(body)
    }

    func write<R>(
        _ body: (inout WriteTransaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        try base.write(body)
    }

    func suspend() { base.suspend() }

    func resume() throws(StorageError) {
        if lost.withLock({ $0 }) { throw .inUse }
        try base.resume()
    }

    func close() { base.close() }
}

extension World {
    fileprivate func perform(_ call: SuspendingTests.Call) async throws -> String {
        switch call {
        case .cacheOnly: return try await tasks(.cacheOnly).execute().text
        case .cacheFirst: return try await tasks(.cacheFirst).execute().text
        case .networkFirst: return try await tasks().execute().text
        case .networkOnly: return try await tasks(.networkOnly).execute().text
        case .function: return try await client.rpc("f").execute().text
        case .clear:
            try await client.clearCache()
            return ""
        }
    }
}
