import FoundationEssentials
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

/// Whose rows a read may show and keep.
///
/// Row-level security answers 200 and `[]` to a request
/// without the user's token; the server of these tests does so too.
@Suite("Session trust", .timeLimit(.minutes(5)))
struct SessionTrustTests {
    @Test func `a request carries the token that names its user`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            try await world.warm()
            let headers = try #require(world.network.requests.first?.headers)
            #expect(headers["Authorization"] == "Bearer \(token(for: "ada"))")
            #expect(headers["apikey"] == "publishable")
        }
    }

    @Test func `the answer to nobody's request never replaces the user's list`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            try await world.warm(#"[{"id":1}]"#)
            await source.say(.noToken)
            world.network.answer(json: "[]")
            let anonymous = try await world.tasks().execute()
            #expect(anonymous.text == "[]")
            await source.say(.token(token(for: "ada")))
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":1}]"#)
        }
    }

    @Test func `one user's list is never another's`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            try await world.warm()
            await source.say(.token(token(for: "grace")))
            for strategy: ReadStrategy in [.cacheOnly, .cacheFirst, .networkFirst] {
                world.network.setDown(true)
                await #expect(throws: OfflineError.self) {
                    try await world.tasks(strategy).execute()
                }
            }
        }
    }

    @Test func `a token that names nobody keeps nothing`() throws {
        let source = TokenSource(.token(token(for: nil)))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            try await world.warm()
            await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
        }
    }

    @Test func `a user who changed while the answer was on its way gets no rows of it`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        let gate = Gate()
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            world.network.answer(json: #"[{"id":1}]"#, after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(1)
            await source.say(.token(token(for: "grace")))
            // Another call hears who it is now.
            await #expect(throws: OfflineError.self) { try await world.tasks(.cacheOnly).execute() }
            gate.open()
            let outcome = await read.value
            #expect { try outcome.get() } throws: { OfflineError.identityChanged ~= $0 }
            await #expect(throws: OfflineError.self) { try await world.tasks(.cacheOnly).execute() }
        }
    }

    @Test func `a token that comes after somebody else's is not used any more`() throws {
        let gate = Gate()
        let source = TokenSource(.pending(gate, then: token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await source.waitUntilAsked()
            await source.say(.token(token(for: "grace")))
            try await world.warm(#"[{"id":2}]"#)
            gate.open()
            let outcome = await read.value
            #expect { try outcome.get() } throws: { OfflineError.identityChanged ~= $0 }
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `a read from the device for one who has been followed by another gets no rows`()
        throws
    {
        let gate = Gate()
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: {
            $0.accessToken = source.closure
            $0.signOutPolicy = .keepCache
        }) { world in
            try await world.warm()
            await world.client.reads.waitUntilStored()
            await source.say(.pending(gate, then: token(for: "ada")))
            // Asked first, and answered after somebody else was named.
            let first = await world.client.session.ask()
            await source.waitUntilAsked()
            for _ in 0..<10 { await Task.yield() }
            await source.say(.token(token(for: "grace")))
            _ = await world.client.session.standing(world.client.session.ask(), within: nil)
            gate.open()
            let standing = await world.client.session.standing(first, within: nil)
            let ada = try #require(standing.identity)
            let mayShow = await world.client.session.mayShow(ada)
            #expect(ada.owner == .user(UserID("ada")))
            #expect(!mayShow)
        }
    }

    @Test func `a read whose user changed while it waited to retry is not sent again`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            world.network.answer(status: 503, json: #"{"message":"later"}"#)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.clock.waitForSleepers()
            await source.say(.token(token(for: "grace")))
            let outcome = await read.value
            #expect { try outcome.get() } throws: { OfflineError.identityChanged ~= $0 }
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `a renewed token of the same user changes nothing`() throws {
        let source = TokenSource(.token(token(for: "ada", salt: "old")))
        let gate = Gate()
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            world.network.answer(json: #"[{"id":1}]"#, after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(1)
            await source.say(.token(token(for: "ada", salt: "new")))
            _ = try? await world.tasks(.cacheOnly).execute()
            gate.open()
            #expect(try await read.value.get() == #"[{"id":1}]"#)
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":1}]"#)
        }
    }

    @Test func `without a token nothing is sent for the user`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            try await world.warm()
            await source.say(.failure)
            for strategy: ReadStrategy in [.networkFirst, .networkOnly] {
                let error = await #expect(throws: OfflineError.self) {
                    try await world.tasks(strategy).execute()
                }
                #expect(error?.reason == .sessionExpired)
                #expect(error?.underlying is TokenSource.Unavailable)
            }
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `without a token the device still answers the last user, after a restart too`()
        throws
    {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(storage: storage, configure: { $0.accessToken = source.closure }) { world in
            try await world.warm()
        }
        try World.run(
            storage: storage, configure: { $0.accessToken = { throw TokenSource.Unavailable() } }
        ) { world in
            for strategy: ReadStrategy in [.cacheOnly, .cacheFirst] {
                let response = try await world.tasks(strategy).execute()
                #expect(response.text == #"[{"id":1}]"#)
            }
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `a source that failed is asked again by the next read`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            try await world.warm()
            await source.say(.failure)
            await #expect(throws: OfflineError.self) { try await world.tasks().execute() }
            await source.say(.token(token(for: "ada", salt: "new")))
            try await world.warm(#"[{"id":2}]"#)
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":2}]"#)
        }
    }

    @Test(arguments: [0, 1_799_999_999, 1_800_000_001, 9_999_999_999])
    func `a token that looks expired by the device's clock is sent: the server decides`(
        _ expiry: Int
    ) throws {
        let claims = Data(#"{"sub":"ada","exp":\#(expiry)}"#.utf8).base64EncodedString()
        try World.run(configure: { $0.accessToken = { "e30.\(claims).c2ln" } }) { world in
            try await world.warm()
            let sent = world.network.requests.first?.headers["Authorization"]
            #expect(sent == "Bearer e30.\(claims).c2ln")
        }
    }

    @Test func `no token hides the last user's list, after a restart too, and deletes nothing`()
        throws
    {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(storage: storage, configure: { $0.accessToken = source.closure }) { world in
            try await world.warm()
            await source.say(.noToken)
            await #expect(throws: OfflineError.self) { try await world.tasks(.cacheOnly).execute() }
        }
        try World.run(
            storage: storage, configure: { $0.accessToken = { throw TokenSource.Unavailable() } }
        ) { world in
            await #expect(throws: OfflineError.self) { try await world.tasks(.cacheOnly).execute() }
        }
        try World.run(
            storage: storage, configure: { $0.accessToken = { token(for: "ada") } }
        ) { world in
            let response = try await world.tasks(.cacheOnly).execute()
            #expect(response.text == #"[{"id":1}]"#)
        }
    }

    @Test func `a read from the device waits 300 ms for the user's name and no longer`() throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        try World.run(storage: storage, configure: { $0.accessToken = { token(for: "ada") } }) {
            try await $0.warm()
        }
        let source = TokenSource(.pending(Gate(), then: nil))
        try World.run(storage: storage, configure: { $0.accessToken = source.closure }) { world in
            let response = try await world.tasks(.cacheOnly).execute()
            #expect(response.text == #"[{"id":1}]"#)
            #expect(world.elapsed == .milliseconds(300))
        }
    }

    @Test func `what a client without a session kept is the visitor's later`() throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        try World.run(storage: storage) { try await $0.warm() }
        try World.run(storage: storage, configure: { $0.accessToken = { nil } }) { world in
            let response = try await world.tasks(.cacheOnly).execute()
            #expect(response.text == #"[{"id":1}]"#)
        }
    }

    @Test func `a request with a session of its own is neither kept nor answered from the device`()
        throws
    {
        try World.run { world in
            for header in ["Authorization", "apikey"] {
                world.network.answer(json: #"[{"id":2}]"#)
                let response = try await world.tasks().setHeader(name: header, value: "own")
                    .execute()
                #expect(response.fetchedAt == nil)
                #expect(world.network.requests.last?.headers[header] == "own")
                await #expect {
                    try await world.tasks(.cacheOnly).setHeader(name: header, value: "own")
                        .execute()
                } throws: { OfflineError.cacheMiss ~= $0 }
            }
        }
    }

    @Test func `a ticket shows no token`() async throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        let runtime = OfflineRuntime.live()
        let trust = SessionTrust(
            project: "x", source: SessionSource(accessToken: { token(for: "ada") }),
            policy: .dropCache, last: nil,
            identities: try OfflineStore(storage, runtime: runtime).identities,
            numbers: RequestNumbers(opening: 1), runtime: runtime,
            log: Log(level: .error) { _, _ in })
        let ticket = try await trust.ticket(trust.ask())
        var dumped = ""
        dump(ticket, to: &dumped)
        for text in ["\(ticket)", String(reflecting: ticket), dumped] {
            #expect(!text.contains("e30"))
        }
    }
}

extension Result where Failure == any Error {
    /// What an asynchronous body came to.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    /// Why it failed; nil if it did not, or with an error of another type.
    var reason: OfflineError.Reason? {
        if case .failure(let error as OfflineError) = self { error.reason } else { nil }
    }
}
