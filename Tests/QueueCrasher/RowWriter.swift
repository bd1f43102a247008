import Foundation
import OfflineTesting
import SupabaseOffline
import WriteHistory

/// Writes rows that nobody else writes, one write after the other.
struct RowWriter: Sendable {
    private let client: SupabaseOfflineClient
    private let history: HistoryFile
    private let numbers: Numbers
    private let tables: String
    private var random: SplitMix64
    /// The rows that are there, as far as this writer knows.
    private var rows: [WrittenRow]

    /// - Parameters:
    ///   - client: What it writes with.
    ///   - orders: What the process is to do.
    ///   - history: Where it notes what it writes.
    ///   - numbers: Numbers for its writes.
    ///   - past: What was written before; of the rows, this writer takes its share.
    ///   - index: Which of the writers it is.
    ///   - count: How many there are.
    init(
        _ client: SupabaseOfflineClient, _ orders: CrasherOrders, _ history: HistoryFile,
        _ numbers: Numbers, _ past: WriteHistory, index: Int, of count: Int
    ) {
        self.client = client
        self.history = history
        self.numbers = numbers
        tables = orders.tables
        random = SplitMix64(seed: orders.seed &+ UInt64(index))
        rows = past.rows
            .filter { $0.value[0].number % count == index && $0.value.last?.kind != .delete }
            .sorted { $0.value[0].number < $1.value[0].number }
            .map(\.key)
    }

    /// Makes so many writes.
    mutating func write(_ count: Int) async throws {
        for _ in 0..<count {
            let isKept = try await write()
            if isKept, chance(8) { try await client.syncPendingMutations() }
        }
    }

    /// Makes one write.
    ///
    /// - Returns: Whether it was kept, and not sent.
    private mutating func write() async throws -> Bool {
        let number = numbers.next()
        guard !rows.isEmpty, !chance(3) else { return try await insert(number) }
        // Of the newest rows, so that each gets several writes, often one right after the other.
        let newest = max(0, rows.count - 12)
        let index = chance(3) ? rows.count - 1 : Int.random(in: newest..<rows.count, using: &random)
        let row = rows[index]
        let table = client.from(row.table)
        if chance(5) {
            rows.remove(at: index)
            return try await run(number, row, .delete) {
                try await table.delete().eq("id", value: row.key).execute()
            }
        }
        let update = table.update(CrasherColumns(number)).eq("id", value: row.key)
        return try await run(number, row, .update) { try await update.execute() }
    }

    private mutating func insert(_ number: Int) async throws -> Bool {
        let table = CrasherTable.allCases[Int.random(in: 0...2, using: &random)]
        let key = key(of: table, number)
        let row = WrittenRow(table: table.name(tables), key: key)
        rows.append(row)
        let values = NewRow(
            id: table == .number ? Int(key).map { .integer($0) } ?? .null : .string(key),
            columns: CrasherColumns(number))
        let insert = client.from(row.table).insert(values)
        return try await run(number, row, .insert) { try await insert.execute() }
    }

    private func run(
        _ number: Int, _ row: WrittenRow, _ kind: WrittenKind,
        _ write: () async throws -> WriteOutcome<Void>
    ) async throws -> Bool {
        try history.append(HistoryEntry(number, row, kind, isAcknowledged: false))
        say(.begins)
        let outcome = try await write()
        try history.append(HistoryEntry(number, row, kind, isAcknowledged: true))
        say(.acknowledged)
        return outcome.mutation != nil
    }

    /// A key that no row has had.
    private mutating func key(of table: CrasherTable, _ number: Int) -> String {
        switch table {
        case .uuid:
            // Of version 4, as `UUID()` makes them, but drawn from the seed.
            let high = random.next() & ~0xF000 | 0x4000
            let low = random.next() >> 2 | 0x8000_0000_0000_0000
            return UUID(high: high, low: low).uuidString.lowercased()
        // More than a double holds.
        case .number: return "\((1 << 53) + 1 + number)"
        case .text:
            // Texts that filters have to quote, and different ones that are the same number.
            switch number % 6 {
            case 0: return "\(number)"
            case 1: return "0\(number - 1)"
            case 2: return "\(number - 2).0"
            case 3: return #"a,b.(\#(number)) "c\""#
            case 4: return "ü*%_\(number)"
            default: return " \(number) "
            }
        }
    }

    private mutating func chance(_ sides: Int) -> Bool {
        Int.random(in: 1...sides, using: &random) == 1
    }
}

/// A row as it is inserted.
private struct NewRow: Encodable {
    let id: JSONValue
    let columns: CrasherColumns

    private enum CodingKeys: CodingKey { case id }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try columns.encode(to: encoder)
    }
}
