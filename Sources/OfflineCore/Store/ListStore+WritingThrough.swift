extension ListStore {
    /// Puts accepted writes into the lists that an identity has, and does what belongs to that.
    ///
    /// Lists of the table take the rows, or are marked stale where they can't follow; lists that have
    /// rows of the table beside their own are marked stale.
    ///
    /// - Parameters:
    ///   - writes: The writes, in the order in which they were accepted.
    ///   - identity: Whose writes they were.
    ///   - number: The number of the acceptance: lists that answer later requests have it in them.
    ///   - tables: Which tables the app names, so that they are known to be some.
    ///   - ends: The writes that leave the queue in the same transaction.
    ///   - time: The time.
    /// - Throws: ``StorageError``; nothing is changed then.
    /// - Complexity: O(*n*) in the bytes of the table's lists that hold one of a write's rows or take
    ///   one, and O(log *n*) in the rows of each other.
    package func writeThrough(
        _ writes: [AcceptedWrite], of identity: Identity, acceptedAs number: UInt64,
        _ tables: Set<ListKey.Table>,
        ending ends: [QueueEnd] = [], at time: Timestamp = Timestamp(microseconds: 0)
    ) async throws(StorageError) {
        let reached = writes.map { ($0, WriteReach($0)) }
        try await writer.write { transaction throws(StorageError) in
            try transaction.end(ends, of: identity.name, at: time)
            guard let identity = try Identity.number(of: identity.name, in: transaction) else {
                return
            }
            for (write, reach) in reached {
                try transaction.writeThrough(
                    write, reach, of: identity, acceptedAs: number, tables)
            }
            if let limit { try transaction.evict(downTo: limit, sparing: []) }
        }
    }
}

/// A list's record, and where it is.
private struct ListEntry {
    let place: Bytes
    let record: ListRecord
}

extension WriteTransaction {
    fileprivate mutating func writeThrough(
        _ write: AcceptedWrite, _ reach: WriteReach?, of identity: UInt32,
        acceptedAs number: UInt64, _ tables: Set<ListKey.Table>
    ) throws(StorageError) {
        guard !write.isVoid else { return }
        let prefix = KeyLayout.lists(of: write.table, identity)
        for list in try lists(under: prefix) where list.record.sequence < number {
            let key = ListKey(kept: list.record.key)
            guard key.table == write.table, try isReached(list.place, key, by: reach) else {
                continue
            }
            try fold(write, into: list)
        }
        guard !write.hasNoRows else { return }
        for list in try lists(embedding: write, of: identity, tables)
        where list.record.sequence < number {
            try markStale(list.record, at: list.place)
        }
    }

    /// Whether a write can make a difference to a list, as far as that is seen without its rows.
    fileprivate func isReached(
        _ place: Bytes, _ key: ListKey, by reach: WriteReach?
    ) throws(StorageError) -> Bool {
        guard let reach else { return true }
        let isHeld = try value(forKey: place.span, in: .rows) { stored in
            guard let stored else { return true }
            return reach.mayBeHeld(in: stored)
        }
        return isHeld || reach.mayBeTaken(by: ListQuery(key))
    }

    fileprivate mutating func fold(
        _ write: AcceptedWrite, into list: ListEntry
    ) throws(StorageError) {
        var record = list.record
        guard let body = try value(list.place, in: .bodies), body.count == record.length,
            let stored = try value(list.place, in: .rows),
            let directory = try? RowDirectory(decoding: stored.span)
        else {
            // Damaged: whoever reads it finds that out, and the next answer replaces it.
            return try markStale(record, at: list.place)
        }
        let folded = ListFold(ListKey(kept: record.key), write.facts).folding(
            [write], into: FoldedList(body: body, ownRows: record.ownRows), directory)
        guard folded.isChanged || folded.isStale else { return }
        if folded.isChanged {
            guard
                let changed = try? RowDirectory(
                    scanning: folded.body.span, columns: write.facts.keys)
            else { return try markStale(record, at: list.place) }
            try replaceRows(by: folded.body, changed.encoded, &record, at: list.place)
            record.ownRows = folded.ownRows
        }
        if folded.isStale { record.marks.insert(.stale) }
        try set(record.bytes, list.place, in: .lists)
    }

    /// The lists whose keys begin alike; those that can't be read are left out.
    fileprivate func lists(under prefix: Bytes) throws(StorageError) -> [ListEntry] {
        var lists: [ListEntry] = []
        try scan(prefix, in: .lists) { key, value in
            let place = Bytes(copying: key)
            if let record = (try? ListRecord(Bytes(copying: value))) ?? nil {
                lists.append(ListEntry(place: place, record: record))
            }
            return .next
        }
        return lists
    }

    /// An identity's lists that have rows of a table beside their own, or may have.
    ///
    /// A request can name a table that it embeds by a column that refers to it, or by a constraint. A
    /// name that is no table's, as far as the device knows, may therefore stand for any. And a table
    /// whose key has several columns may be one that only connects two others, which no request names.
    fileprivate func lists(
        embedding write: AcceptedWrite, of identity: UInt32, _ tables: Set<ListKey.Table>
    ) throws(StorageError) -> [ListEntry] {
        var places: [(place: Bytes, embeds: [String])] = []
        let prefix = KeyLayout.all(of: identity)
        try scan(prefix, in: .embedding) { key, value in
            places.append((Bytes(copying: key), ListRecord.embeds(from: Bytes(copying: value))))
            return .next
        }
        var lists: [ListEntry] = []
        for (place, embeds) in places {
            guard let record = (try? ListRecord(try value(place, in: .lists))) ?? nil else {
                continue
            }
            let schema = ListKey(kept: record.key).table.schema
            for name in embeds {
                let other = ListKey.Table(name, schema: schema)
                if other != write.table, write.facts.keyNames.count < 2 {
                    guard !tables.contains(other) else { continue }
                    guard try self.lists(under: KeyLayout.lists(of: other, identity)).isEmpty
                    else { continue }
                }
                lists.append(ListEntry(place: place, record: record))
                break
            }
        }
        return lists
    }
}

extension ListRecord {
    private static let separator = "\n"

    /// The tables whose rows the list has too, as they are kept; nil if there are none.
    var embeds: Bytes? {
        let names = ListQuery(ListKey(kept: key)).relations
        return names.isEmpty
            ? nil : Bytes(names.sorted().joined(separator: Self.separator).utf8)
    }

    fileprivate static func embeds(from bytes: Bytes) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: separator).map(String.init)
    }
}
