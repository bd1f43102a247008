import CSQLite
import Foundation

/// SQLite by hand: one table of blobs, write-ahead log, full durability.
final class PlainSQLite {
    private var database: OpaquePointer?
    private var insert: OpaquePointer?
    private var select: OpaquePointer?

    init(file: String) throws {
        try check(sqlite3_open(file, &database))
        for statement in [
            "pragma journal_mode = wal", "pragma synchronous = full",
            "create table lists (key integer primary key, body blob)",
        ] {
            try check(sqlite3_exec(database, statement, nil, nil, nil))
        }
        try check(
            sqlite3_prepare_v2(database, "replace into lists values (?, ?)", -1, &insert, nil))
        try check(
            sqlite3_prepare_v2(database, "select body from lists where key = ?", -1, &select, nil))
    }

    func put(_ value: [UInt8], forKey key: Int64) throws {
        sqlite3_bind_int64(insert, 1, key)
        sqlite3_bind_blob(insert, 2, value, CInt(value.count), nil)
        guard sqlite3_step(insert) == SQLITE_DONE else {
            throw PlainError(code: sqlite3_errcode(database))
        }
        try check(sqlite3_reset(insert))
    }

    func get(_ key: Int64) throws -> [UInt8] {
        sqlite3_bind_int64(select, 1, key)
        guard sqlite3_step(select) == SQLITE_ROW else {
            throw PlainError(code: sqlite3_errcode(database))
        }
        let count = Int(sqlite3_column_bytes(select, 0))
        let bytes = Array(
            UnsafeRawBufferPointer(start: sqlite3_column_blob(select, 0), count: count))
        try check(sqlite3_reset(select))
        return bytes
    }

    deinit {
        sqlite3_finalize(insert)
        sqlite3_finalize(select)
        sqlite3_close(database)
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw PlainError(code: code) }
    }
}
