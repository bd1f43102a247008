import Foundation
import OfflineCore
import StorageLMDB
import TestSupport

/// One list among more and more others of the same length.
///
/// It is always the same one, so that the processor has it at hand in every store: what is shown is
/// the cost of finding a list, not that of memory.
func sweepLists(_ report: inout Report, in directory: URL) async throws {
    let counts = [1, 10, 100, 500, 2_000]
    let answer = Bytes(sampleList(rows: 100))
    var devices: [Device] = []
    for count in counts {
        let device = try Device(in: directory.appending(path: "\(count)"))
        try await device.fill(0..<count, answer: answer)
        devices.append(device)
    }
    let reads = try await inTurn(
        rounds: 500,
        devices.map { device in
            let request = device.list(0)
            return { use(try await request.execute()) }
        })
    report.sweep(
        "list of 100 rows from the device as bytes, of", counts, "lists", reads, against: .smallest)
    let stores = try await inTurn(
        rounds: 200, devices.map { device in { try await device.store(0, answer: answer) } })
    report.sweep(
        "answer of 100 rows read and stored, among", counts, "lists", stores, against: .smallest)
    for device in devices { await device.client.close() }

    let opening = try await openings(of: ["500", "1"].map { directory.appending(path: $0) })
    report.row(
        "opening the store of 500 lists of 100 rows, against 1 list", ours: opening[0],
        plain: opening[1], budget: .atMost(2))
    let inMilliseconds = opening.map { $0.converted { $0 / 1_000 } }
    report.row(
        "the same in the field's terms: 50,000 rows in 500 lists", ours: inMilliseconds[0],
        plain: inMilliseconds[1], unit: "ms", budget: .absoluteAtMost(100))

    let evicting = try await evictions(of: answer, in: directory)
    report.row(
        "answer of 100 rows stored into a full cache, where one of 100 lists goes, against room",
        ours: evicting.ours, plain: evicting.plain, budget: .atMost(2))
}

/// Opening a store, and taking it into use; each is closed before the next is opened.
private func openings(of directories: [URL]) async throws -> [Figures] {
    var open: OfflineStore?
    defer { open?.close() }
    return try await inTurn(
        rounds: 100,
        before: {
            open?.close()
            open = nil
        },
        directories.map { directory in
            {
                open = try OfflineStore(
                    LMDBStorage(in: directory, keyspaces: Keyspace.all), cacheSize: 100 << 20,
                    runtime: .live())
            }
        })
}

/// Storing a new list, where the oldest must go for it and where there is room.
private func evictions(
    of answer: Bytes, in directory: URL
) async throws -> (ours: Figures, plain: Figures) {
    let full = try Device(
        in: directory.appending(path: "full"), cacheSize: .bytes(100 * answer.count))
    let roomy = try Device(in: directory.appending(path: "roomy"))
    for device in [full, roomy] { try await device.fill(0..<100, answer: answer) }
    var next = (full: 100, roomy: 100)
    let times = try await interleaved(rounds: 200) {
        next.full += 1
        try await full.store(next.full, answer: answer)
    } plain: {
        next.roomy += 1
        try await roomy.store(next.roomy, answer: answer)
    }
    for device in [full, roomy] { await device.client.close() }
    return times
}
