import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

@Suite("The store", .timeLimit(.minutes(5)))
struct OfflineStoreTests {
    private let ada = Identity(project: "xyz.supabase.co", owner: .user(UserID("ada")))

    @Test func `counts its openings`() throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        let openings = try (0..<3).map { _ in
            try OfflineStore(storage, runtime: .live()).numbers.last >> 32
        }
        #expect(openings == [1, 2, 3])
    }

    @Test func `of a newer format is refused and left untouched`() throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        try storage.write { transaction throws(StorageError) in
            try transaction.set(OfflineStore.format + 1, KeyLayout.storeFormat, in: .meta)
        }
        #expect(throws: StorageError.newerFormat(2)) {
            try OfflineStore(storage, runtime: .live())
        }
        let opened = try storage.read { transaction throws(StorageError) in
            try transaction.value(KeyLayout.openings, in: .meta)
        }
        #expect(opened == nil)
    }

    @Test func `keeps a list for one identity and one project`() async throws {
        let store = try OfflineStore(
            MemoryStorage(keyspaces: Keyspace.all), runtime: .live())
        let list = StoredList(body: [91, 93], fetchedAt: .init(microseconds: 7), sequence: 1)
        let key = ListKey(PostgrestRequest(.table("t"), schema: "public", method: "GET"))
        try await store.lists.keep(list, directory: [1], as: key, of: ada)
        let kept = try store.lists.list(key, of: ada)
        #expect(kept == list)
        for owner: Identity.Owner in [.visitor, .user(UserID("Ada")), .user(UserID("grace"))] {
            let other = try store.lists.list(key, of: Identity(project: ada.project, owner: owner))
            #expect(other == nil)
        }
        let elsewhere = try store.lists.list(key, of: Identity(project: "x", owner: ada.owner))
        #expect(elsewhere == nil)
    }

    @Test func `remembers the last user of each project`() async throws {
        let store = try OfflineStore(
            MemoryStorage(keyspaces: Keyspace.all), runtime: .live())
        let ada = IdentityStore.LastUser(UserID("ada"), isHidden: false)
        let grace = IdentityStore.LastUser(UserID("grace\n"), isHidden: true)
        try await store.identities.settle(ada, of: "one")
        try await store.identities.settle(grace, of: "two")
        let kept = try ["one", "two", "three"].map { try store.identities.lastUser(of: $0) }
        #expect(kept == [ada, grace, nil])
    }

    @Test func `forgets no later departure when it is done with an earlier one`() async throws {
        let store = try OfflineStore(
            MemoryStorage(keyspaces: Keyspace.all), runtime: .live())
        let (first, second) = (Departure(of: ada, upTo: 5), Departure(of: ada, upTo: 9))
        try await store.identities.settle(nil, second, of: ada.project)
        try await store.lists.remove(first)
        #expect(try store.identities.departures() == [second])
        try await store.lists.remove(second)
        #expect(try store.identities.departures() == [])
    }

    @Test func `never takes a list for another one whose hash is the same`() async throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        let store = try OfflineStore(storage, runtime: .live())
        let key = ListKey(PostgrestRequest(.table("t"), schema: "public", method: "GET"))
        let list = StoredList(body: [91, 93], fetchedAt: .init(microseconds: 7), sequence: 1)
        try await store.lists.keep(list, directory: [1], as: key, of: ada)
        // The record of another key stands where this key's is looked for.
        try storage.write { transaction throws(StorageError) in
            let place = KeyLayout.list(key, of: 1)
            let record = ListRecord(
                key: "other", fetchedAt: list.age.fetchedAt, sequence: 1, length: 2)
            try transaction.set(record.bytes, place, in: .lists)
        }
        let found = try store.lists.list(key, of: ada)
        #expect(found == nil)
    }

    @Test func `lays its keys out within what every backend takes`() {
        var request = PostgrestRequest(
            .table(String(repeating: "t", count: 5_000)), schema: "public", method: "GET")
        request.append("a", String(repeating: "x", count: 100_000))
        #expect(KeyLayout.list(ListKey(request), of: .max).count == 21)
        #expect(KeyLayout.identity(String(repeating: "u", count: 9_000)).count == 8)
    }

    @Test func `refuses a record that is cut or of another format`() throws {
        let record = ListRecord(
            key: "key", fetchedAt: .init(microseconds: 1), sequence: 2, length: 3)
        for count in 0..<25 {
            #expect(throws: StorageError.self) { try ListRecord(Bytes(record.bytes.prefix(count))) }
        }
        var other = record.bytes
        other[0] = 9
        #expect(throws: StorageError.corrupted("a list has format 9")) { try ListRecord(other) }
        let whole = try #require(try ListRecord(record.bytes))
        #expect((whole.key, whole.sequence, whole.length) == ("key", 2, 3))
    }
}
