import FoundationEssentials
import OfflineTesting
import StorageMemory
import Synchronization
import Testing

@testable import OfflineCore

/// A client whose app names its stored user beside the token.
@Suite("A session with a stored user", .timeLimit(.minutes(5)))
struct StoredUserTests {
    private func withUsers(
        _ token: TokenSource.Word = .token(token(for: "ada")), storage: any Storage = .empty,
        _ body: @escaping @Sendable (World, TokenSource, StoredName) async throws -> Void
    ) throws {
        let (source, name) = (TokenSource(token), StoredName("ada"))
        try World.run(
            storage: storage,
            configure: {
                $0.accessToken = source.closure
                $0.currentUserID = { name.value }
            }
        ) { world in
            try await body(world, source, name)
        }
    }

    @Test func `reads from the device without waiting for the token`() throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        try withUsers(storage: storage) { world, _, _ in
            try await world.warm()
            await world.client.reads.waitUntilStored()
        }
        try withUsers(.pending(Gate(), then: nil), storage: storage) { world, _, name in
            for strategy: ReadStrategy in [.cacheOnly, .cacheFirst] {
                let kept = try await world.tasks(strategy).execute()
                #expect(kept.text == #"[{"id":1}]"#)
            }
            #expect(world.elapsed == .zero)
            name.value = "grace"
            await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
            name.value = nil
            await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
        }
    }

    @Test func `without a token is no sign-out: nothing is sent, and the lists stay`() throws {
        try withUsers { world, source, _ in
            try await world.warm()
            await source.say(.noToken)
            for strategy: ReadStrategy in [.networkFirst, .networkOnly] {
                await #expect { try await world.tasks(strategy).execute() } throws: {
                    OfflineError.sessionExpired ~= $0
                }
            }
            for strategy: ReadStrategy in [.cacheOnly, .cacheFirst] {
                #expect(try await world.tasks(strategy).execute().isFromCache)
            }
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `serves a stale list where the token can't be had`() throws {
        let (source, name) = (TokenSource(.token(token(for: "ada"))), StoredName("ada"))
        try World.run(configure: {
            $0.cacheSize = .bytes(0)
            $0.accessToken = source.closure
            $0.currentUserID = { name.value }
        }) { world in
            try await world.warm()
            await world.client.reads.waitUntilStored()
            try await world.warm(#"[{"id":"\#(String(repeating: "x", count: 5_000))"}]"#)
            await world.client.reads.waitUntilStored()
            await source.say(.failure)
            let served = try await world.tasks(.cacheFirst).execute()
            #expect((served.text, served.isStale) == (#"[{"id":1}]"#, true))
        }
    }

    @Test func `without a stored user and a token is a sign-out, and the lists go`() throws {
        try withUsers { world, source, name in
            try await world.warm()
            await source.say(.noToken)
            name.value = nil
            world.network.answer(json: "[]")
            #expect(try await world.tasks().execute().text == "[]")
            try await world.waitUntilLists(are: 1)
            await source.say(.token(token(for: "ada")))
            name.value = "ada"
            await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
        }
    }

    @Test func `who changes while an answer is on its way gets no rows of it`() throws {
        let gate = Gate()
        try withUsers { world, _, name in
            try await world.warm()
            for other in ["grace", nil] {
                name.value = "ada"
                world.network.answer(json: #"[{"id":"late"}]"#, after: gate)
                let before = world.network.requests.count
                let read = world.runtime.task(name: "read") {
                    await Result { try await world.tasks(.networkOnly).execute().text }
                }
                await world.network.waitForRequests(before + 1)
                name.value = other
                gate.open()
                let outcome = await read.value
                #expect(outcome.reason == .identityChanged)
            }
            name.value = "ada"
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":1}]"#)
        }
    }

    @Test func `sends nothing with the token of one who is not the stored user`() throws {
        try withUsers(.token(token(for: "grace"))) { world, _, _ in
            await #expect { try await world.tasks().execute() } throws: {
                OfflineError.identityChanged ~= $0
            }
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `has a token that names nobody, which is the stored user's`() throws {
        try withUsers(.token(token(for: nil))) { world, _, name in
            try await world.warm()
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":1}]"#)
            name.value = "grace"
            await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
        }
    }

    @Test func `whose token names nobody must be the same before and after it was asked for`()
        throws
    {
        let gate = Gate()
        try withUsers(.pending(gate, then: token(for: nil))) { world, source, name in
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await source.waitUntilAsked()
            name.value = "grace"
            gate.open()
            let outcome = await read.value
            #expect(outcome.reason == .identityChanged || outcome.reason == .sessionExpired)
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `needs a token to go with the name`() {
        let config = SupabaseOfflineClient.Config(currentUserID: { "ada" })
        #expect(config.problem?.contains("accessToken") == true)
    }
}

/// The name of the stored user, as an app has it at hand.
private final class StoredName: Sendable {
    private let state: Lock<String?>

    init(_ name: String?) { state = Lock(name) }

    var value: String? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

extension Storage where Self == MemoryStorage {
    fileprivate static var empty: MemoryStorage { MemoryStorage(keyspaces: Keyspace.all) }
}
