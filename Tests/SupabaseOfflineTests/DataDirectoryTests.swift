import Foundation
import OfflineTesting
import SupabaseOffline
import TestSupport
import Testing

@Suite("The data directory", .timeLimit(.minutes(5)))
struct DataDirectoryTests {
    @Test func `keeps lists for the next client`() async throws {
        try await withDirectory { directory in
            let network = ScriptedTransport()
            network.answer(json: #"[{"id":1}]"#)
            let first = try client(in: directory, network)
            try await first.from("tasks").select().execute()
            await first.close()
            let second = try client(in: directory)
            let kept = try await second.from("tasks").select(readStrategy: .cacheOnly).execute()
            #expect(String(decoding: kept.data, as: UTF8.self) == #"[{"id":1}]"#)
            await second.close()
        }
    }

    @Test func `serves one client at a time`() async throws {
        try await withDirectory { directory in
            let first = try client(in: directory)
            #expect { try client(in: directory) } throws: { OfflineError.databaseInUse ~= $0 }
            await first.close()
            let second = try client(in: directory)
            await second.close()
        }
    }

    @Test func `is given back by a client that nobody holds any more`() async throws {
        try await withDirectory { directory in
            do { _ = try client(in: directory) }
            let second = try client(in: directory)
            await second.close()
        }
    }

    @Test func `is made where there is none, for its owner alone`() async throws {
        try await withDirectory { directory in
            let place = directory.appending(path: "a/b")
            let made = try client(in: place)
            for part in ["a", "a/b", "a/b/database"] {
                let path = directory.appending(path: part).systemPath
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o700)
            }
            await made.close()
        }
    }

    @Test func `that is a file is refused with its path, and the file stays`() async throws {
        try await withDirectory { directory in
            let file = directory.appending(path: "notes")
            try Data("mine".utf8).write(to: file)
            let error = #expect(throws: OfflineError.self) { try client(in: file) }
            guard case .storageUnavailable(let problem)? = error?.reason else {
                Issue.record("\(String(describing: error)) is another reason")
                return
            }
            #expect(problem.contains(file.systemPath))
            #expect(problem.contains("it is a file"))
            #expect(try Data(contentsOf: file) == Data("mine".utf8))
        }
    }

    @Test func `that may not be written to is refused`() async throws {
        try await withDirectory { directory in
            let path = directory.systemPath
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
            // In a process of its own, which can give up the rights of the superuser.
            await #expect(processExitsWith: .success) { [path = path as String] in
                if getuid() == 0 { try #require(setuid(65_534) == 0) }
                let error = try #require(throws: OfflineError.self) {
                    try client(in: URL(filePath: path))
                }
                try #require(error.description.contains("may write to"))
            }
        }
    }

    @Test func `a bad configuration leaves nothing behind`() async throws {
        try await withDirectory { directory in
            let place = directory.appending(path: "a")
            #expect(throws: OfflineError.self) {
                try SupabaseOfflineClient(
                    supabaseURL: .example, supabaseKey: "",
                    config: .init(dataDirectory: place, transport: ScriptedTransport()))
            }
            #expect(!FileManager.default.fileExists(atPath: place.systemPath))
        }
    }

    #if os(Linux)
    @Test func `is the program's own where the system keeps the data of apps`() async {
        await #expect(processExitsWith: .success) {
            try await withDirectory { directory in
                let path = directory.systemPath
                setenv("XDG_DATA_HOME", path, 1)
                let client = try SupabaseOfflineClient(
                    supabaseURL: .example, supabaseKey: "publishable",
                    config: .init(transport: ScriptedTransport()))
                let program = ProcessInfo.processInfo.processName
                let database = "\(path)/supabase-offline/\(program)/database/data.mdb"
                try #require(FileManager.default.fileExists(atPath: database))
                await client.close()
            }
        }
    }
    #endif
}
