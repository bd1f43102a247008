import Foundation
import OfflineCore
import StorageLMDB
import TestSupport
import Testing

@Suite("Moving an environment", .timeLimit(.minutes(5)))
struct EnvironmentMoveTests {
    private static let rows = Keyspace("rows")

    /// How the environment gets from one place to the other.
    enum Way: CaseIterable { case renamed, copied, betweenVolumes }

    @Test(arguments: Way.allCases)
    func `brings all of it, and leaves nothing behind`(_ way: Way) async throws {
        try await withPlaces(way) { source, destination in
            try fill(source)
            let move = EnvironmentMove(
                from: source, to: destination, isCopied: way == .copied)
            #expect(try move.perform() == .moved)
            #expect(!FileManager.default.fileExists(atPath: source))
            #expect(try content(of: destination) == [1, 2, 3])
            let file = destination + "/data.mdb"
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let names = try FileManager.default.contentsOfDirectory(atPath: destination)
            #expect(Set(names) == ["client.lock", "data.mdb", "lock.mdb"])
        }
    }

    @Test(arguments: EnvironmentMove.Step.allCases)
    func `killed at any step, leaves one whole environment`(
        _ step: EnvironmentMove.Step
    ) async throws {
        // Whoever comes next: the client of the new place, or one of the old.
        for isNewPlaceNext in [true, false] {
            try await withPlaces(.copied) { source, destination in
                try fill(source)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [step, source = source as String, destination = destination as String] in
                    let move = EnvironmentMove(from: source, to: destination, isCopied: true) {
                        if $0 == step { kill(getpid(), SIGKILL) }
                    }
                    _ = try move.perform()
                }
                if !isNewPlaceNext {
                    // One that moves nothing, and finds its own environment or none.
                    let kept = try content(of: source)
                    #expect(kept == (step.isBeforeArrival ? [1, 2, 3] : []))
                    if !step.isBeforeArrival {
                        #expect(try content(of: destination) == [1, 2, 3])
                        return
                    }
                }
                let storage = try LMDBStorage(
                    directory: destination, origin: source, keyspaces: [Self.rows])
                storage.close()
                #expect(storage.move == (step.isBeforeArrival ? .moved : .nothing))
                #expect(try content(of: destination) == [1, 2, 3])
                #expect(!FileManager.default.fileExists(atPath: source + "/data.mdb"))
                #expect(!FileManager.default.fileExists(atPath: destination + "/data.mdb.part"))
            }
        }
    }

    @Test func `leaves an environment alone that a client has open`() async throws {
        try await withPlaces(.renamed) { source, destination in
            try fill(source)
            let holder = try LMDBStorage(directory: source, keyspaces: [Self.rows])
            defer { holder.close() }
            let storage = try LMDBStorage(
                directory: destination, origin: source, keyspaces: [Self.rows])
            #expect(storage.move == .sourceInUse)
            storage.close()
            #expect(try content(of: destination) == [])
        }
    }

    @Test func `leaves both alone where both places have one`() async throws {
        try await withPlaces(.renamed) { source, destination in
            try fill(source)
            try fill(destination, with: [9])
            let storage = try LMDBStorage(
                directory: destination, origin: source, keyspaces: [Self.rows])
            #expect(storage.move == .bothHold)
            storage.close()
            #expect(try content(of: destination) == [9])
            #expect(try content(of: source) == [1, 2, 3])
        }
    }

    @Test func `finds nothing to move from itself, from an empty place and from none`()
        async throws
    {
        try await withPlaces(.renamed) { source, destination in
            try fill(destination, with: [9])
            for origin in [destination, destination + "/../\(name(destination))", source, "/none"] {
                let storage = try LMDBStorage(
                    directory: destination, origin: origin, keyspaces: [Self.rows])
                #expect(storage.move == .nothing)
                storage.close()
            }
            #expect(try content(of: destination) == [9])
        }
    }

    @Test func `that finds no room keeps what there is where it is`() async throws {
        try await withPlaces(.copied) { source, destination in
            try fill(source)
            await #expect(processExitsWith: .success) {
                [source = source as String, destination = destination as String] in
                // A copy longer than that fails, as on a full disk.
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
                let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
                try #require(setrlimit(resource, &limit) == 0)
                let move = EnvironmentMove(from: source, to: destination, isCopied: true)
                #expect(throws: StorageError.self) { try move.perform() }
            }
            #expect(try content(of: source) == [1, 2, 3])
            #expect(try content(of: destination) == [])
        }
    }

    @Test func `happens once, however many begin it`() async throws {
        for way in [Way.renamed, .copied] {
            try await withPlaces(way) { source, destination in
                try fill(source)
                let outcomes = try await onOwnThread {
                    try onThreads(4) { _ in
                        do throws(StorageError) {
                            let storage = try LMDBStorage(
                                directory: destination, origin: source, keyspaces: [Self.rows])
                            defer { storage.close() }
                            return storage.move == .moved
                        } catch {
                            #expect(error == .inUse)
                            return false
                        }
                    }
                }
                #expect(outcomes.count(where: \.self) == 1)
                #expect(try content(of: destination) == [1, 2, 3])
            }
        }
    }

    // MARK: Places

    private func withPlaces(
        _ way: Way, _ body: (_ source: String, _ destination: String) async throws -> Void
    ) async throws {
        try await withDirectory { directory in
            try await withDirectory(on: way == .betweenVolumes ? "/dev/shm" : nil) { other in
                let source = directory.appending(path: "database").systemPath
                let destination = (other ?? directory).appending(path: "new").systemPath
                for place in [source, destination] {
                    try FileManager.default.createDirectory(
                        atPath: place, withIntermediateDirectories: true)
                }
                try await body(source, destination)
            }
        }
    }

    private func name(_ path: String) -> String { URL(filePath: path).lastPathComponent }

    private func fill(_ directory: String, with keys: Bytes = [1, 2, 3]) throws {
        let storage = try LMDBStorage(directory: directory, keyspaces: [Self.rows])
        defer { storage.close() }
        try storage.write { transaction throws(StorageError) in
            for key in keys {
                let bytes: Bytes = [key]
                try transaction.set(bytes.span, forKey: bytes.span, in: Self.rows)
            }
        }
    }

    private func content(of directory: String) throws -> Bytes {
        let storage = try LMDBStorage(directory: directory, keyspaces: [Self.rows])
        defer { storage.close() }
        return try storage.read { transaction throws(StorageError) in
            var keys = Bytes()
            try transaction.scan(in: Self.rows) { key, _ in
                keys.append(contentsOf: Bytes(copying: key))
                return .next
            }
            return keys
        }
    }
}

extension EnvironmentMove.Step {
    /// Whether the source still has the environment before this step.
    fileprivate var isBeforeArrival: Bool {
        switch self {
        case .copying, .noting, .naming: true
        case .removing, .tidying: false
        }
    }
}

/// Runs `body` with a fresh directory on another volume, where there is one.
private func withDirectory(
    on volume: String?, _ body: (URL?) async throws -> Void
) async throws {
    guard let volume, FileManager.default.isWritableFile(atPath: volume) else {
        return try await body(nil)
    }
    let directory = URL(filePath: volume).appending(component: "supabase-offline-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory)
}
