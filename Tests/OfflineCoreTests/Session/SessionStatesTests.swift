import FoundationEssentials
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

/// A client whose app tells every state of its session.
@Suite("A session told by its states", .timeLimit(.minutes(5)))
struct SessionStatesTests {
    /// Runs `body` in a world in which ada has a list on the device, and the session is in `state`.
    private func withAdasList(
        then state: SessionState,
        configure: @escaping @Sendable (inout SupabaseOfflineClient.Config) -> Void = { _ in },
        _ body: @escaping @Sendable (World, SessionSwitch) async throws -> Void
    ) throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        let before = SessionSwitch(.signedIn(userID: "ada", accessToken: token(for: "ada")))
        try World.run(storage: storage, configure: { $0.sessionStates = before.states }) { world in
            await world.waitForSession { $0.isSettled }
            try await world.warm()
            await world.client.reads.waitUntilStored()
        }
        let session = SessionSwitch(state)
        try World.run(
            storage: storage,
            configure: {
                configure(&$0)
                $0.sessionStates = session.states
            }
        ) { world in
            try await body(world, session)
        }
    }

    // MARK: Restoring

    @Test func `that settles as the stored user gets the user's answer, at once`() throws {
        try withAdasList(then: .restoring(storedUserID: "ada")) { world, session in
            world.network.answer(json: "[]")
            world.network.answer(json: "[]")
            world.network.answer(json: #"[{"id":2}]"#)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            try await world.runtime.clock.sleep(for: .milliseconds(500))
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada"))
            #expect(try await read.value.get() == #"[{"id":2}]"#)
            #expect(world.elapsed == .milliseconds(500))
            let tokens = world.network.requests.map { $0.headers["Authorization"] != nil }
            #expect(tokens == [false, false, true])
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":2}]"#)
        }
    }

    @Test func `that settles as nobody gets the anonymous answer, and the last user's lists go`()
        throws
    {
        try withAdasList(then: .restoring(storedUserID: "ada")) { world, session in
            world.network.answer(json: "[]")
            world.network.answer(json: #"[{"id":"public"}]"#)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(1)
            session.state = .signedOut
            #expect(try await read.value.get() == #"[{"id":"public"}]"#)
            try await world.waitUntilLists(are: 1)
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":"public"}]"#)
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada"))
            await world.waitForSession { $0.owner == .user(UserID("ada")) }
            await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
        }
    }

    @Test func `that settles as another user gets that user's answer`() throws {
        try withAdasList(then: .restoring(storedUserID: "ada")) { world, session in
            world.network.answer(json: "[]")
            world.network.answer(json: #"[{"id":"grace's"}]"#)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks(.networkOnly).execute().text }
            }
            await world.network.waitForRequests(1)
            session.state = .signedIn(userID: "grace", accessToken: token(for: "grace"))
            #expect(try await read.value.get() == #"[{"id":"grace's"}]"#)
            try await world.waitUntilLists(are: 1)
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":"grace's"}]"#)
        }
    }

    @Test func `that never settles gets the last answer, uncached, with a warning`() throws {
        let log = MessageRecorder()
        try withAdasList(
            then: .restoring(storedUserID: "ada"),
            configure: {
                $0.logLevel = .warning
                $0.logHandler = log.note
            }
        ) { world, _ in
            for id in 1...4 { world.network.answer(json: #"[{"id":"\#(id)"}]"#) }
            let answer = try await world.tasks(.networkOnly).execute()
            #expect(answer.text == #"[{"id":"4"}]"#)
            #expect(world.elapsed == .milliseconds(3_600))
            #expect(world.network.requests.allSatisfy { $0.headers["Authorization"] == nil })
            #expect(log.messages.contains { $0.contains("did not settle") })
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":1}]"#)
        }
    }

    @Test func `that never settles throws the refusal of the last request`() throws {
        try withAdasList(then: .restoring(storedUserID: nil)) { world, _ in
            for _ in 0..<4 {
                world.network.answer(status: 401, json: #"{"code":"42501","message":"m"}"#)
            }
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks().execute()
            }
            #expect(
                error?.reason == .server(.init(status: 401, code: "42501", message: "m")))
            #expect(world.network.requests.count == 4)
        }
    }

    @Test func `whose renewal fails while a read waits for it has expired`() throws {
        try withAdasList(then: .restoring(storedUserID: "ada")) { world, session in
            world.network.answer(json: "[]")
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(1)
            session.state = .refreshFailed(userID: "ada")
            let outcome = await read.value
            #expect(outcome.reason == .sessionExpired)
            #expect(world.network.requests.count == 1)
        }
    }

    @Test(arguments: [
        SessionState.signedOut, .signedIn(userID: "grace", accessToken: token(for: "grace")),
        .restoring(storedUserID: "grace"), .restoring(storedUserID: nil),
    ])
    func `that turns out to be somebody else's shows no list of the stored user, offline either`(
        _ state: SessionState
    ) throws {
        let gate = Gate()
        try withAdasList(then: .restoring(storedUserID: "ada")) { world, session in
            world.network.fail(TransportError(.unanswered, .connectionLost), after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(1)
            session.state = state
            await world.waitForSession { $0.owner != .user(UserID("ada")) }
            gate.open()
            let outcome = await read.value
            let lost = OfflineError.Reason.connectivity(.init(.init(.notSent, .cannotConnect)))
            #expect(outcome.reason == lost)
        }
    }

    @Test func `that expires as somebody else's shows no stale list of the stored user`() throws {
        let gate = Gate()
        try withAdasList(
            then: .restoring(storedUserID: "ada"), configure: { $0.cacheSize = .bytes(0) }
        ) { world, session in
            try world.markListsStale()
            world.network.answer(json: "[]", after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks(.cacheFirst).execute().text }
            }
            await world.network.waitForRequests(1)
            session.state = .refreshFailed(userID: "grace")
            await world.waitForSession { $0.owner == .user(UserID("grace")) }
            gate.open()
            let outcome = await read.value
            #expect(outcome.reason == .sessionExpired)
        }
    }

    @Test func `that expires as the stored user's shows a stale list`() throws {
        let gate = Gate()
        try withAdasList(then: .restoring(storedUserID: "ada")) { world, session in
            try world.markListsStale()
            world.network.answer(json: "[]", after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks(.cacheFirst).execute().text }
            }
            await world.network.waitForRequests(1)
            session.state = .refreshFailed(userID: "ada")
            await world.waitForSession { $0.state == .refreshFailed(UserID("ada")) }
            gate.open()
            let text = try await read.value.get()
            #expect(text == #"[{"id":1}]"#)
        }
    }

    @Test func `of an optional row that is not there returns nil at once`() throws {
        try withAdasList(then: .restoring(storedUserID: "ada")) { world, _ in
            world.network.answer(
                status: 406,
                json: #"{"code":"PGRST116","message":"m","details":"The result contains 0 rows"}"#)
            let row = try await world.client.from("tasks").select().maybeSingle().execute()
            #expect(row.text == "null")
            #expect(world.elapsed == .zero)
        }
    }

    @Test func `has a function wait for it, which is sent once and with the token`() throws {
        try withAdasList(then: .restoring(storedUserID: "ada")) { world, session in
            world.network.answer(json: "1")
            let call = world.runtime.task(name: "call") {
                await Result { try await world.client.rpc("change").execute().text }
            }
            try await world.runtime.clock.sleep(for: .seconds(2))
            #expect(world.network.requests.isEmpty)
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada"))
            #expect(try await call.value.get() == "1")
            #expect(world.network.requests.map { $0.headers["Authorization"] != nil } == [true])
        }
    }

    @Test func `that never settles sends no function`() throws {
        try withAdasList(then: .restoring(storedUserID: nil)) { world, _ in
            await #expect { try await world.client.rpc("change").execute() } throws: {
                OfflineError.sessionNotSettled ~= $0
            }
            #expect(world.network.requests.isEmpty)
            #expect(world.elapsed == .milliseconds(3_600))
        }
    }

    // MARK: Changes

    @Test func `that changes while an answer is on its way returns and keeps nothing of it`() throws
    {
        let gate = Gate()
        try withAdasList(
            then: .signedIn(userID: "ada", accessToken: token(for: "ada"))
        ) { world, session in
            await world.waitForSession { $0.isSettled }
            world.network.answer(json: #"[{"id":"late"}]"#, after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(1)
            session.state = .signedIn(userID: "grace", accessToken: token(for: "grace"))
            await world.waitForSession { $0.owner == .user(UserID("grace")) }
            gate.open()
            let outcome = await read.value
            #expect(outcome.reason == .identityChanged)
            try await world.waitUntilLists(are: 0)
        }
    }

    @Test func `whose user has a token that can't be renewed now keeps no answer`() throws {
        let gate = Gate()
        try withAdasList(
            then: .signedIn(userID: "ada", accessToken: token(for: "ada"))
        ) { world, session in
            await world.waitForSession { $0.isSettled }
            world.network.answer(json: #"[{"id":"late"}]"#, after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(1)
            session.state = .refreshFailed(userID: "ada")
            await world.waitForSession { !$0.isSettled }
            gate.open()
            let late = try await read.value.get()
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect((late, kept.text) == (#"[{"id":"late"}]"#, #"[{"id":1}]"#))
        }
    }

    @Test func `with a renewed token of the same user is no change`() throws {
        let gate = Gate()
        try withAdasList(
            then: .signedIn(userID: "ada", accessToken: token(for: "ada"))
        ) { world, session in
            await world.waitForSession { $0.isSettled }
            world.network.answer(json: #"[{"id":2}]"#, after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(1)
            let renewed = token(for: "ada", salt: "renewed")
            session.state = .signedIn(userID: "ada", accessToken: renewed)
            gate.open()
            #expect(try await read.value.get() == #"[{"id":2}]"#)
            try await world.warm(#"[{"id":3}]"#)
            let sent = world.network.requests.last?.headers["Authorization"]
            #expect(sent == "Bearer \(renewed)")
        }
    }

    @Test func `that is told to end holds its last state, and says so`() throws {
        let log = MessageRecorder()
        try withAdasList(
            then: .signedIn(userID: "ada", accessToken: token(for: "ada")),
            configure: {
                $0.logLevel = .warning
                $0.logHandler = log.note
            }
        ) { world, session in
            await world.waitForSession { $0.isSettled }
            session.end()
            for _ in 0..<20 { await Task.yield() }
            #expect(log.messages.contains { $0.contains("sessionStates ended") })
            try await world.warm(#"[{"id":2}]"#)
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":2}]"#)
        }
    }

    // MARK: Tokens

    @Test func `sends nothing with a token that names somebody else`() throws {
        try withAdasList(
            then: .signedIn(userID: "ada", accessToken: token(for: "grace"))
        ) { world, _ in
            await world.waitForSession { $0.isSettled }
            for strategy: ReadStrategy in [.networkFirst, .networkOnly] {
                await #expect { try await world.tasks(strategy).execute() } throws: {
                    OfflineError.identityChanged ~= $0
                }
            }
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `takes a fresher token from the token source, and its own where that has none`()
        throws
    {
        let fresher = token(for: "ada", salt: "fresher")
        let source = TokenSource(.token(fresher))
        let own = token(for: "ada", salt: "own")
        try withAdasList(
            then: .signedIn(userID: "ada", accessToken: own),
            configure: { $0.accessToken = source.closure }
        ) { world, _ in
            await world.waitForSession { $0.isSettled }
            try await world.warm()
            await source.say(.token(token(for: "grace")))
            await #expect { try await world.tasks(.networkOnly).execute() } throws: {
                OfflineError.identityChanged ~= $0
            }
            await source.say(.noToken)
            try await world.warm()
            await source.say(.failure)
            try await world.warm()
            let sent = world.network.requests.map { $0.headers["Authorization"] ?? "" }
            #expect(sent == ["Bearer \(fresher)", "Bearer \(fresher)", "Bearer \(fresher)"])
        }
    }

    @Test func `takes a token that names nobody for the user's who is signed in`() throws {
        try withAdasList(
            then: .signedIn(userID: "ada", accessToken: token(for: nil))
        ) { world, _ in
            await world.waitForSession { $0.isSettled }
            try await world.warm(#"[{"id":2}]"#)
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":2}]"#)
        }
    }

    @Test func `has a refused token wait up to ten seconds for another one`() throws {
        try withAdasList(
            then: .signedIn(userID: "ada", accessToken: token(for: "ada"))
        ) { world, session in
            await world.waitForSession { $0.isSettled }
            world.network.refuseToken()
            world.network.answer(json: #"[{"id":2}]"#)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            try await world.runtime.clock.sleep(for: .seconds(9))
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada", salt: "2"))
            #expect(try await read.value.get() == #"[{"id":2}]"#)
            #expect(world.elapsed == .seconds(9))

            world.network.refuseToken()
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks().execute()
            }
            #expect(error?.reason == .sessionExpired)
            #expect((error?.underlying as? PostgrestError)?.code == "PGRST303")
            #expect(world.elapsed == .seconds(19))
        }
    }

    // MARK: What becomes of the lists

    @Test
    func `keeps the lists of one who has gone where the app says so, and shows them to nobody`()
        throws
    {
        try withAdasList(
            then: .signedIn(userID: "grace", accessToken: token(for: "grace")),
            configure: { $0.signOutPolicy = .keepCache }
        ) { world, session in
            await world.waitForSession { $0.isSettled }
            await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada"))
            await world.waitForSession { $0.owner == .user(UserID("ada")) }
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":1}]"#)
        }
    }

    @Test func `drops what was asked for before, and nothing that came after a return`() throws {
        try withAdasList(
            then: .signedIn(userID: "ada", accessToken: token(for: "ada"))
        ) { world, session in
            await world.waitForSession { $0.isSettled }
            session.state = .signedOut
            await world.waitForSession { $0.owner == .visitor }
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada"))
            await world.waitForSession { $0.owner == .user(UserID("ada")) }
            world.network.answer(json: #"[{"id":"new"}]"#)
            try await world.client.from("notes").select().execute()
            try await world.waitUntilLists(are: 1)
            let notes = try await world.client.from("notes").select(readStrategy: .cacheOnly)
                .execute()
            #expect(notes.text == #"[{"id":"new"}]"#)
        }
    }

    @Test func `drops after a restart what it had no time to drop`() throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        try World.run(storage: storage, configure: { $0.accessToken = { token(for: "ada") } }) {
            world in
            try await world.warm()
            await world.client.reads.waitUntilStored()
            let store = try OfflineStore(storage, runtime: world.runtime)
            let ada = Identity(project: "xyz.supabase.co", owner: .user(UserID("ada")))
            try await store.identities.settle(
                nil, Departure(of: ada, upTo: .max), of: "xyz.supabase.co")
        }
        let session = SessionSwitch(.signedOut)
        try World.run(storage: storage, configure: { $0.sessionStates = session.states }) { world in
            try await world.waitUntilLists(are: 0)
        }
    }
}
