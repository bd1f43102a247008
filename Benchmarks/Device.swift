import Foundation
import OfflineCore
import OfflineTesting
import StorageLMDB
import TestSupport

/// A client over a store, and a network that answers what it is told to.
///
/// The lists are those of one table, told apart by their number.
struct Device {
    let client: SupabaseOfflineClient
    private let network = ScriptedTransport()

    /// Creates a client over a store, which it closes.
    init(
        _ storage: any Storage, cacheSize: SupabaseOfflineClient.CacheSize = .unlimited
    ) throws {
        guard let url = URL(string: "https://xyz.supabase.co") else { throw URLError(.badURL) }
        client = try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: "publishable", config: .init(cacheSize: cacheSize),
            storage: storage, transport: network)
    }

    /// Creates a client over LMDB in a directory, which is made if need be.
    init(
        in directory: URL, cacheSize: SupabaseOfflineClient.CacheSize = .unlimited
    ) throws {
        try self.init(
            LMDBStorage(in: directory, keyspaces: Keyspace.all), cacheSize: cacheSize)
    }

    /// A read of a list.
    func list(_ number: Int, _ strategy: ReadStrategy = .cacheOnly) -> PostgrestFilterBuilder {
        client.from("tasks").select(readStrategy: strategy).eq("list", value: number)
    }

    /// Reads a list from the network.
    func fetch(_ number: Int, answer: Bytes) async throws {
        network.answer(HTTPResponse(status: 200, body: answer))
        try await list(number, .networkOnly).execute()
    }

    /// Reads a list from the network and waits until it is on disk.
    func store(_ number: Int, answer: Bytes) async throws {
        try await fetch(number, answer: answer)
        await client.reads.waitUntilStored()
    }

    /// Stores many lists with the same rows, many in one commit.
    func fill(_ numbers: Range<Int>, answer: Bytes) async throws {
        for number in numbers {
            try await fetch(number, answer: answer)
            if number % 50 == 49 { await client.reads.waitUntilStored() }
        }
        await client.reads.waitUntilStored()
    }
}

extension LMDBStorage {
    /// Opens a store in a directory that is made if need be.
    convenience init(in directory: URL, keyspaces: [Keyspace]) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try self.init(directory: directory.systemPath, keyspaces: keyspaces)
    }
}
