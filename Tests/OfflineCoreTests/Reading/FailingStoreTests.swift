import FoundationEssentials
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

@Suite("A store that fails", .timeLimit(.minutes(5)))
struct FailingStoreTests {
    @Test func `can't be written: the reader has the rows all the same`() throws {
        let storage = FailingStorage()
        let log = MessageRecorder()
        try World.run(
            storage: storage,
            configure: {
                $0.logLevel = .warning
                $0.logHandler = log.note
            }
        ) { world in
            storage.failWrites(with: .full)
            world.network.answer(json: #"[{"id":1}]"#)
            let response = try await world.tasks().execute()
            #expect(response.text == #"[{"id":1}]"#)
            await world.client.reads.waitUntilStored()
            #expect(log.messages.contains { $0.contains("could not be kept") })
            storage.failWrites(with: nil)
            try await world.warm(#"[{"id":2}]"#)
            await world.client.reads.waitUntilStored()
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":2}]"#)
        }
    }

    /// As a locked device does that closes the files of its apps for a while.
    @Test(arguments: [StorageError.unavailable, .system(code: 1), .system(code: 13)])
    func `can't be read for a while: the server answers, and nothing is said to be missing`(
        _ error: StorageError
    ) throws {
        let storage = FailingStorage()
        try World.run(storage: storage) { world in
            try await world.warm()
            await world.client.reads.waitUntilStored()
            storage.failReads(with: error)
            storage.failWrites(with: error)
            let failure = await #expect(throws: OfflineError.self) {
                try await world.tasks(.cacheOnly).execute()
            }
            guard case .storageUnavailable? = failure?.reason else {
                Issue.record("\(String(describing: failure)) is another reason")
                return
            }
            #expect(failure?.underlying as? StorageError == error)
            for strategy: ReadStrategy in [.cacheFirst, .networkFirst, .networkOnly] {
                world.network.answer(json: #"[{"id":2}]"#)
                #expect(try await world.tasks(strategy).execute().text == #"[{"id":2}]"#)
                await world.client.reads.waitUntilStored()
            }
            world.network.setDown(true)
            let unreachable = await #expect(throws: OfflineError.self) {
                try await world.tasks().execute()
            }
            #expect(
                unreachable?.reason
                    == .connectivity(.init(TransportError(.notSent, .cannotConnect))))
            storage.failReads(with: nil)
            storage.failWrites(with: nil)
            #expect(try await world.tasks().execute().text == #"[{"id":1}]"#)
        }
    }

    /// What one record can suffer.
    enum Damage: CaseIterable { case cut, emptied, flipped, removed }

    @Test(arguments: [Keyspace.lists, .bodies, .rows, .identities], Damage.allCases)
    func `a damaged record costs one list at most, and the next answer heals it`(
        _ keyspace: Keyspace, _ damage: Damage
    ) throws {
        let token = token(for: "ada")
        try World.run(configure: { $0.accessToken = { token } }) { world in
            try await world.warm(#"[{"id":1}]"#)
            await world.client.reads.waitUntilStored()
            try world.storage.damage(keyspace, damage)
            if let seen = try? await world.tasks(.cacheOnly).execute(), keyspace != .bodies {
                #expect(seen.text == #"[{"id":1}]"#)
            }
            try await world.warm(#"[{"id":2}]"#)
            await world.client.reads.waitUntilStored()
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":2}]"#)
        }
    }

    @Test(arguments: Damage.allCases)
    func `without the record of the last user the device has nobody to answer`(
        _ damage: Damage
    ) throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        try World.run(storage: storage, configure: { $0.accessToken = { token(for: "ada") } }) {
            try await $0.warm()
        }
        try storage.damage(.meta, key: KeyLayout.settledUser(of: "xyz.supabase.co"), damage)
        let failing: @Sendable () async throws -> String? = { throw TokenSource.Unavailable() }
        try World.run(storage: storage, configure: { $0.accessToken = failing }) { world in
            await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
        }
    }
}
