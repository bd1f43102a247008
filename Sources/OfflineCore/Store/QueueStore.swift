package import FoundationEssentials

/// The writes that the server has not answered for good, by identity and in their order; those that
/// were rejected; and what became of the others.
package struct QueueStore: Sendable {
    let storage: any Storage
    let writer: StoreWriter
    let unreadable: UnreadableWrites
    let unsentChanges = UnsentChanges()

    /// How many writes an identity has in the queue, and how many that were rejected.
    ///
    /// - Complexity: O(*n*) in their number.
    package func counts(of identity: Identity) throws(StorageError) -> QueueCounts {
        try storage.read { transaction throws(StorageError) in
            guard let number = try identity.number(in: transaction) else { return QueueCounts() }
            return QueueCounts(
                pending: try transaction.count(.queue, of: number),
                rejected: try transaction.count(.rejected, of: number))
        }
    }

    /// An identity's writes in the queue, the first of them first.
    ///
    /// - Parameters:
    ///   - identity: Whose.
    ///   - limit: How many at most.
    ///   - sequence: The writes behind this one.
    /// - Returns: The writes. One that can't be read is left out, and where it is.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(*k*) in the number of writes that are returned.
    package func pending(
        of identity: Identity, limit: Int = .max, after sequence: UInt64 = 0
    ) throws(StorageError) -> [QueueEntry] {
        var entries: [QueueEntry] = []
        guard limit > 0 else { return [] }
        try visit(of: identity, after: sequence) { entry in
            entries.append(entry)
            return entries.count < limit ? .next : .stop
        }
        return entries
    }

    /// Visits an identity's writes in the queue in their order, until `body` answers `.stop`.
    ///
    /// - Parameters:
    ///   - identity: Whose.
    ///   - sequence: The writes behind this one.
    ///   - body: Takes a write. One that can't be read is left out, and where it is.
    /// - Throws: ``StorageError``.
    package func visit(
        of identity: Identity, after sequence: UInt64 = 0, _ body: (QueueEntry) -> ScanStep
    ) throws(StorageError) {
        try storage.read { transaction throws(StorageError) in
            guard let number = try identity.number(in: transaction) else { return }
            try transaction.visitQueue(of: number, after: sequence, body) { error in
                unreadable.found(of: identity, error)
            }
        }
    }

    /// The sequence of an identity's last write in the queue; nil if there is none.
    package func last(of identity: Identity) throws(StorageError) -> UInt64? {
        try storage.read { transaction throws(StorageError) -> UInt64? in
            guard let number = try identity.number(in: transaction) else { return nil }
            return try transaction.lastNumber(KeyLayout.all(of: number), in: .queue)
        }
    }

    /// A write in the queue, by its id; nil if it is not there.
    ///
    /// - Complexity: O(*n*) in the number of writes.
    package func pending(
        _ id: UUID, of identity: Identity
    ) throws(StorageError) -> QueueEntry? {
        try pending(of: identity).first { $0.write.id == id }
    }

    /// An identity's rejected writes, in the order in which they were made.
    package func rejected(of identity: Identity) throws(StorageError) -> [RejectedEntry] {
        try storage.read { transaction throws(StorageError) in
            guard let number = try identity.number(in: transaction) else { return [] }
            var entries: [RejectedEntry] = []
            try transaction.scan(KeyLayout.all(of: number), in: .rejected) {
                key, value throws(StorageError) in
                let sequence = try KeyLayout.number(endOf: key)
                do throws(StorageError) {
                    entries.append(try RejectedEntry(sequence, Bytes(copying: value)))
                } catch {
                    unreadable.found(of: identity, error)
                }
                return .next
            }
            return entries
        }
    }

    /// What became of a write; nil if that isn't known, or not any more.
    ///
    /// - Parameters:
    ///   - id: The write.
    ///   - identity: Whose it was.
    ///   - time: The time.
    /// - Returns: The outcome.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(*n*) in the number of outcomes that are kept.
    package func outcome(
        of id: UUID, _ identity: Identity, at time: Timestamp
    ) throws(StorageError) -> MutationOutcome? {
        try storage.read { transaction throws(StorageError) in
            guard let number = try identity.number(in: transaction) else { return nil }
            var found: MutationOutcome?
            try transaction.scan(KeyLayout.all(of: number), in: .outcomes) { _, value in
                // The last one counts: a rejected write may have been tried again.
                if let record = try? OutcomeRecord(Bytes(copying: value)), record.id == id,
                    !record.isOld(at: time)
                {
                    found = record.outcome
                }
                return .next
            }
            return found
        }
    }

    /// How many writes each identity of a project has here, by its name.
    package func unsent() throws(StorageError) -> [(name: String, counts: QueueCounts)] {
        try storage.read { transaction throws(StorageError) in
            var all: [(String, QueueCounts)] = []
            for (number, name) in try transaction.identities().sorted(by: { $0.name < $1.name }) {
                let counts = QueueCounts(
                    pending: try transaction.count(.queue, of: number),
                    rejected: try transaction.count(.rejected, of: number))
                if counts != QueueCounts() { all.append((name, counts)) }
            }
            return all
        }
    }
}

/// How many writes there are.
package struct QueueCounts: Hashable, Sendable {
    package var pending = 0
    package var rejected = 0

    package init(pending: Int = 0, rejected: Int = 0) {
        self.pending = pending
        self.rejected = rejected
    }
}

extension ReadTransaction {
    fileprivate func visitQueue(
        of number: UInt32, after sequence: UInt64, _ body: (QueueEntry) -> ScanStep,
        foundUnreadable: (StorageError) -> Void
    ) throws(StorageError) {
        let prefix = KeyLayout.all(of: number)
        let start = KeyLayout.write(sequence + 1, of: number)
        try scan(from: start.span, in: .queue) { key, value throws(StorageError) in
            guard key.starts(with: prefix) else { return .stop }
            let sequence = try KeyLayout.number(endOf: key)
            let write: QueuedWrite
            do throws(StorageError) {
                write = try QueuedWrite(Bytes(copying: value))
            } catch {
                foundUnreadable(error)
                return .next
            }
            return body(QueueEntry(sequence, write))
        }
    }

    fileprivate func count(_ keyspace: Keyspace, of number: UInt32) throws(StorageError) -> Int {
        var count = 0
        try scan(KeyLayout.all(of: number), in: keyspace) { _, _ in
            count += 1
            return .next
        }
        return count
    }
}
