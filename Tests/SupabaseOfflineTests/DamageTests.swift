import Foundation
import OfflineTesting
import SupabaseOffline
import Synchronization
import TestSupport
import Testing

@Suite("A damaged store", .timeLimit(.minutes(5)))
struct DamageTests {
    /// What can befall the file of a database.
    enum Damage: CaseIterable {
        case noDatabase, zeros, otherVersion, noFormat
    }

    @Test(arguments: Damage.allCases)
    func `is moved aside, and the app is told once`(_ damage: Damage) async throws {
        try await withDirectory { directory in
            let (before, network) = (ScriptedTransport(), ScriptedTransport())
            let first = try client(in: directory, before)
            before.answer(json: #"[{"id":1}]"#)
            try await first.from("tasks").select().execute()
            await first.close()
            let file = directory.appending(path: "database/data.mdb")
            try await file.suffer(damage)
            let bytes = try Data(contentsOf: file)

            let messages = Mutex<[(SupabaseOfflineClient.LogLevel, String)]>([])
            let second = try SupabaseOfflineClient(
                supabaseURL: .example, supabaseKey: "publishable",
                config: .init(
                    dataDirectory: directory,
                    logHandler: { level, text in messages.withLock { $0.append((level, text)) } },
                    transport: network))
            let place = directory.appending(path: "damaged-1", directoryHint: .isDirectory)
            for _ in 0..<2 {
                var incidents: [Incident] = []
                for await incident in second.incidents { incidents.append(incident) }
                #expect(incidents == [.storeDamaged(movedTo: place, carriedWrites: 0)])
            }
            #expect(messages.withLock { $0.map(\.0) } == [.error])
            // Where it can be opened, it was looked into for writes.
            if damage != .noFormat {
                #expect(try Data(contentsOf: place.appending(path: "data.mdb")) == bytes)
            }
            await #expect {
                try await second.from("tasks").select(readStrategy: .cacheOnly).execute()
            } throws: { OfflineError.cacheMiss ~= $0 }
            network.answer(json: #"[{"id":2}]"#)
            try await second.from("tasks").select().execute()
            await second.close()

            let third = try client(in: directory)
            for await incident in third.incidents { Issue.record("\(incident) is over") }
            let kept = try await third.from("tasks").select(readStrategy: .cacheOnly).execute()
            #expect(String(decoding: kept.data, as: UTF8.self) == #"[{"id":2}]"#)
            await third.close()
        }
    }

    @Test func `gives up the writes that can be read in it, in their order`() async throws {
        try await withDirectory { directory in
            let first = try client(in: directory)
            for id in 1...3 {
                let outcome = try await first.from("tasks").upsert(["id": id]).execute()
                #expect(outcome.mutation != nil)
            }
            await first.close()
            try await directory.appending(path: "database/data.mdb").suffer(.noFormat)

            let network = ScriptedTransport()
            let second = try client(in: directory, network)
            for await incident in second.incidents {
                let place = directory.appending(path: "damaged-1", directoryHint: .isDirectory)
                #expect(incident == .storeDamaged(movedTo: place, carriedWrites: 3))
            }
            for await pending in second.pendingMutations {
                #expect(pending.map(\.rowKeys) == [[["id": 1]], [["id": 2]], [["id": 3]]])
                break
            }
            await second.close()
        }
    }

    @Test func `finds a place beside an earlier one`() async throws {
        try await withDirectory { directory in
            for number in 1...3 {
                await (try client(in: directory)).close()
                try await directory.appending(path: "database/data.mdb").suffer(.noDatabase)
                let damaged = try client(in: directory)
                await damaged.close()
                let place = directory.appending(path: "damaged-\(number)").systemPath
                #expect(FileManager.default.fileExists(atPath: place))
            }
        }
    }

    @Test func `that a newer version wrote is none: it is refused and left where it is`()
        async throws
    {
        try await withDirectory { directory in
            await (try client(in: directory)).close()
            let storage = try LMDBStorage(
                directory: directory.appending(path: "database").systemPath,
                keyspaces: Keyspace.all)
            try storage.write { transaction throws(StorageError) in
                let (key, value): (Bytes, Bytes) = (Bytes("format".utf8), [0, 0, 0, 99])
                try transaction.set(value.span, forKey: key.span, in: .meta)
            }
            storage.close()
            let error = #expect(throws: OfflineError.self) { try client(in: directory) }
            #expect(error?.reason == .storageTooNew)
            let places = try FileManager.default.contentsOfDirectory(atPath: directory.systemPath)
            #expect(places == ["database"])
        }
    }
}

extension URL {
    fileprivate func suffer(_ damage: DamageTests.Damage) async throws {
        var bytes = try Data(contentsOf: self)
        switch damage {
        case .noDatabase: bytes = Data("this is no database".utf8)
        case .zeros: bytes = Data(count: bytes.count)
        case .otherVersion:
            // The version of the format in both meta pages, behind LMDB's magic number.
            for page in [0, 4_096] { bytes[page + 20] ^= 0x7F }
        case .noFormat:
            let storage = try LMDBStorage(
                directory: deletingLastPathComponent().systemPath, keyspaces: Keyspace.all)
            try storage.write { transaction throws(StorageError) in
                let (key, value): (Bytes, Bytes) = (Bytes("format".utf8), [0])
                try transaction.set(value.span, forKey: key.span, in: .meta)
            }
            storage.close()
            return
        }
        try bytes.write(to: self)
    }
}
