import OfflineTesting
import StorageMemory
import Synchronization
import TestSupport
import Testing

@testable import OfflineCore

@Suite("Closing a client", .timeLimit(.minutes(5)))
struct ClosingTests {
    @Test func `with nothing under way is done at once`() throws {
        try World.run { world in
            try await world.warm()
            await world.client.close()
            await world.client.close()
            #expect(world.elapsed == .zero)
            #expect(throws: StorageError.closed) {
                try world.storage.read { _ throws(StorageError) in }
            }
        }
    }

    @Test func `refuses new calls while old ones come to their end`() throws {
        let gate = Gate()
        try World.run { world in
            try await world.warm()
            world.network.answer(json: #"[{"id":2}]"#, after: gate)
            let builder = world.tasks(.cacheOnly)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(2)
            let close = world.runtime.task(name: "close") { await world.client.close() }
            while await !world.client.isRefusing(builder) {}
            for new in [builder, world.tasks(), world.tasks(.networkOnly)] {
                await #expect { try await new.execute() } throws: { OfflineError.closed ~= $0 }
            }
            await #expect { try await world.client.rpc("f").execute() } throws: {
                OfflineError.closed ~= $0
            }
            await #expect { try await world.client.clearCache() } throws: {
                OfflineError.closed ~= $0
            }
            let outcomes = await world.client.prefetch([world.tasks()])
            #expect(outcomes.first?.reason == .closed)
            gate.open()
            let text = try await read.value.get()
            #expect(text == #"[{"id":2}]"#)
            await close.value
        }
    }

    @Test func `lets a read's answer reach the disk`() throws {
        let (gate, storage) = (Gate(), ReopenedStorage())
        try World.run(storage: storage.reopened()) { world in
            world.network.answer(json: #"[{"id":"last"}]"#, after: gate)
            let read = world.runtime.task(name: "read") { _ = try? await world.tasks().execute() }
            await world.network.waitForRequests(1)
            let close = world.runtime.task(name: "close") { await world.client.close() }
            for _ in 0..<10 { await Task.yield() }
            gate.open()
            await read.value
            await close.value
            #expect(storage.isClosed)
        }
        try World.run(storage: storage.reopened()) { world in
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":"last"}]"#)
        }
    }

    @Test func `removes the lists of one who has gone`() async throws {
        let (storage, disk) = (ReopenedStorage(), HeldExecutor())
        let session = SessionSwitch(.signedIn(userID: "ada", accessToken: token(for: "ada")))
        try World.run(storage: storage.reopened(), configure: { $0.sessionStates = session.states })
        { world in
            await world.waitForSession { $0.isSettled }
            try await world.warm()
            await world.client.close()
        }
        session.state = .signedOut
        var config = SupabaseOfflineClient.Config(sessionStates: session.states)
        config.runtime = .held(by: disk)
        let client = try SupabaseOfflineClient(
            supabaseURL: .example, supabaseKey: "publishable", config: config,
            storage: storage.reopened(),
            transport: ScriptedTransport())
        // That nobody is signed in is on its way to the disk.
        await disk.waitForJob()
        async let close: Void = client.close()
        while await !client.isRefusing(client.from("tasks").select(readStrategy: .cacheOnly)) {}
        disk.release()
        await close
        try World.run(storage: storage.reopened()) { world in
            let count = try world.listCount()
            #expect(count == 0)
        }
    }

    @Test(arguments: [1, 2, 3] + (0..<200).map { _ in UInt64.random(in: 4...UInt64.max) })
    func `says nothing of the lists of one who has gone, however soon it comes`(
        _ seed: UInt64
    ) throws {
        let messages = MessageRecorder()
        let session = SessionSwitch(.signedOut)
        try World.run(
            seed: seed,
            configure: {
                $0.sessionStates = session.states
                $0.logHandler = messages.note
                $0.logLevel = .warning
            }
        ) { world in
            for _ in 0..<Int(seed % 20) { await Task.yield() }
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada"))
            for _ in 0..<Int(seed % 10) { await Task.yield() }
            session.state = .signedOut
            for _ in 0..<Int(seed % 5) { await Task.yield() }
            await world.client.close()
        }
        #expect(messages.messages == [])
    }

    @Test func `lets a read go out whose request was not sent yet`() throws {
        let gate = Gate()
        let source = TokenSource(.pending(gate, then: token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            world.network.answer(json: "[]")
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await source.waitUntilAsked()
            let close = world.runtime.task(name: "close") { await world.client.close() }
            for _ in 0..<10 { await Task.yield() }
            #expect(world.network.requests.isEmpty)
            gate.open()
            let text = try await read.value.get()
            #expect(text == "[]")
            await close.value
        }
    }

    @Test func `lets a read wait to ask again, and a function come back`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.answer(json: "1", after: gate)
            let call = world.runtime.task(name: "call") {
                await Result { try await world.client.rpc("f").execute().text }
            }
            await world.network.waitForRequests(1)
            world.network.answer(status: 503, json: #"{"message":"m"}"#)
            world.network.answer(json: "[]")
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(2)
            let close = world.runtime.task(name: "close") { await world.client.close() }
            let text = try await read.value.get()
            gate.open()
            let answer = try await call.value.get()
            #expect((text, answer) == ("[]", "1"))
            await close.value
            #expect(world.elapsed == .seconds(1))
        }
    }

    @Test func `waits ten seconds for a call, and gives the store back when it ends`() throws {
        let (gate, storage) = (Gate(), ReopenedStorage())
        try World.run(storage: storage.reopened()) { world in
            world.network.answer(json: "[]", after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(1)
            await world.client.close()
            #expect(world.elapsed == .seconds(10))
            #expect(!storage.isClosed)
            gate.open()
            let text = try await read.value.get()
            #expect(text == "[]")
            await world.client.close()
            #expect(storage.isClosed)
            #expect(world.elapsed == .seconds(10))
        }
    }

    @Test func `ends for a caller who is cancelled, and goes on`() throws {
        let (gate, storage) = (Gate(), ReopenedStorage())
        try World.run(storage: storage.reopened()) { world in
            world.network.answer(json: "[]", after: gate)
            let read = world.runtime.task(name: "read") { _ = try? await world.tasks().execute() }
            await world.network.waitForRequests(1)
            let close = world.runtime.task(name: "close") { await world.client.close() }
            close.cancel()
            await close.value
            #expect(world.elapsed == .zero)
            gate.open()
            await read.value
            await world.client.close()
            #expect(storage.isClosed)
        }
    }
}

extension SupabaseOfflineClient {
    /// Whether a call is refused because the client is being closed.
    fileprivate func isRefusing(_ builder: PostgrestFilterBuilder) async -> Bool {
        await Result { try await builder.execute() }.reason == .closed
    }
}
