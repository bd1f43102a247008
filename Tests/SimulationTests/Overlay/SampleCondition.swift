@testable import OfflineCore

/// Columns of small numbers, by names of one letter; `i` is the key, and what is below zero is null.
typealias SampleRow = [Character: Int]

/// A condition whose truth the server knows, and of which the device can decide most.
indirect enum SampleCondition: Sendable, CustomStringConvertible {
    case everything
    case equals(Character, Int)
    case isAtLeast(Character, Int)
    case isAnyOf([Int])
    /// Whether a column is even, which the device can't find out.
    case isEven(Character)
    case both(SampleCondition, SampleCondition)

    /// What the server finds for a whole row.
    func isTrue(for row: SampleRow) -> Bool {
        switch self {
        case .everything: true
        case .equals(let column, let value): row[column] == value
        case .isAtLeast(let column, let value): (row[column] ?? 0) >= value
        case .isAnyOf(let keys): keys.contains(row["i"] ?? 0)
        case .isEven(let column): (row[column] ?? 0).isMultiple(of: 2)
        case .both(let left, let right): left.isTrue(for: row) && right.isTrue(for: row)
        }
    }

    /// What the device finds for the columns that it knows.
    func verdict(for row: SampleRow) -> Verdict {
        switch self {
        case .everything: return .kept
        case .equals(let column, let value):
            return row[column].map { $0 == value ? .kept : .excluded } ?? .undecidable
        case .isAtLeast(let column, let value):
            return row[column].map { $0 >= value ? .kept : .excluded } ?? .undecidable
        case .isAnyOf(let keys):
            return row["i"].map { keys.contains($0) ? .kept : .excluded } ?? .undecidable
        case .isEven: return .undecidable
        case .both(let left, let right):
            let verdicts = [left.verdict(for: row), right.verdict(for: row)]
            if verdicts.contains(.excluded) { return .excluded }
            return verdicts.contains(.undecidable) ? .undecidable : .kept
        }
    }

    var columns: Set<Character> {
        switch self {
        case .everything: []
        case .equals(let column, _), .isAtLeast(let column, _), .isEven(let column): [column]
        case .isAnyOf: ["i"]
        case .both(let left, let right): left.columns.union(right.columns)
        }
    }

    /// The keys that a row must have one of; nil if others can be kept too.
    var keys: [Int]? {
        switch self {
        case .isAnyOf(let keys): keys
        case .equals("i", let key): [key]
        case .both(let left, let right): left.keys ?? right.keys
        case .everything, .equals, .isAtLeast, .isEven: nil
        }
    }

    func condition(_ spelling: SampleSpelling = .number) -> RowCondition {
        RowCondition(
            columns: Set(columns.map { Bytes(String($0).utf8) }),
            keys: keys?.compactMap(spelling.key)
        ) { verdict(for: SampleRow(parsing: $0)) }
    }

    var description: String {
        switch self {
        case .everything: "true"
        case .equals(let column, let value): "\(column)=\(value)"
        case .isAtLeast(let column, let value): "\(column)>=\(value)"
        case .isAnyOf(let keys): "i in \(keys)"
        case .isEven(let column): "even(\(column))"
        case .both(let left, let right): "(\(left) and \(right))"
        }
    }
}

/// A write to a table of samples.
enum SampleWrite {
    case insert([SampleRow])
    /// The columns of the conflict are nil for the key.
    case upsert([SampleRow], conflict: [Character]? = nil, ignoresDuplicates: Bool)
    case update(SampleRow, SampleCondition)
    case delete(SampleCondition)

    func write(_ spelling: SampleSpelling = .number) -> RowWrite {
        switch self {
        case .insert(let rows): .insert(rows.map { $0.columns(spelling) })
        case .upsert(let rows, let conflict, let ignoresDuplicates):
            .upsert(
                rows.map { $0.columns(spelling) },
                conflict: conflict.map { KeyColumns($0.map { String($0) }) },
                ignoresDuplicates: ignoresDuplicates)
        case .update(let row, let condition):
            .update(row.columns(spelling), condition.condition(spelling))
        case .delete(let condition): .delete(condition.condition(spelling))
        }
    }
}
