import Foundation
import OfflineTesting
import SupabaseOffline
import TestSupport
import Testing

@Suite("The data directory of a suspended client", .timeLimit(.minutes(5)))
struct SuspendedDirectoryTests {
    @Test func `is free for another client, whose lists count afterwards`() async throws {
        try await withDirectory { directory in
            let (network, others) = (ScriptedTransport(), ScriptedTransport())
            let gate = Gate()
            let first = try client(in: directory, network)
            let list = first.from("tasks").select(readStrategy: .networkOnly)
            network.answer(json: #"[{"id":"early"}]"#, after: gate)
            async let early = list.execute()
            await network.waitForRequests(1)
            await first.suspend()

            let second = try client(in: directory, others)
            others.answer(json: #"[{"id":"other"}]"#)
            try await second.from("tasks").select().execute()
            let error = await #expect(throws: OfflineError.self) { try await first.resume() }
            #expect(error?.reason == .databaseInUse)
            await second.close()

            // It was asked for before the other's was, and doesn't replace it.
            gate.open()
            #expect(try await text(of: early) == #"[{"id":"early"}]"#)
            try await first.resume()
            let saved = first.from("tasks").select(readStrategy: .cacheOnly)
            #expect(try await text(of: saved.execute()) == #"[{"id":"other"}]"#)
            // What is asked for now does.
            network.answer(json: #"[{"id":"late"}]"#)
            try await list.execute()
            #expect(try await text(of: saved.execute()) == #"[{"id":"late"}]"#)
            await first.close()
        }
    }

    @Test func `is left untouched if a newer version has written to it`() async throws {
        try await withDirectory { directory in
            let first = try client(in: directory)
            await first.suspend()
            try setFormat(99, in: directory)
            let error = await #expect(throws: OfflineError.self) { try await first.resume() }
            #expect(error?.reason == .storageTooNew)
            // It is free all the same.
            try setFormat(1, in: directory)
            try await first.resume()
            await first.close()
            await (try client(in: directory)).close()
        }
    }

    @Test func `that is gone is said to be, and nothing is made up for it`() async throws {
        try await withDirectory { directory in
            let first = try client(in: directory)
            await first.suspend()
            try FileManager.default.removeItem(at: directory.appending(path: "database"))
            let error = await #expect(throws: OfflineError.self) { try await first.resume() }
            guard case .storageUnavailable? = error?.reason else {
                Issue.record("\(String(describing: error)) is another reason")
                return
            }
            async let failure = failure(
                of: first.from("tasks").select(readStrategy: .cacheOnly))
            await first.close()
            #expect(await failure == .closed)
        }
    }

    private func text(of response: OfflineResponse<Void>) -> String {
        String(decoding: response.data, as: UTF8.self)
    }

    private func failure(of read: PostgrestFilterBuilder) async -> OfflineError.Reason? {
        do {
            _ = try await read.execute()
            return nil
        } catch {
            return (error as? OfflineError)?.reason
        }
    }

    private func setFormat(_ format: UInt8, in directory: URL) throws {
        let storage = try LMDBStorage(
            directory: directory.appending(path: "database").systemPath, keyspaces: Keyspace.all)
        defer { storage.close() }
        try storage.write { transaction throws(StorageError) in
            let (key, value): (Bytes, Bytes) = (Bytes("format".utf8), [0, 0, 0, format])
            try transaction.set(value.span, forKey: key.span, in: .meta)
        }
    }
}
