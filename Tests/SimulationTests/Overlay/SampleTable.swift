import OfflineTesting

@testable import OfflineCore

/// A table on the server, the truth that an overlay foretells.
struct SampleTable {
    /// By key, in the order of their coming.
    private(set) var rows: [SampleRow]

    init(_ rows: [SampleRow]) { self.rows = rows }

    /// What a column has that a new row doesn't name.
    private static let defaults: SampleRow = ["a": 0, "b": 1, "c": 2]

    mutating func apply(_ write: SampleWrite) {
        switch write {
        case .insert(let new):
            for row in new where index(of: row) == nil { add(row) }
        case .upsert(let new, _, let ignoresDuplicates):
            for row in new {
                guard let index = index(of: row) else {
                    add(row)
                    continue
                }
                if !ignoresDuplicates { rows[index].merge(row) { $1 } }
            }
        case .update(let columns, let condition):
            for index in rows.indices where condition.isTrue(for: rows[index]) {
                rows[index].merge(columns) { $1 }
            }
        case .delete(let condition): rows.removeAll { condition.isTrue(for: $0) }
        }
    }

    func holds(key: Int) -> Bool { rows.contains { $0["i"] == key } }

    private func index(of row: SampleRow) -> Int? { rows.firstIndex { $0["i"] == row["i"] } }

    private mutating func add(_ row: SampleRow) {
        rows.append(row.merging(Self.defaults) { own, _ in own })
    }
}

/// Draws tables, lists and writes.
struct SampleSource {
    var random: SplitMix64
    let keys: Int

    init(seed: UInt64, keys: Int) {
        random = SplitMix64(seed: seed)
        self.keys = keys
    }

    mutating func table() -> SampleTable {
        SampleTable(
            (0..<keys).filter { _ in flip() }.map { key in
                ["i": key, "a": draw(3), "b": draw(3), "c": draw(3)]
            })
    }

    mutating func condition(depth: Int = 2) -> SampleCondition {
        let column = Character(["a", "b", "c"][draw(3)])
        switch draw(depth > 0 ? 8 : 6) {
        case 0: return .everything
        case 1, 2: return .equals(column, draw(3))
        case 3: return .isAtLeast(column, draw(3))
        case 4: return .isAnyOf((0...draw(3)).map { _ in draw(keys) })
        case 5: return draw(4) == 0 ? .isEven(column) : .equals("i", draw(keys))
        default: return .both(condition(depth: depth - 1), condition(depth: depth - 1))
        }
    }

    /// A write that the server would take in the state of a table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - isPinned: Whether it names its rows by their keys.
    /// - Returns: The write.
    mutating func write(to table: SampleTable, isPinned: Bool = false) -> SampleWrite {
        switch draw(6) {
        case 0:
            let new = (0..<keys).filter { !table.holds(key: $0) }
            guard let key = new.randomElement(using: &random) else {
                return .delete(.equals("i", draw(keys)))
            }
            return .insert([payload().merging(["i": key]) { $1 }])
        case 1:
            let row = payload().merging(["i": draw(keys)]) { $1 }
            return .upsert([row], ignoresDuplicates: !isPinned && draw(4) == 0)
        case 2: return .delete(isPinned ? .equals("i", draw(keys)) : condition())
        default:
            return .update(
                payload(), isPinned || flip() ? .equals("i", draw(keys)) : condition())
        }
    }

    /// Columns beside the key.
    private mutating func payload() -> SampleRow {
        var row = SampleRow()
        for column: Character in ["a", "b", "c"] where flip() { row[column] = draw(3) }
        return row.isEmpty ? ["a": draw(3)] : row
    }

    mutating func selection() -> Set<Character>? {
        switch draw(4) {
        case 0, 1: nil
        case 2: ["i", "a"]
        default: ["i", "b", "c"]
        }
    }

    mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func flip() -> Bool { Bool.random(using: &random) }
}
