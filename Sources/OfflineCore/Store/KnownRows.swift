import Synchronization

/// The rows of a table that lists on the device hold whole.
///
/// A write can name a row that a list doesn't hold and that comes into it by the write; another list may
/// know what the row is.
final class KnownRows: Sendable {
    private let storage: any Storage
    private let facts: TableFacts
    private let table: ListKey.Table
    private let identity: Identity
    /// Where the lists are that hold rows whole; nil until somebody has asked.
    private let places = Lock<[Bytes]?>(nil)

    init(
        _ storage: any Storage, _ table: ListKey.Table, _ facts: TableFacts, of identity: Identity
    ) {
        self.storage = storage
        self.facts = facts
        self.table = table
        self.identity = identity
    }

    /// All columns of the row with a key; nil if no list has them.
    ///
    /// - Complexity: O(*k* log *n*) in the number of the table's lists and of their rows.
    func row(_ key: RowKey) -> RowColumns? {
        // A store that can't be read knows no rows.
        guard let places = try? wholeLists() else { return nil }
        for place in places {
            if let row = (try? row(key, in: place)) ?? nil { return row }
        }
        return nil
    }

    private func wholeLists() throws(StorageError) -> [Bytes] {
        if let known = places.withLock({ $0 }) { return known }
        let found = try storage.read { transaction throws(StorageError) -> [Bytes] in
            guard let number = try identity.number(in: transaction) else { return [] }
            var found: [Bytes] = []
            try transaction.scan(KeyLayout.lists(of: table, number), in: .lists) { key, value in
                guard let record = (try? ListRecord(Bytes(copying: value))) ?? nil else {
                    return .next
                }
                let list = ListKey(kept: record.key)
                let selection = ListQuery(list).selection
                // A stale list may hold rows that are gone.
                if list.table == table, selection.isWhole, selection.isPlain,
                    !record.marks.contains(.stale)
                {
                    found.append(Bytes(copying: key))
                }
                return .next
            }
            return found
        }
        places.withLock { $0 = found }
        return found
    }

    private func row(_ key: RowKey, in place: Bytes) throws(StorageError) -> RowColumns? {
        try storage.read { transaction throws(StorageError) -> RowColumns? in
            let ranges = try transaction.value(forKey: place.span, in: .rows) {
                stored -> [Range<Int>] in
                guard let stored, let layout = try? RowDirectoryLayout(of: stored),
                    let rows = try? layout.rows(withHash: key.stableHash, in: stored)
                else { return [] }
                return rows.compactMap { try? layout.range(ofRow: $0, in: stored) }
            }
            guard !ranges.isEmpty else { return nil }
            return try transaction.value(forKey: place.span, in: .bodies) {
                body -> RowColumns? in
                guard let body else { return nil }
                for range in ranges where range.upperBound <= body.count {
                    guard let row = (try? RowColumns(body.extracting(range))) ?? nil,
                        row.key(facts.keys) == key
                    else { continue }
                    return row
                }
                return nil
            }
        }
    }
}
