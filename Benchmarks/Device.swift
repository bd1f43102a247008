import Foundation
import OfflineCore
import OfflineTesting
import StorageLMDB
import TestSupport

/// A client over a store, and a network that answers what it is told to.
///
/// The lists are those of one table, told apart by their number: that of the row that they hold, if they
/// hold what they ask for.
struct Device {
    let client: SupabaseOfflineClient
    private let network = ScriptedTransport()

    /// Creates a client over a store, which it closes.
    init(
        _ storage: any Storage, cacheSize: SupabaseOfflineClient.CacheSize = .unlimited
    ) throws {
        guard let url = URL(string: "https://xyz.supabase.co") else { throw URLError(.badURL) }
        client = try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: "publishable",
            config: .init(cacheSize: cacheSize, autoSync: false, logLevel: .error),
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
        client.from("tasks").select(readStrategy: strategy).eq(
            "position", value: Double(number) + 0.5)
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

    /// Changes a row, and returns once that is in the lists.
    ///
    /// - Parameters:
    ///   - id: The row.
    ///   - table: Its table.
    ///   - answer: The rows that the server returns; nil for none.
    /// - Throws: If the server refuses.
    func update(_ id: Int, of table: String, answer: String?) async throws {
        let headers: HTTPHeaders = ["Content-Range": "0-0/*", "Content-Type": "application/json"]
        network.answer(
            HTTPResponse(
                status: answer == nil ? 204 : 200, headers: headers,
                body: Bytes((answer ?? "").utf8)))
        try await client.from(table)
            .update(["title": "Changed"], returning: answer == nil ? .minimal : .representation)
            .eq("id", value: id).execute()
    }

    /// Changes a row while there is no network, so that it is kept.
    func keepUpdate(_ id: Int, of table: String) async throws {
        network.setDown(true)
        defer { network.setDown(false) }
        try await client.from(table).update(["title": "Changed"]).eq("id", value: id).execute()
    }

    /// Begins a read whose answer comes when the gate is opened.
    func holdRead(of table: String, _ gate: Gate) async -> Task<Void, Never> {
        let count = network.requests.count
        network.answer(HTTPResponse(status: 200, body: Bytes("[]".utf8)), after: gate)
        let read = client.runtime.task(name: "read") { [client] in
            _ = try? await client.from(table).select(readStrategy: .networkOnly).execute()
        }
        await network.waitForRequests(count + 1)
        return read
    }

    /// Stores many lists with the same rows, many in one commit.
    func fill(_ numbers: Range<Int>, of table: String = "tasks", answer: Bytes) async throws {
        for number in numbers {
            network.answer(HTTPResponse(status: 200, body: answer))
            try await client.from(table).select(readStrategy: .networkOnly).eq(
                "position", value: Double(number) + 0.5
            )
            .execute()
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
