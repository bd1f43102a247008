#if os(Linux)
import Foundation
import OfflineTesting
import SupabaseOffline
import Synchronization
import TestSupport
import Testing

/// Each test has a process of its own, since the platform's place is the whole process's.
@Suite("Data in the program's default place", .timeLimit(.minutes(5)))
struct DefaultPlaceTests {
    @Test func `is moved to the directory that the app chooses`() async {
        await #expect(processExitsWith: .success) {
            try await withDefaultPlace { place, chosen in
                let first = try client(in: nil)
                try await first.keep(#"[{"id":1}]"#)
                await first.close()
                let log = Messages()
                let second = try client(in: chosen, log)
                try #require(await second.kept == #"[{"id":1}]"#)
                try #require(
                    log.texts == ["The database was moved here from the program's default place."])
                try #require(!FileManager.default.fileExists(atPath: place.systemPath))
                await second.close()

                // And back to none: there is nothing left of it.
                let third = try client(in: nil)
                try #require(await third.kept == nil)
                await third.close()
            }
        }
    }

    @Test func `is left behind, with a warning, where the chosen directory has its own`() async {
        await #expect(processExitsWith: .success) {
            try await withDefaultPlace { _, chosen in
                let own = try client(in: chosen)
                try await own.keep(#"[{"id":"own"}]"#)
                await own.close()
                let other = try client(in: nil)
                try await other.keep(#"[{"id":"other"}]"#)
                await other.close()
                let log = Messages()
                let client = try client(in: chosen, log)
                try #require(await client.kept == #"[{"id":"own"}]"#)
                try #require(log.texts.count == 1 && log.texts[0].contains("left behind"))
                await client.close()
                let again = try SupabaseOfflineTests.client(in: nil)
                try #require(await again.kept == #"[{"id":"other"}]"#)
                await again.close()
            }
        }
    }

    @Test func `is left to the client that has it open`() async {
        await #expect(processExitsWith: .success) {
            try await withDefaultPlace { _, chosen in
                let holder = try client(in: nil)
                try await holder.keep(#"[{"id":1}]"#)
                let log = Messages()
                let client = try client(in: chosen, log)
                try #require(await client.kept == nil)
                try #require(log.texts.count == 1 && log.texts[0].contains("has it open"))
                try #require(await holder.kept == #"[{"id":1}]"#)
                await client.close()
                await holder.close()
            }
        }
    }

    @Test func `that a newer version wrote is refused where it is`() async {
        await #expect(processExitsWith: .success) {
            try await withDefaultPlace { place, chosen in
                await (try client(in: nil)).close()
                let storage = try LMDBStorage(
                    directory: place.systemPath, keyspaces: Keyspace.all)
                try storage.write { transaction throws(StorageError) in
                    let (key, value): (Bytes, Bytes) = (Bytes("format".utf8), [0, 0, 0, 99])
                    try transaction.set(value.span, forKey: key.span, in: .meta)
                }
                storage.close()
                let error = try #require(throws: OfflineError.self) { try client(in: chosen) }
                try #require(error.reason == .storageTooNew)
                let file = place.appending(path: "data.mdb").systemPath
                try #require(FileManager.default.fileExists(atPath: file))
            }
        }
    }

    @Test func `that is damaged is moved, and put aside there`() async {
        await #expect(processExitsWith: .success) {
            try await withDefaultPlace { place, chosen in
                await (try client(in: nil)).close()
                let damaged = Data("this is no database".utf8)
                try damaged.write(to: place.appending(path: "data.mdb"))
                let client = try client(in: chosen)
                var incidents: [Incident] = []
                for await incident in client.incidents { incidents.append(incident) }
                let aside = chosen.appending(path: "damaged-1", directoryHint: .isDirectory)
                try #require(incidents == [.storeDamaged(movedTo: aside, carriedWrites: 0)])
                try #require(try Data(contentsOf: aside.appending(path: "data.mdb")) == damaged)
                await client.close()
            }
        }
    }
}

/// What a client logs from `info` on, without the reads.
private final class Messages: Sendable {
    private let state = Mutex<[String]>([])

    var texts: [String] { state.withLock { $0.filter { !$0.contains("select") } } }

    func note(_ text: String) { state.withLock { $0.append(text) } }
}

private func client(
    in directory: URL?, _ log: Messages = Messages()
) throws -> SupabaseOfflineClient {
    try SupabaseOfflineClient(
        supabaseURL: .example, supabaseKey: "publishable",
        config: .init(
            dataDirectory: directory, logLevel: .info, logHandler: { log.note($1) },
            transport: ScriptedTransport()))
}

extension SupabaseOfflineClient {
    fileprivate func keep(_ rows: String) async throws {
        (transport as? ScriptedTransport)?.answer(json: rows)
        try await from("tasks").select().execute()
        await reads.waitUntilStored()
    }

    fileprivate var kept: String? {
        get async {
            let response = try? await from("tasks").select(readStrategy: .cacheOnly).execute()
            return response.map { String(decoding: $0.data, as: UTF8.self) }
        }
    }
}

/// Runs `body` where the platform's place is a fresh one.
private func withDefaultPlace(
    _ body: (_ database: URL, _ chosen: URL) async throws -> Void
) async throws {
    try await withDirectory { directory in
        setenv("XDG_DATA_HOME", directory.systemPath, 1)
        let program = ProcessInfo.processInfo.processName
        let place = directory.appending(path: "supabase-offline/\(program)/database")
        try await body(place, directory.appending(path: "chosen"))
    }
}
#endif
