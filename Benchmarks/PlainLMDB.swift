import CLMDB
import Foundation
import TestSupport

/// LMDB by hand, as a C program would use it.
final class PlainLMDB {
    private var environment: OpaquePointer?
    private var database: MDB_dbi = 0

    /// Opens an environment in a directory that is made if need be.
    init(in directory: URL) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try check(mdb_env_create(&environment))
        try check(mdb_env_set_mapsize(environment, 1 << 30))
        try check(mdb_env_open(environment, directory.systemPath, UInt32(MDB_NOTLS), 0o600))
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &transaction))
        try check(mdb_dbi_open(transaction, nil, 0, &database))
        try check(mdb_txn_commit(transaction))
    }

    /// One durable commit of some values, under keys that follow each other.
    func put(_ values: [UInt8]..., forKey first: UInt64) throws {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &transaction))
        for (key, value) in zip(first..., values) {
            try withValues(key, value) { key, value in
                try check(mdb_put(transaction, database, &key, &value, 0))
            }
        }
        try check(mdb_txn_commit(transaction))
    }

    /// One lookup and one copy.
    func get(_ key: UInt64) throws -> [UInt8] {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        defer { mdb_txn_abort(transaction) }
        var found = MDB_val()
        try withValues(key, []) { key, _ in
            try check(mdb_get(transaction, database, &key, &found))
        }
        return Array(UnsafeRawBufferPointer(start: found.mv_data, count: found.mv_size))
    }

    deinit { mdb_env_close(environment) }

    private func withValues(
        _ key: UInt64, _ value: [UInt8], _ body: (inout MDB_val, inout MDB_val) throws -> Void
    ) throws {
        var key = key.bigEndian
        try withUnsafeMutableBytes(of: &key) { keyBytes in
            try value.withUnsafeBytes { valueBytes in
                var key = MDB_val(mv_size: keyBytes.count, mv_data: keyBytes.baseAddress)
                var value = MDB_val(
                    mv_size: valueBytes.count,
                    mv_data: UnsafeMutableRawPointer(mutating: valueBytes.baseAddress))
                try body(&key, &value)
            }
        }
    }

    private func check(_ code: CInt) throws {
        guard code == MDB_SUCCESS else { throw PlainError(code: code) }
    }
}

// Opened once; environments may be used from any thread.
extension PlainLMDB: @unchecked Sendable {}

/// A code of a C library.
struct PlainError: Error {
    let code: CInt
}
