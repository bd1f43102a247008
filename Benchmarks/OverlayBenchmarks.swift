import Foundation
import OfflineCore

/// Writes laid over lists, as every read of a table with queued writes does it.
func overlayBenchmarks(_ report: inout Report) async throws {
    let list = try OverlaidSample(rows: 1_000)
    let writes = try (0..<100).map { try list.mixedWrite($0) }
    let data = Data(list.body)
    let decoder = JSONDecoder()
    let name = "100 writes laid over a list of 1,000 rows (\(list.body.count / 1_000) KB)"
    let ours = try await interleaved(rounds: 300) {
        use(list.applying(writes))
    } plain: {
        use(try RowDecoder().decode([PlainRow].self, from: list.body))
    }
    report.row(
        name + ", against decoding it", ours: ours.ours, plain: ours.plain, budget: .atMost(0.25))
    let foundation = try await interleaved(rounds: 100) {
        use(list.applying(writes))
    } plain: {
        use(try decoder.decode([PlainRow].self, from: data))
    }
    report.row(
        name + ", against JSONDecoder", ours: foundation.ours, plain: foundation.plain,
        budget: .atMost(0.25))
    try await sweepOverlaidRows(&report)
    try await sweepWrites(&report)
}

/// Lists of more and more rows; what is compared is the time for each row.
private func sweepOverlaidRows(_ report: inout Report) async throws {
    let counts = [100, 1_000, 10_000]
    let lists = try counts.map { try OverlaidSample(rows: $0) }
    func sweep(
        _ name: String, _ write: (OverlaidSample, _ number: Int) throws -> SampleWrite, count: Int
    ) async throws {
        let works = try lists.map { list -> () async throws -> Void in
            let writes = try (0..<count).map { try write(list, $0) }
            return { use(list.applying(writes)) }
        }
        let times = try await inTurn(rounds: 100, works)
        report.sweep(
            name + ", each row of", counts, "rows",
            zip(counts, times).map { count, times in times.converted { 1_000 * $0 / Double(count) }
            },
            unit: "ns", against: .next)
    }
    try await sweep("100 writes to named rows", { try $0.mixedWrite($1) }, count: 100)
    try await sweep("10 updates that name no row", { try $0.searchingUpdate($1) }, count: 10)
}

/// More and more writes; what is compared is the time for each write beyond the first.
private func sweepWrites(_ report: inout Report) async throws {
    let counts = [1, 10, 100, 1_000]
    let list = try OverlaidSample(rows: 1_000)
    let times = try await inTurn(
        rounds: 100,
        counts.map { count -> () async throws -> Void in
            let writes = try (0..<count).map { try list.mixedWrite($0) }
            return { use(list.applying(writes)) }
        })
    report.sweep(
        "writes to named rows of a list of 1,000, each of", counts, "writes",
        zip(counts, times).map { count, times in times.converted { $0 / Double(count) } },
        against: .next)
}

/// A list of sample rows, and writes to its table as they wait in a queue.
private struct OverlaidSample: Sendable {
    let body: Bytes
    private let count: Int
    private let directory: RowDirectory
    private let facts = TableFacts()
    private let filter = parsed("priority", "lte.4")

    init(rows count: Int) throws {
        let body = Bytes(sampleList(rows: count))
        directory = try RowDirectory(scanning: body.span, columns: facts.keys)
        self.body = body
        self.count = count
    }

    /// Makes conditions of the filters of the list and of the writes, and lays the writes over the list.
    func applying(_ writes: [SampleWrite]) -> OverlaidList {
        var reader = ConditionReader(facts, .all, body: body, directory)
        let list = ListOverlay(
            condition: reader.condition(filter), keys: facts.keys)
        let rowWrites = writes.map { write -> RowWrite in
            switch write {
            case .put(let write): write
            case .update(let columns, let filter):
                .update(columns, reader.condition(filter))
            case .delete(let filter): .delete(reader.condition(filter))
            }
        }
        return list.applying(rowWrites, to: body.span, directory)
    }

    /// Of ten writes, five updates and two upserts of rows that are there, two inserts and a delete.
    ///
    /// Updates change what the list's filter reads, so that it has to be asked again.
    func mixedWrite(_ number: Int) throws -> SampleWrite {
        // Far apart, and now and then the same.
        let id = number * 617 % count
        switch number % 10 {
        case 0..<5:
            return .update(
                try columns(#"{"title":"Changed \#(number)","priority":\#(number % 5)}"#),
                parsed("id", "eq.\(id)"))
        case 5, 6:
            return .put(
                .upsert([try row(number, id: id)], conflict: nil, ignoresDuplicates: false))
        case 7, 8: return .put(.insert([try row(number, id: count + number)]))
        default: return .delete(parsed("id", "eq.\(id)"))
        }
    }

    /// An update of one row, which it describes by something else than its key.
    func searchingUpdate(_ number: Int) throws -> SampleWrite {
        let position = Double(number * 617 % count) + 0.5
        return .update(
            try columns(#"{"title":"Changed \#(number)","priority":\#(number % 5)}"#),
            parsed("position", "eq.\(position)"))
    }

    private func row(_ number: Int, id: Int) throws -> RowColumns {
        try columns(
            """
            {"id":\(id),"title":"Written \(number)","notes":"by hand","is_done":false,\
            "priority":\(number % 5),"position":\(id),"created_at":"2026-03-04T05:06:07.123456+00:00"}
            """)
    }
}

/// A write as a queue has it, whose filters are read, and not yet conditions on a list's rows.
private enum SampleWrite: Sendable {
    case put(RowWrite)
    case update(RowColumns, ParsedFilter)
    case delete(ParsedFilter)
}

private func columns(_ json: String) throws -> RowColumns {
    guard let columns = try RowColumns(Bytes(json.utf8).span) else {
        throw CocoaError(.coderReadCorrupt)
    }
    return columns
}

private func parsed(_ column: String, _ test: String) -> ParsedFilter {
    var request = PostgrestRequest(.table("tasks"), schema: "public", method: "GET")
    request.append(column, test)
    return ParsedFilter(of: request.items)
}
