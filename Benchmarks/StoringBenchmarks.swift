import Foundation
import OfflineCore
import StorageLMDB
import StorageMemory
import TestSupport

/// Answers of the server, on their way to the disk.
func storingBenchmarks(_ report: inout Report) async throws {
    let body = sampleList(rows: 1_000)
    let name = "answer of 1,000 rows (\(body.count / 1_000) KB)"

    let scan = try await scanning(body)
    report.row(
        "\(name) scanned for its rows and their keys, against a bare pass over it (memchr)",
        ours: scan.ours, plain: scan.plain, unit: "GB/s", budget: .absoluteAtLeast(1))
    let keep = try await withDirectory { directory in try await keeping(body, in: directory) }
    report.row(
        "\(name) stored in the place of an earlier one, against LMDB's puts of the same bytes",
        ours: keep.ours, plain: keep.plain, budget: .atMost(1.5))
    let read = try await reading(body)
    report.row(
        "\(name) read from the network where a commit takes 10 ms, against where it takes none",
        ours: read.ours, plain: read.plain, budget: .atMost(2))
    let beside = try await readingBesideStoring()
    report.row(
        "list of 10 rows from the device while an answer of 50 MB is stored, against no storing",
        ours: beside.ours, plain: beside.plain, budget: .alwaysAtMost(50_000))
}

/// What every answer goes through before it is returned, as throughput.
///
/// `memchr` looks for a byte that JSON never has: no pass over the bytes takes less.
private func scanning(_ list: [UInt8]) async throws -> (ours: Figures, plain: Figures) {
    let body = Bytes(list)
    let columns = KeyColumns(["id"])
    let times = try await interleaved(rounds: 500) {
        use(try RowDirectory(scanning: body.span, columns: columns))
    } plain: {
        use(memchr(list, 0, list.count))
    }
    let throughput = { (time: Double) in Double(body.count) / time / 1_000 }
    return (times.ours.converted(throughput), times.plain.converted(throughput))
}

/// Storing behind the read: two long values in one durable commit, and the little that goes with
/// them.
private func keeping(
    _ list: [UInt8], in directory: URL
) async throws -> (ours: Figures, plain: Figures) {
    let storage = try LMDBStorage(
        in: directory.appending(path: "ours"), keyspaces: Keyspace.all)
    let store = try OfflineStore(storage, cacheSize: 100 << 20, runtime: .live())
    defer { store.close() }
    let lmdb = try PlainLMDB(in: directory.appending(path: "plain"))
    let body = Bytes(list)
    let rows = try RowDirectory(scanning: body.span, columns: KeyColumns(["id"])).encoded
    let plainRows = Array(rows)
    let key = ListKey(PostgrestRequest(.table("tasks"), schema: "public", method: "GET"))
    let identity = Identity(project: "xyz.supabase.co", owner: .visitor)
    var sequence: UInt64 = 0
    return try await interleaved(rounds: 300) {
        sequence += 1
        let answer = StoredList(
            body: body, fetchedAt: Timestamp(microseconds: Int64(sequence)), sequence: sequence)
        try await store.lists.keep(answer, directory: rows, as: key, of: identity)
    } plain: {
        try lmdb.put(list, plainRows, forKey: 1)
    }
}

/// A read returns before its answer is stored: it must not tell a slow store from a fast one.
private func reading(_ list: [UInt8]) async throws -> (ours: Figures, plain: Figures) {
    let body = Bytes(list)
    let devices = try (
        slow: Device(SlowStorage()), fast: Device(MemoryStorage(keyspaces: Keyspace.all))
    )
    let times = try await interleaved(rounds: 200) {
        await devices.slow.client.reads.waitUntilStored()
        await devices.fast.client.reads.waitUntilStored()
    } ours: {
        try await devices.slow.fetch(1, answer: body)
    } plain: {
        try await devices.fast.fetch(1, answer: body)
    }
    await devices.slow.client.close()
    await devices.fast.client.close()
    return times
}

/// A store in memory that takes its time to write, but no processor's.
private struct SlowStorage: Storage {
    private let memory = MemoryStorage(keyspaces: Keyspace.all)

    func read<R>(
        _ body: (borrowing ReadTransaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        try memory.read(body)
    }

    func write<R>(
        _ body: (inout WriteTransaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        Thread.sleep(forTimeInterval: 0.01)
        return try memory.write(body)
    }

    func suspend() { memory.suspend() }

    func resume() throws(StorageError) { try memory.resume() }

    func close() { memory.close() }
}

/// Reads of a short list while an answer of 50 MB is looked through and stored, and as many while
/// there is nothing else to do.
///
/// Each device is new, so that its store has to grow for the answer, which keeps readers out.
private func readingBesideStoring() async throws -> (ours: Figures, plain: Figures) {
    let long = Bytes(sampleList(rows: 197_000))
    let short = Bytes(sampleList(rows: 10))
    var (beside, alone): ([Double], [Double]) = ([], [])
    for _ in 0..<5 {
        try await withDirectory { directory in
            let device = try Device(in: directory)
            try await device.store(1, answer: short)
            let request = device.list(1)
            let read = { try await microseconds { use(try await request.execute()) } }
            let isStored = StateRelay(false)
            async let storing: Void = {
                defer { isStored.send(true) }
                try await device.store(2, answer: long)
            }()
            while !isStored.current { beside.append(try await read()) }
            try await storing
            while alone.count < beside.count { alone.append(try await read()) }
            await device.client.close()
        }
    }
    return (Figures(beside), Figures(alone))
}
