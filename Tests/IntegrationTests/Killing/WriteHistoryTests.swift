import Foundation
import TestSupport
import Testing
import WriteHistory

/// What the tests of killed processes find wrong.
@Suite("A history of writes")
struct WriteHistoryTests {
    private let row = WrittenRow(table: "t", key: "1")

    /// `i1 u2? d3`: an insert, an update that was not acknowledged, and a delete.
    private func history(_ text: String) -> WriteHistory {
        WriteHistory(
            steps(text).flatMap { kind, number, isCertain in
                let entry = HistoryEntry(number, row, kind, isAcknowledged: false)
                return isCertain
                    ? [entry, HistoryEntry(number, row, kind, isAcknowledged: true)] : [entry]
            })
    }

    private func steps(_ text: String) -> [(WrittenKind, Int, isCertain: Bool)] {
        text.split(separator: " ").map { step in
            let kind: WrittenKind =
                step.hasPrefix("i") ? .insert : step.hasPrefix("u") ? .update : .delete
            let number = Int(step.filter(\.isNumber)) ?? 0
            return (kind, number, !step.hasSuffix("?"))
        }
    }

    private func faults(_ written: String, _ happened: String, _ found: Int?) -> [String] {
        history(written).faults(
            found.map { [row: $0] } ?? [:],
            steps(happened).map { ServerEvent(row, $0.0, $0.1) })
    }

    @Test(
        arguments: [
            ("i1", "i1", 1), ("i1?", "", nil), ("i1?", "i1", 1), ("i1 u2 u3", "i1 u3", 3),
            ("i1 u2 u3?", "i1 u2", 2), ("i1 u2 u3?", "i1 u3", 3), ("i1 u2", "i1 u2 u2", 2),
            ("i1 u2 d3", "i1 u2 d2", nil), ("i1 d2?", "i1", 1), ("i1? u2 d3", "", nil),
            ("i1 u2? u3", "i1 u2 u3", 3),
        ] as [(String, String, Int?)])
    func `is content with what may have come of it`(
        _ written: String, _ happened: String, _ found: Int?
    ) {
        #expect(faults(written, happened, found) == [])
    }

    @Test(
        arguments: [
            // Lost: an insert, an update before another kind, the last update, a delete.
            ("i1", "", nil), ("i1 u2 d3", "i1 d1", nil), ("i1 u2", "i1", 1), ("i1 d2", "i1", 1),
            ("i1? u2", "i1", 1),
            // Doubled.
            ("i1", "i1 i1", 1), ("i1 d2", "i1 d1 i1", 1), ("i1 u2 d3", "i1 u2 d2 u2", 2),
            // Out of order.
            ("i1 u2 u3", "i1 u3 u2", 2), ("i1 u2 u3", "u2 i1 u3", 3),
            // Nobody's.
            ("", "i1", 1), ("i1", "i1 u7", 7), ("i1", "i1", 2), ("i1", "i1", nil),
        ] as [(String, String, Int?)])
    func `finds what was lost, doubled or turned round`(
        _ written: String, _ happened: String, _ found: Int?
    ) {
        #expect(faults(written, happened, found) != [])
    }

    @Test func `finds a row that was written by halves`() {
        let half = ServerEvent(row, .insert, 1, isWhole: false)
        #expect(history("i1").faults([row: 1], [half]) != [])
    }

    @Test func `is read from a file whose last line a kill has cut`() async throws {
        try await withDirectory { directory in
            let path = directory.appending(path: "history").systemPath
            let first = HistoryEntry(1, row, .insert, isAcknowledged: false)
            try HistoryFile(path).append(first)
            let line = try Data(contentsOf: URL(filePath: path))
            try (line + line.dropLast(4)).write(to: URL(filePath: path))
            try HistoryFile(path).append(HistoryEntry(2, row, .update, isAcknowledged: false))
            let entries = try HistoryFile.entries(path)
            #expect(entries.map(\.number) == [1, 2])
        }
    }
}
