import Synchronization

/// What the writes in the queue do to rows, understood once for each and not with every read.
final class UnsentChanges: Sendable {
    private struct Place: Hashable {
        /// The whole name.
        let identity: String
        let table: ListKey.Table
    }

    private typealias Known = [UInt64: (revision: UInt32, change: AcceptedWrite.Change?)]

    private let known = Lock<[Place: Known]>([:])

    /// What writes do, in their order.
    ///
    /// - Parameters:
    ///   - writes: The writes, by their places and the revisions that they have now.
    ///   - table: Their table.
    ///   - identity: Whose they are.
    ///   - read: Reads one of them; nil if it can't be understood, or does nothing to rows.
    /// - Returns: The changes.
    /// - Throws: What `read` throws.
    fileprivate func changes(
        of writes: [(sequence: UInt64, revision: UInt32)], to table: ListKey.Table,
        of identity: String,
        _ read: (UInt64) throws(StorageError) -> AcceptedWrite.Change?
    ) throws(StorageError) -> [AcceptedWrite.Change] {
        let place = Place(identity: identity, table: table)
        if writes.isEmpty {
            // So it mostly is, and was: then there is nothing to note.
            known.withLock { known in
                if known[place]?.isEmpty != true { known[place] = [:] }
            }
            return []
        }
        let before = known.withLock { $0[place] } ?? [:]
        // Those that have left the queue are forgotten.
        var now: Known = [:]
        for (sequence, revision) in writes {
            if let known = before[sequence], known.revision == revision {
                now[sequence] = known
            } else {
                now[sequence] = (revision, try read(sequence))
            }
        }
        let all = now
        known.withLock { $0[place] = all }
        return writes.compactMap { now[$0.sequence]?.change }
    }

    /// What the writes did when somebody last looked; nil if nobody has.
    func lastKnown(
        to table: ListKey.Table, of identity: Identity
    ) -> [AcceptedWrite.Change]? {
        let place = Place(identity: identity.name, table: table)
        return known.withLock { $0[place] }.map { known in
            known.sorted { $0.key < $1.key }.compactMap(\.value.change)
        }
    }
}

extension QueueStore {
    /// What an identity's writes in the queue do to a table, in their order.
    ///
    /// - Complexity: O(log *n*) in the number of writes to all tables, and O(*k*) in that of those to this
    ///   one.
    package func changes(
        to table: ListKey.Table, of identity: Identity, _ facts: TableFacts
    ) throws(StorageError) -> [AcceptedWrite.Change] {
        try storage.read { transaction throws(StorageError) in
            let name = identity.name
            guard let number = try Identity.number(of: name, in: transaction) else { return [] }
            return try transaction.changes(to: table, of: number, name, facts, unsentChanges)
        }
    }
}

extension ReadTransaction {
    /// What the writes in the queue do to a table, in their order.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - number: The number of the identity whose writes they are.
    ///   - name: The identity's whole name.
    ///   - facts: What is known of the table.
    ///   - unsent: What writes were found to do before.
    /// - Returns: The changes.
    /// - Throws: ``StorageError``.
    func changes(
        to table: ListKey.Table, of number: UInt32, _ name: String, _ facts: TableFacts,
        _ unsent: UnsentChanges
    ) throws(StorageError) -> [AcceptedWrite.Change] {
        var writes: [(sequence: UInt64, revision: UInt32)] = []
        try scan(KeyLayout.unsent(to: table, of: number), in: .unsent) {
            key, value throws(StorageError) in
            var reader = ByteReader(Bytes(copying: value))
            writes.append((try KeyLayout.number(endOf: key), try reader.integer()))
            return .next
        }
        return try unsent.changes(of: writes, to: table, of: name) {
            sequence throws(StorageError) in
            guard let record = try value(KeyLayout.write(sequence, of: number), in: .queue),
                // Told where the queue is sent.
                let write = try? QueuedWrite(record), write.table == table,
                let plan = try? PlannedWrite(write.request, facts)
            else { return nil }
            return plan.change
        }
    }
}
