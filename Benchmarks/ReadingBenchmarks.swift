import Foundation
import OfflineCore
import OfflineTesting
import StorageLMDB
import TestSupport

/// Reads from the device.
func readingBenchmarks(_ report: inout Report) async throws {
    try await withDirectory { directory in
        let body = sampleList(rows: 1_000)
        let (lmdb, sqlite) = try plainStores(in: directory, body)
        let network = ScriptedTransport()
        let client = try SupabaseOfflineClient(
            supabaseURL: try address(), supabaseKey: "publishable",
            config: .init(), storage: try storage(in: directory), transport: network)
        network.answer(HTTPResponse(status: 200, body: ContiguousArray(body)))
        try await client.from("tasks").select().execute()
        await client.reads.waitUntilStored()

        let request = client.from("tasks").select(readStrategy: .cacheOnly)
        let key = ListKey(PostgrestRequest(reading: "tasks"))
        let identity = Identity(project: client.settings.project, owner: .visitor)
        let lookup = try await interleaved(rounds: 1_000) {
            use(await client.reads.list(key, of: identity))
        } plain: {
            use(try lmdb.get(1))
        }
        let name = "list of 1,000 rows (\(body.count / 1_000) KB) from the device as bytes"
        report.row(
            name + ": the store, against LMDB get and copy", ours: lookup.ours,
            plain: lookup.plain, budget: .atMost(2))
        let call = try await interleaved(rounds: 1_000) {
            use(try await request.execute())
        } plain: {
            use(try lmdb.get(1))
        }
        report.row(
            name + ": the whole call, against LMDB get and copy", ours: call.ours,
            plain: call.plain, budget: .atMost(2))
        let against = try await interleaved(rounds: 500) {
            use(try await request.execute())
        } plain: {
            use(try sqlite.get(1))
        }
        report.row(
            name + ": the whole call, against a blob in SQLite", ours: against.ours,
            plain: against.plain, budget: .none)
        await client.close()
    }
}

/// Rows of nine columns, about 276 bytes each.
func sampleList(rows count: Int) -> [UInt8] {
    let rows = (0..<count).map { index in
        """
        {"id":\(index),"user_id":"8c3b0f5e-6c5d-4d6b-9f1c-\(String(format: "%012d", index))",\
        "title":"Task number \(index) of a list","notes":null,"is_done":\(index % 3 == 0),\
        "priority":\(index % 5),"position":\(Double(index) + 0.5),\
        "created_at":"2026-01-02T03:04:05.123456+00:00",\
        "updated_at":"2026-02-03T04:05:06.654321+00:00"}
        """
    }
    return Array(("[" + rows.joined(separator: ", \n ") + "]").utf8)
}

private func plainStores(
    in directory: URL, _ body: [UInt8]
) throws -> (PlainLMDB, PlainSQLite) {
    let place = directory.appending(path: "plain")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let lmdb = try PlainLMDB(directory: place.systemPath)
    try lmdb.put(body, forKey: 1)
    let sqlite = try PlainSQLite(file: directory.appending(path: "plain.sqlite").systemPath)
    try sqlite.put(body, forKey: 1)
    return (lmdb, sqlite)
}

private func storage(in directory: URL) throws -> LMDBStorage {
    let place = directory.appending(path: "ours")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    return try LMDBStorage(directory: place.systemPath, keyspaces: Keyspace.all)
}

private func address() throws -> URL {
    guard let url = URL(string: "https://xyz.supabase.co") else { throw URLError(.badURL) }
    return url
}

extension PostgrestRequest {
    fileprivate init(reading table: String) {
        self.init(.table(table), schema: "public", method: "GET")
        append("select", "*")
    }
}
