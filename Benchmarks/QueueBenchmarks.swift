import Foundation
import OfflineCore
import OfflineTesting
import StorageLMDB
import StorageMemory
import Synchronization
import TestSupport

/// Writes that are kept, and how they are sent.
func queueBenchmarks(_ report: inout Report) async throws {
    try await withDirectory { directory in try await enqueueing(&report, in: directory) }
    try await withDirectory { directory in try await opening(&report, in: directory) }
    try await withDirectory { directory in try await readsBesideQueue(&report, in: directory) }
    try await replaying(&report)
    try await withDirectory { directory in try await sweepQueue(&report, in: directory) }
}

/// A client whose user's token can't be had: whatever is written is kept, and not sent.
private func keepingClient(in directory: URL) throws -> SupabaseOfflineClient {
    guard let url = URL(string: "https://xyz.supabase.co") else { throw URLError(.badURL) }
    let session = SessionSwitch(.refreshFailed(userID: "ada"))
    return try SupabaseOfflineClient(
        supabaseURL: url, supabaseKey: "publishable",
        config: .init(sessionStates: session.states, autoSync: false, logLevel: .error),
        storage: LMDBStorage(in: directory, keyspaces: Keyspace.all),
        transport: ScriptedTransport())
}

/// The whole call of an insert that is kept, against one bare commit of as many bytes.
private func enqueueing(_ report: inout Report, in directory: URL) async throws {
    let client = try keepingClient(in: directory.appending(path: "ours"))
    let lmdb = try PlainLMDB(in: directory.appending(path: "plain"))
    let value = [UInt8](repeating: 7, count: 300)
    let numbers = Numbers()
    @Sendable func insert() async throws {
        let id = numbers.next()
        let row: JSONValue = [
            "id": .integer(id), "title": .string(String(repeating: "x", count: 150)),
        ]
        use(try await client.from("tasks").insert(row).execute())
    }
    let one = try await interleaved(rounds: 300) {
        try await insert()
    } plain: {
        try lmdb.put(value, forKey: UInt64(numbers.next()))
    }
    report.row(
        "insert that is kept, one at a time, against one bare durable LMDB commit",
        ours: one.ours, plain: one.plain, budget: .atMost(1.3))
    var (alone, eight): ([Double], [Double]) = ([], [])
    for _ in 0..<15 {
        alone.append(try await throughput(of: 1, insert))
        eight.append(try await throughput(of: 8, insert))
    }
    report.row(
        "inserts that are kept by 8 tasks at once: throughput against one task",
        ours: Figures(eight), plain: Figures(alone), unit: "writes/s", budget: .atLeast(3))
    await client.close()
}

/// Numbers, each once.
private final class Numbers: Sendable {
    private let last = Atomic(0)

    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// Writes a second.
private func throughput(
    of tasks: Int, _ insert: @escaping @Sendable () async throws -> Void
) async throws -> Double {
    let each = 160 / tasks
    let time = try await microseconds {
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<tasks {
                group.addTask { for _ in 0..<each { try await insert() } }
            }
        }
    }
    return Double(each * tasks) / time * 1_000_000
}

/// Opening a client with 100 MiB of lists and 10,000 writes, against opening LMDB alone.
private func opening(_ report: inout Report, in directory: URL) async throws {
    let answer = Bytes(sampleList(rows: 1_000))
    let device = try Device(in: directory)
    try await device.fill(0..<(100 << 20) / answer.count, answer: answer)
    await device.client.close()
    let client = try keepingClient(in: directory)
    try await withThrowingDiscardingTaskGroup { group in
        for task in 0..<20 {
            group.addTask {
                for number in 0..<500 {
                    let row: JSONValue = ["id": .integer(task * 500 + number), "title": "x"]
                    use(try await client.from("tasks").insert(row).execute())
                }
            }
        }
    }
    await client.close()
    let figures = try await interleaved(rounds: 30, warmup: 3) {
        let client = try keepingClient(in: directory)
        for await status in client.syncStatus where status.pendingCount == 10_000 { break }
        await client.close()
    } plain: {
        let storage = try LMDBStorage(in: directory, keyspaces: Keyspace.all)
        storage.close()
    }
    report.row(
        "opening with 100 MiB cached and 10,000 writes queued, until they are counted, and closing; "
            + "against opening and closing LMDB",
        ours: figures.ours, plain: figures.plain, budget: .onTop(20_000))
}

/// Reads of a list while 1,000 writes to another table are in the queue.
private func readsBesideQueue(_ report: inout Report, in directory: URL) async throws {
    let answer = Bytes(sampleList(rows: 1_000))
    let quiet = try Device(in: directory.appending(path: "quiet"))
    let busy = try Device(in: directory.appending(path: "busy"))
    for device in [quiet, busy] { try await device.store(0, answer: answer) }
    for number in 0..<1_000 { try await busy.keepUpdate(number, of: "notes") }
    let (reading, besides) = (busy.list(0), quiet.list(0))
    let times = try await interleaved(rounds: 500) {
        use(try await reading.execute())
    } plain: {
        use(try await besides.execute())
    }
    report.row(
        "list of 1,000 rows from the device with 1,000 writes queued for another table, against none",
        ours: times.ours, plain: times.plain, budget: .atMost(1.2))
    for device in [quiet, busy] { await device.client.close() }
}

/// A thousand queued inserts over a link of 50 ms, against the same requests one by one.
private func replaying(_ report: inout Report) async throws {
    guard let url = URL(string: "https://xyz.supabase.co") else { throw URLError(.badURL) }
    var ours: [Double] = []
    for _ in 0..<3 {
        let link = SlowLink()
        let client = try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: "publishable",
            config: .init(autoSync: false, logLevel: .error),
            storage: MemoryStorage(keyspaces: Keyspace.all), transport: link)
        link.setDown(true)
        for id in 0..<1_000 {
            try await client.from("tasks").insert(["id": .integer(id), "title": "x"] as JSONValue)
                .execute()
        }
        link.setDown(false)
        ours.append(
            try await microseconds {
                let report = try await client.syncPendingMutations()
                precondition(report.sent == 1_000, "the queue is empty")
            } / 1_000)
        await client.close()
    }
    report.row(
        "replay of 1,000 queued inserts over a link of 50 ms, against one request after the other",
        ours: Figures(ours), plain: Figures([50_000]), unit: "ms", budget: .absoluteAtMost(2_000))
}

/// Keeping one more write, and reading another table, with more and more writes in the queue.
private func sweepQueue(_ report: inout Report, in directory: URL) async throws {
    let counts = [10, 100, 1_000, 10_000]
    let answer = Bytes(sampleList(rows: 100))
    var devices: [Device] = []
    for count in counts {
        let device = try Device(in: directory.appending(path: "\(count)"))
        try await device.store(0, answer: answer)
        for number in 0..<count { try await device.keepUpdate(number, of: "notes") }
        devices.append(device)
    }
    let reads = try await inTurn(
        rounds: 200,
        devices.map { device -> () async throws -> Void in
            { use(try await device.list(0).execute()) }
        })
    report.sweep(
        "read of a list of another table among", counts, "writes in the queue", reads,
        against: .smallest)
    for device in devices { await device.client.close() }
}

/// A server on the other side of a link of 50 ms that takes every write.
private final class SlowLink: HTTPTransport {
    private let isDown = Mutex(false)

    func setDown(_ value: Bool) { isDown.withLock { $0 = value } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if isDown.withLock({ $0 }) { throw TransportError(.notSent, .cannotConnect) }
        guard (try? await Task.sleep(for: .milliseconds(50))) != nil else {
            throw TransportError(.unanswered, .cancelled)
        }
        return HTTPResponse(status: 201, headers: ["Content-Range": "*/*"])
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.notSent, .file)
    }

    func close() {}
}
