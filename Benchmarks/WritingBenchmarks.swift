import Foundation
import OfflineCore
import OfflineTesting
import TestSupport

/// Writes that are sent at once, and what they make of the lists.
func writingBenchmarks(_ report: inout Report) async throws {
    try await withDirectory { directory in try await readsBesideWrites(&report, in: directory) }
    try await withDirectory { directory in try await sweepWrittenLists(&report, in: directory) }
}

/// Reads of a list while 1,000 writes to another table are remembered.
///
/// They are for as long as a read of that table is out, so one is held back.
private func readsBesideWrites(_ report: inout Report, in directory: URL) async throws {
    let answer = Bytes(sampleList(rows: 1_000))
    let quiet = try Device(in: directory.appending(path: "quiet"))
    let busy = try Device(in: directory.appending(path: "busy"))
    for device in [quiet, busy] { try await device.store(0, answer: answer) }
    let gate = Gate()
    let read = await busy.holdRead(of: "notes", gate)
    for number in 0..<1_000 { try await busy.update(number, of: "notes", answer: nil) }
    let (reading, besides) = (busy.list(0), quiet.list(0))
    let times = try await interleaved(rounds: 500) {
        use(try await reading.execute())
    } plain: {
        use(try await besides.execute())
    }
    report.row(
        "list of 1,000 rows from the device with 1,000 writes remembered of another table, against none",
        ours: times.ours, plain: times.plain, budget: .atMost(1.2))
    let fetching = try await interleaved(rounds: 100) {
        try await busy.fetch(0, answer: answer)
    } plain: {
        try await quiet.fetch(0, answer: answer)
    }
    report.row(
        "the same from the network", ours: fetching.ours, plain: fetching.plain,
        budget: .atMost(1.2))
    gate.open()
    _ = await read.value
    for device in [quiet, busy] { await device.client.close() }
}

/// An update of one row that the server returns, among more and more lists.
private func sweepWrittenLists(_ report: inout Report, in directory: URL) async throws {
    let counts = [1, 10, 100, 500]
    let answer = Bytes(sampleList(rows: 100))
    let row = String(decoding: sampleList(rows: 1), as: UTF8.self)
    let without = Bytes(
        "[\(row.dropFirst().dropLast().replacing("\"id\":0", with: "\"id\":-1"))]".utf8)
    for table in ["notes", "tasks"] {
        var devices: [Device] = []
        for count in counts {
            let device = try Device(in: directory.appending(path: "\(table)-\(count)"))
            try await device.store(0, answer: answer)
            try await device.fill(
                1..<count, of: table, answer: table == "tasks" ? without : answer)
            devices.append(device)
        }
        let figures = try await inTurn(
            rounds: 50,
            devices.map { device -> () async throws -> Void in
                { try await device.update(0, of: "tasks", answer: row) }
            })
        for device in devices { await device.client.close() }
        guard table == "tasks" else {
            report.sweep(
                "update of one row, put into the lists, among", counts,
                "lists of which one is of its table", figures, against: .smallest)
            continue
        }
        report.sweep(
            "update of one row, put into the lists, each list of", counts,
            "of its table, of which one holds it",
            zip(counts, figures).map { count, figures in figures.converted { $0 / Double(count) } },
            against: .next)
    }
}
