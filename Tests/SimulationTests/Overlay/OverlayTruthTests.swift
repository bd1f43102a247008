import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

/// Random lists and writes, against the table on the server.
@Suite("An overlay, foretelling the server's answer", .timeLimit(.minutes(5)))
struct OverlayTruthTests {
    /// How many cases there are: a hundred thousand, of a few writes each.
    #if THREAD_SANITIZER
    static let cases = 2_000
    #else
    static let cases = 100_000
    #endif

    @Test func `is right, or says that it is stale`() async throws {
        let start = UInt64.random(in: .min...UInt64.max / 2)
        let (faults, stale) = try await onOwnThread {
            var (faults, stale): ([String], Int) = ([], 0)
            for seed in start..<start + UInt64(Self.cases) {
                let outcome = try run(seed, keys: 6, writes: 4)
                if let fault = outcome.fault { faults.append("seed \(seed): \(fault)") }
                if outcome.isStale { stale += 1 }
            }
            return (faults, stale)
        }
        #expect(faults.prefix(3).isEmpty)
        // It would be worth nothing if it never knew. Half of these writes name no row.
        #expect(stale < Self.cases * 3 / 4)
    }

    @Test(arguments: [1, 10, 100, 1_000])
    func `is right over long batches on few rows`(_ writes: Int) async throws {
        let start = UInt64.random(in: .min...UInt64.max / 2)
        // Of rows that are named by their keys it knows nearly always.
        let outcomes = try await onOwnThread {
            try (start..<start + 40).map { seed in
                (seed, try run(seed, keys: 20, writes: writes, isPinned: true))
            }
        }
        for (seed, outcome) in outcomes {
            if let fault = outcome.fault { Issue.record("seed \(seed): \(fault)") }
        }
        #expect(outcomes.contains { !$0.1.isStale })
    }

    private func run(
        _ seed: UInt64, keys: Int, writes count: Int, isPinned: Bool = false
    ) throws -> (fault: String?, isStale: Bool) {
        var source = SampleSource(seed: seed, keys: keys)
        let before = source.table()
        let condition = source.condition()
        let selection = source.selection()
        func shown(_ row: SampleRow) -> SampleRow {
            selection.map { names in row.filter { names.contains($0.key) } } ?? row
        }
        let knowsOthers = source.flip()
        let list = ListOverlay(
            condition: condition.condition(),
            selection: selection.map { names in
                RowSelection(
                    isWhole: false, columns: names.map { .init(Bytes(String($0).utf8)) })
            } ?? .all,
            keys: KeyColumns(["i"]),
            knownRow: { key in
                guard knowsOthers else { return nil }
                return before.rows.first { SampleSpelling.number.key($0["i"] ?? 0) == key }?
                    .columns()
            })
        var table = before
        var writes: [SampleWrite] = []
        for _ in 0..<count {
            let write = source.write(to: table, isPinned: isPinned)
            writes.append(write)
            table.apply(write)
        }
        let server = before.rows.filter(condition.isTrue).map(shown)
        let body = Bytes("[\(server.map { $0.json() }.joined(separator: ","))]".utf8)
        let directory = try RowDirectory(scanning: body.span, columns: list.keys)
        let result = list.applying(writes.map { $0.write() }, to: body.span, directory)
        guard !result.isStale else { return (nil, true) }
        let text = result.body ?? body
        let rows = try self.rows(of: text)
        let truth = table.rows.filter(condition.isTrue).map(shown)
        let story = "\(condition) over \(before.rows), \(writes)"
        let keysFound = rows.compactMap { $0["i"] }.sorted()
        guard keysFound == truth.compactMap({ $0["i"] }).sorted() else {
            return ("\(rows) instead of \(truth): \(story)", false)
        }
        for row in rows {
            let real = truth.first { $0["i"] == row["i"] } ?? [:]
            // Of a row of the user's own, what the server fills in isn't known.
            guard row.allSatisfy({ real[$0.key] == $0.value }) else {
                return ("\(row) instead of \(real): \(story)", false)
            }
        }
        return (nil, false)
    }

    private func rows(of body: Bytes) throws -> [SampleRow] {
        let directory = try RowDirectory(scanning: body.span, columns: KeyColumns(["i"]))
        return (0..<directory.count).map { SampleRow(parsing: body.span.extracting(directory[$0])) }
    }
}
