import Foundation
import OfflineCore
import TestSupport

/// Lists of more and more rows; what is compared is the time for each row.
func sweepRows(_ report: inout Report, in directory: URL) async throws {
    let counts = [10, 100, 1_000, 10_000]
    let answers = counts.map { Bytes(sampleList(rows: $0)) }
    let device = try Device(in: directory.appending(path: "ours"))
    for (count, answer) in zip(counts, answers) { try await device.store(count, answer: answer) }
    func perRow(_ times: [Figures]) -> [Figures] {
        zip(counts, times).map { count, times in times.converted { 1_000 * $0 / Double(count) } }
    }

    let requests = counts.map { device.list($0) }
    // Pays for what a long list leaves behind in the allocator, which its own time doesn't show.
    let tidyUp = { use(try await requests[0].execute([PlainRow].self)) }
    let reads = try await inTurn(
        rounds: 200, before: tidyUp,
        requests.map { request in { use(try await request.execute()) } })
    report.sweep(
        "list from the device as bytes, each row of", counts, "rows", perRow(reads), unit: "ns",
        against: .next)
    let decoded = try await inTurn(
        rounds: 40, warmup: 5, before: tidyUp,
        requests.map { request in { use(try await request.execute([PlainRow].self)) } })
    report.sweep(
        "list from the device decoded, each row of", counts, "rows", perRow(decoded), unit: "ns",
        against: .next)
    let stores = try await inTurn(
        rounds: 100,
        zip(counts, answers).map { count, answer in
            { try await device.store(count, answer: answer) }
        })
    report.sweep(
        "answer read and stored, each row of", counts, "rows", perRow(stores), unit: "ns",
        against: .next)

    let lmdb = try PlainLMDB(in: directory.appending(path: "plain"))
    try lmdb.put(Array(answers[3]), forKey: 1)
    let decoder = JSONDecoder()
    let long = try await interleaved(rounds: 40, warmup: 5) {
        use(try await requests[3].execute([PlainRow].self))
    } plain: {
        use(try decoder.decode([PlainRow].self, from: Data(lmdb.get(1))))
    }
    report.row(
        "list of 10,000 rows from the device decoded, against LMDB get and JSONDecoder",
        ours: long.ours.converted { $0 / 1_000 }, plain: long.plain.converted { $0 / 1_000 },
        unit: "ms", budget: .absoluteAtMost(50))
    await device.client.close()
}
