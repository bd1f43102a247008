import Foundation
import OfflineCore
import StorageLMDB
import TestSupport

/// Durable writes, alone and together.
func storageBenchmarks(_ report: inout Report) async throws {
    let rows = try await withDirectory { directory in try await durableWrites(in: directory) }
    report.row(
        "durable write of 300 bytes, one at a time, against one bare LMDB commit",
        ours: rows.one.ours, plain: rows.one.plain, budget: .atMost(1.3))
    report.row(
        "the same against SQLite (WAL, full)", ours: rows.one.ours, plain: rows.sqlite,
        budget: .none)
    report.row(
        "durable writes by 8 tasks at once: throughput against one task",
        ours: rows.eight, plain: rows.alone, unit: "writes/s", budget: .atLeast(3))
}

private func durableWrites(
    in directory: URL
) async throws -> (
    one: (ours: Figures, plain: Figures), sqlite: Figures, alone: Figures, eight: Figures
) {
    let storage = try LMDBStorage(
        in: directory.appending(path: "ours"), keyspaces: [.values])
    defer { storage.close() }
    let writer = StoreWriter(storage, runtime: .live())
    let lmdb = try PlainLMDB(in: directory.appending(path: "plain"))
    let sqlite = try PlainSQLite(file: directory.appending(path: "plain.sqlite").systemPath)
    let value = [UInt8](repeating: 7, count: 300)
    var key: UInt64 = 0

    let one = try await interleaved(rounds: 300) {
        key += 1
        try await writer.put(value, forKey: key)
    } plain: {
        key += 1
        try lmdb.put(value, forKey: key)
    }
    var sqliteTimes: [Double] = []
    for _ in 0..<300 {
        key += 1
        sqliteTimes.append(
            try await microseconds { try sqlite.put(value, forKey: Int64(key)) })
    }

    var (alone, eight): ([Double], [Double]) = ([], [])
    for _ in 0..<15 {
        alone.append(try await throughput(of: writer, tasks: 1, value))
        eight.append(try await throughput(of: writer, tasks: 8, value))
    }
    return (one, Figures(sqliteTimes), Figures(alone), Figures(eight))
}

/// Writes a second.
private func throughput(
    of writer: StoreWriter, tasks: Int, _ value: [UInt8]
) async throws -> Double {
    let each = 160 / tasks
    let time = try await microseconds {
        try await withThrowingDiscardingTaskGroup { group in
            for task in 0..<tasks {
                group.addTask {
                    for index in 0..<each {
                        try await writer.put(value, forKey: UInt64(task * each + index))
                    }
                }
            }
        }
    }
    return Double(each * tasks) / time * 1_000_000
}

extension StoreWriter {
    fileprivate func put(_ value: [UInt8], forKey key: UInt64) async throws(StorageError) {
        try await write { transaction throws(StorageError) in
            let key = Bytes(withUnsafeBytes(of: key.bigEndian) { Array($0) })
            let bytes = Bytes(value)
            try transaction.set(bytes.span, forKey: key.span, in: .values)
        }
    }
}

extension Keyspace {
    fileprivate static let values = Keyspace("values")
}
