import FoundationEssentials
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

@Suite("The bound of the cache", .timeLimit(.minutes(5)))
struct EvictionTests {
    private let ada = Identity(project: "xyz.supabase.co", owner: .user(UserID("ada")))
    private let visitor = Identity(project: "xyz.supabase.co", owner: .visitor)

    /// A store of ten kilobytes and what a test does with it.
    private struct Cache {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        let store: OfflineStore

        init(limit: Int? = 10_000) throws {
            store = try OfflineStore(storage, cacheSize: limit, runtime: .live())
        }

        func keep(
            _ table: String, _ length: Int, at time: Int64, of identity: Identity,
            sequence: UInt64? = nil
        ) async throws {
            let list = StoredList(
                body: Bytes(repeating: 32, count: length), fetchedAt: .init(microseconds: time),
                sequence: sequence ?? UInt64(time))
            try await store.lists.keep(
                list, directory: [1], as: EvictionTests.key(table), of: identity)
        }

        func list(_ table: String, of identity: Identity) throws -> StoredList? {
            try store.lists.list(EvictionTests.key(table), of: identity)
        }

        func length() throws -> Int {
            try storage.write { transaction throws(StorageError) in try transaction.cachedLength() }
        }

        /// What is in a keyspace.
        func count(in keyspace: Keyspace) throws -> Int {
            try storage.read { transaction throws(StorageError) in
                var count = 0
                try transaction.scan(in: keyspace) { _, _ in
                    count += 1
                    return .next
                }
                return count
            }
        }
    }

    fileprivate static func key(_ table: String) -> ListKey {
        ListKey(PostgrestRequest(.table(table), schema: "public", method: "GET"))
    }

    @Test func `past it, the lists fetched longest ago go, whoever has them`() async throws {
        let cache = try Cache()
        try await cache.keep("a", 4_000, at: 2, of: ada)
        try await cache.keep("b", 4_000, at: 1, of: visitor)
        try await cache.keep("c", 4_000, at: 3, of: ada)
        let kept = try (
            cache.list("a", of: ada), cache.list("b", of: visitor), cache.list("c", of: ada)
        )
        #expect((kept.0 != nil, kept.1 == nil, kept.2 != nil) == (true, true, true))
        #expect(try cache.length() == 8_000)
        for keyspace: Keyspace in [.lists, .bodies, .rows, .eviction] {
            #expect(try cache.count(in: keyspace) == 2)
        }
    }

    @Test func `a list that comes again counts once, by its new time`() async throws {
        let cache = try Cache()
        try await cache.keep("a", 4_000, at: 1, of: ada)
        try await cache.keep("b", 4_000, at: 2, of: ada)
        try await cache.keep("a", 5_000, at: 3, of: ada)
        #expect(try cache.length() == 9_000)
        try await cache.keep("c", 2_000, at: 4, of: ada)
        let kept = try (cache.list("a", of: ada), cache.list("b", of: ada))
        #expect((kept.0 != nil, kept.1 == nil) == (true, true))
    }

    @Test func `what has just come stays, even if the clock was set back`() async throws {
        let cache = try Cache()
        try await cache.keep("a", 6_000, at: 5, of: ada)
        try await cache.keep("b", 6_000, at: -3, of: ada, sequence: 9)
        let kept = try (cache.list("a", of: ada), cache.list("b", of: ada))
        #expect((kept.0 == nil, kept.1 != nil) == (true, true))
    }

    @Test func `a list from before 1970 is older than one from after`() async throws {
        let cache = try Cache()
        try await cache.keep("a", 4_000, at: 5, of: ada)
        try await cache.keep("b", 4_000, at: -5, of: ada, sequence: 6)
        try await cache.keep("c", 4_000, at: 7, of: ada)
        let kept = try (cache.list("a", of: ada), cache.list("b", of: ada))
        #expect((kept.0 != nil, kept.1 == nil) == (true, true))
    }

    @Test func `what a damaged record left behind doesn't take the list that came after`()
        async throws
    {
        let cache = try Cache()
        try await cache.keep("a", 2_000, at: 1, of: ada)
        try cache.storage.damage(.lists, .removed)
        try await cache.keep("b", 2_000, at: 2, of: ada)
        try await cache.keep("a", 2_000, at: 3, of: ada)
        try await cache.keep("c", 4_000, at: 4, of: ada)
        let kept = try (
            cache.list("a", of: ada), cache.list("b", of: ada), cache.list("c", of: ada)
        )
        // The sum counts the lost list until its turn comes.
        #expect((kept.0 != nil, kept.1 != nil, kept.2 != nil) == (true, true, true))
        try await cache.keep("d", 2_000, at: 5, of: ada)
        #expect(try cache.list("a", of: ada) != nil)
    }

    @Test func `an answer longer than the whole is not kept, and the older copy is stale`()
        async throws
    {
        let cache = try Cache()
        try await cache.keep("a", 4_000, at: 1, of: ada)
        try await cache.keep("a", 10_001, at: 2, of: ada)
        let kept = try #require(try cache.list("a", of: ada))
        #expect((kept.body.count, kept.age.isStale) == (4_000, true))
        try await cache.keep("b", 10_001, at: 3, of: ada)
        #expect(try cache.list("b", of: ada) == nil)
        try await cache.keep("a", 10_000, at: 4, of: ada)
        #expect(try cache.list("a", of: ada)?.age.isStale == false)
    }

    @Test func `an answer to an earlier request changes neither list nor sum`() async throws {
        let cache = try Cache()
        try await cache.keep("a", 4_000, at: 1, of: ada, sequence: 2)
        try await cache.keep("a", 5_000, at: 2, of: ada, sequence: 1)
        #expect(try cache.list("a", of: ada)?.body.count == 4_000)
        #expect(try cache.length() == 4_000)
    }

    @Test func `without one nothing goes`() async throws {
        let cache = try Cache(limit: nil)
        for time in 1...40 { try await cache.keep("t\(time)", 4_000, at: Int64(time), of: ada) }
        #expect(try cache.count(in: .lists) == 40)
    }

    @Test(arguments: FailingStoreTests.Damage.allCases)
    func `damaged records don't stop it`(_ damage: FailingStoreTests.Damage) async throws {
        let cache = try Cache()
        for time in 1...2 { try await cache.keep("t\(time)", 4_000, at: Int64(time), of: ada) }
        try cache.storage.damage(.lists, damage)
        for time in 3...9 { try await cache.keep("u\(time)", 4_000, at: Int64(time), of: ada) }
        let kept = try (cache.list("u8", of: ada), cache.list("u9", of: ada))
        #expect(kept.1 != nil)
        #expect(try cache.length() <= 10_000)
    }

    @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
    func `the sum is that of the lists that are there`(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let cache = try Cache()
        for round in 0..<300 {
            let identity = Bool.random(using: &random) ? ada : visitor
            try await cache.keep(
                "t\(Int.random(in: 0..<12, using: &random))",
                Int.random(in: 0...11_000, using: &random),
                at: Int64.random(in: 0...20, using: &random), of: identity,
                sequence: UInt64(round + Int.random(in: 0...5, using: &random)))
            var sum = 0
            try cache.storage.read { transaction throws(StorageError) in
                try transaction.scan(in: .bodies) { _, body in
                    sum += body.count
                    return .next
                }
            }
            let comment: Comment = "seed \(seed), round \(round)"
            try #require(try cache.length() == sum, comment)
            try #require(sum <= 10_000, comment)
            let counts = try [Keyspace.lists, .bodies, .rows, .eviction].map(cache.count)
            try #require(Set(counts).count == 1, comment)
        }
    }

    @Test(arguments: [(0, 4_096), (-1, 4_096), (4_095, 4_096), (5_000, 5_000)])
    func `is at least four kilobytes`(_ bytes: Int, _ limit: Int) {
        #expect(SupabaseOfflineClient.CacheSize.bytes(bytes).limit == limit)
        #expect(SupabaseOfflineClient.CacheSize.unlimited.limit == nil)
    }

    @Test func `is the client's setting, and an answer past it is returned all the same`() throws {
        try World.run(configure: { $0.cacheSize = .bytes(0) }) { world in
            try await world.warm(#"[{"id":1}]"#)
            await world.client.reads.waitUntilStored()
            let long = #"[{"id":"\#(String(repeating: "x", count: 5_000))"}]"#
            world.network.answer(json: long)
            #expect(try await world.tasks().execute().text == long)
            await world.client.reads.waitUntilStored()
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":1}]"#)
            #expect(kept.isStale)
        }
    }
}

@Suite("A stale list", .timeLimit(.minutes(5)))
struct StaleListTests {
    /// Runs `body` in a world whose list is marked stale.
    private func withStaleList(_ body: @escaping @Sendable (World) async throws -> Void) throws {
        try World.run(configure: { $0.cacheSize = .bytes(0) }) { world in
            try await world.warm(#"[{"id":1}]"#)
            await world.client.reads.waitUntilStored()
            try await world.warm(#"[{"id":"\#(String(repeating: "x", count: 5_000))"}]"#)
            await world.client.reads.waitUntilStored()
            try await body(world)
        }
    }

    @Test func `is asked for again by cacheFirst, once, and served if that fails`() throws {
        try withStaleList { world in
            world.network.fail(TransportError(.notSent, .cannotConnect))
            let served = try await world.tasks(.cacheFirst).execute()
            #expect((served.isFromCache, served.isStale) == (true, true))
            #expect(world.elapsed == .zero)
            world.network.answer(json: #"[{"id":2}]"#)
            let fresh = try await world.tasks(.cacheFirst).execute()
            #expect((fresh.isFromCache, fresh.isStale) == (false, false))
            await world.client.reads.waitUntilStored()
            let kept = try await world.tasks(.cacheFirst).execute()
            #expect((kept.isFromCache, kept.isStale) == (true, false))
        }
    }

    @Test func `is served by cacheOnly, and by networkFirst without a network`() throws {
        try withStaleList { world in
            world.network.setDown(true)
            for strategy: ReadStrategy in [.cacheOnly, .networkFirst] {
                let served = try await world.tasks(strategy).execute()
                #expect((served.isFromCache, served.isStale) == (true, true))
            }
        }
    }
}
