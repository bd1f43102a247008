import Foundation
import OfflineCore
import TestSupport

/// Reads from the device.
func readingBenchmarks(_ report: inout Report) async throws {
    try await withDirectory { directory in
        let body = sampleList(rows: 1_000)
        let lmdb = try PlainLMDB(in: directory.appending(path: "plain"))
        try lmdb.put(body, forKey: 1)
        let sqlite = try PlainSQLite(file: directory.appending(path: "plain.sqlite").systemPath)
        try sqlite.put(body, forKey: 1)
        let device = try Device(in: directory.appending(path: "ours"))
        try await device.store(1, answer: Bytes(body))

        let request = device.list(1)
        let key = ListKey(request.request)
        let identity = Identity(project: device.client.settings.project, owner: .visitor)
        let lookup = try await interleaved(rounds: 1_000) {
            use(try await device.client.reads.list(key, of: identity, TableFacts()))
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
        let main = try await callsFromMainActor(request, lmdb)
        report.row(
            name + ": the whole call from the main actor, against LMDB get and copy there",
            ours: main.ours, plain: main.plain, budget: .none)
        await device.client.close()
    }
}

/// Calls as an app's views make them: a call off the main actor changes threads twice.
@MainActor
private func callsFromMainActor(
    _ request: PostgrestFilterBuilder, _ lmdb: PlainLMDB
) async throws -> (ours: Figures, plain: Figures) {
    try await interleaved(rounds: 500) {
        use(try await request.execute())
    } plain: {
        use(try lmdb.get(1))
    }
}
