import Foundation
import OfflineCore
import StorageLMDB
import TestSupport
import Testing

/// A disk that runs full for a while, played by the limit on the size of files.
///
/// The limit is the process's, so each test has a process of its own.
@Suite("LMDB storage on a disk that fails", .timeLimit(.minutes(5)))
struct FailedFlushTests {
    @Test func `throws full, keeps what it had, and goes on when there is room again`() async {
        await #expect(processExitsWith: .success) {
            try await withDirectory { url in
                let directory = url.systemPath
                signal(SIGXFSZ, SIG_IGN)
                let storage = try LMDBStorage(directory: directory, keyspaces: [.rows])
                try storage.set([1], count: 10)
                try withFileLimit(1 << 18) {
                    for _ in 0..<3 {
                        #expect(throws: StorageError.full) { try storage.set([2], count: 1 << 20) }
                    }
                    let kept = try (storage.count(of: [1]), storage.count(of: [2]))
                    try #require(kept == (10, nil))
                }
                try storage.set([2], count: 1 << 20)
                storage.close()
                let again = try LMDBStorage(directory: directory, keyspaces: [.rows])
                let kept = try (again.count(of: [1]), again.count(of: [2]))
                try #require(kept == (10, 1 << 20))
                again.close()
            }
        }
    }
}

private func withFileLimit(_ bytes: rlim_t, _ body: () throws -> Void) throws {
    var before = rlimit()
    getrlimit(fileSize, &before)
    var limited = rlimit(rlim_cur: bytes, rlim_max: before.rlim_max)
    setrlimit(fileSize, &limited)
    defer { setrlimit(fileSize, &before) }
    try body()
}

#if canImport(Darwin)
private let fileSize = RLIMIT_FSIZE
#else
private let fileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#endif

extension Keyspace {
    fileprivate static let rows = Keyspace("rows")
}

extension Storage {
    fileprivate func set(_ key: Bytes, count: Int) throws(StorageError) {
        try write { transaction throws(StorageError) in
            let value = Bytes(repeating: 7, count: count)
            try transaction.set(value.span, forKey: key.span, in: .rows)
        }
    }

    fileprivate func count(of key: Bytes) throws(StorageError) -> Int? {
        try read { transaction throws(StorageError) in
            try transaction.value(forKey: key.span, in: .rows) { $0?.count }
        }
    }
}
