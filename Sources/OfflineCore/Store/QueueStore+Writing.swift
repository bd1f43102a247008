/// How a write leaves the queue.
package struct QueueEnd: Sendable {
    package let entry: QueueEntry
    package let outcome: MutationOutcome
    /// Whether it goes to the rejected writes; if not, its caller was told.
    package let isKept: Bool

    package init(_ entry: QueueEntry, _ outcome: MutationOutcome, isKept: Bool = false) {
        self.entry = entry
        self.outcome = outcome
        self.isKept = isKept
    }
}

/// What an attempt has left of a write.
package struct AttemptNote: Sendable {
    package let sequence: UInt64
    package let isPerhapsSent: Bool
    package let failures: QueuedWrite.Failures
    package let refusal: PostgrestError?

    package init(
        _ sequence: UInt64, isPerhapsSent: Bool, _ failures: QueuedWrite.Failures,
        refusal: PostgrestError?
    ) {
        self.sequence = sequence
        self.isPerhapsSent = isPerhapsSent
        self.failures = failures
        self.refusal = refusal
    }
}

/// A write that is about to be sent.
package struct MarkedWrite: Hashable, Sendable {
    package let entry: QueueEntry
    /// Whether it may have been carried out by an earlier attempt.
    package let wasPerhapsSent: Bool

    /// The write after a refusal: one that has had no effect takes the mark back.
    ///
    /// - Parameter mayHaveTakenEffect: Whether the refused attempt may have had one all the same.
    /// - Returns: The write.
    func refused(mayHaveTakenEffect: Bool = false) -> QueueEntry {
        var entry = entry
        entry.write.isPerhapsSent = wasPerhapsSent || mayHaveTakenEffect
        return entry
    }
}

extension QueueStore {
    /// Puts a write at the end of the queue, or into the last one there if that changes the same row.
    ///
    /// - Parameters:
    ///   - write: The write.
    ///   - identity: Whose it is.
    ///   - isSentAtOnce: Whether it is sent as soon as this returns, if nothing is before it; it is
    ///     marked as perhaps sent then.
    ///   - mayMerge: Whether it may go into the last one.
    /// - Returns: The write as it is in the queue; another id tells that it went into the last one.
    /// - Throws: ``StorageError``; nothing is kept then.
    /// - Complexity: O(log *n*) in the number of writes.
    package func add(
        _ write: QueuedWrite, of identity: Identity, isSentAtOnce: Bool, mayMerge: Bool
    ) async throws(StorageError) -> QueueEntry {
        try await writer.write { transaction throws(StorageError) in
            let number = try identity.number(in: &transaction)
            let last = try transaction.last(KeyLayout.all(of: number), in: .queue)
            if mayMerge, let last, let earlier = try? QueuedWrite(last.value),
                let merged = earlier.merging(write)
            {
                let entry = QueueEntry(last.number, merged)
                try transaction.putQueued(entry, of: number)
                return entry
            }
            var write = write
            if isSentAtOnce, last == nil {
                write.isPerhapsSent = true
                write.attempts += 1
            }
            return try transaction.enqueue(write, of: number)
        }
    }

    /// Notes, before they are sent, that writes are perhaps sent.
    ///
    /// - Returns: Those of them that are still in the queue, as they are now.
    package func mark(
        _ sequences: [UInt64], of identity: Identity
    ) async throws(StorageError) -> [MarkedWrite] {
        try await writer.write { transaction throws(StorageError) in
            let number = try identity.number(in: &transaction)
            var marked: [MarkedWrite] = []
            for sequence in sequences {
                guard var entry = try transaction.queued(sequence, of: number) else { continue }
                let wasPerhapsSent = entry.write.isPerhapsSent
                entry.write.isPerhapsSent = true
                entry.write.attempts += 1
                try transaction.putQueued(entry, of: number)
                marked.append(MarkedWrite(entry: entry, wasPerhapsSent: wasPerhapsSent))
            }
            return marked
        }
    }

    /// Notes what attempts have left of writes that stay in the queue.
    package func note(
        _ notes: [AttemptNote], of identity: Identity
    ) async throws(StorageError) {
        try await writer.write { transaction throws(StorageError) in
            let number = try identity.number(in: &transaction)
            for note in notes {
                guard var entry = try transaction.queued(note.sequence, of: number) else {
                    continue
                }
                entry.write.isPerhapsSent = note.isPerhapsSent
                entry.write.failures = note.failures
                if let refusal = note.refusal { entry.write.lastRefusal = refusal }
                try transaction.putQueued(entry, of: number)
            }
        }
    }

    /// Takes writes off the queue.
    package func end(
        _ ends: [QueueEnd], of identity: Identity, at time: Timestamp
    ) async throws(StorageError) {
        try await writer.write { transaction throws(StorageError) in
            try transaction.end(ends, of: identity.name, at: time)
        }
    }

    /// Takes writes back that have not been sent since, for good.
    ///
    /// - Parameters:
    ///   - identity: Whose.
    ///   - time: The time.
    ///   - chosen: Which of the entries are to go, of all those in the queue and in their order.
    /// - Returns: Those that went.
    /// - Throws: ``StorageError``; nothing is changed then.
    package func discard(
        of identity: Identity, at time: Timestamp,
        _ chosen: @escaping @Sendable ([QueueEntry]) -> [QueueEntry]
    ) async throws(StorageError) -> [QueueEntry] {
        try await writer.write { transaction throws(StorageError) in
            let number = try identity.number(in: &transaction)
            let going = chosen(try transaction.queue(of: number))
            try transaction.end(
                going.map { QueueEnd($0, .discarded) }, of: identity.name, at: time)
            return going
        }
    }

    /// Puts rejected writes at the end of the queue, in their order.
    ///
    /// - Parameters:
    ///   - identity: Whose.
    ///   - chosen: What goes back, of all rejected writes and in their order.
    /// - Returns: The writes in the queue.
    /// - Throws: ``StorageError``; nothing is changed then.
    package func requeue(
        of identity: Identity,
        _ chosen: @escaping @Sendable ([RejectedEntry]) -> [RejectedEntry: QueuedWrite]
    ) async throws(StorageError) -> [QueueEntry] {
        try await writer.write { transaction throws(StorageError) in
            let number = try identity.number(in: &transaction)
            let all = try transaction.rejected(of: number)
            let chosen = chosen(all)
            var entries: [QueueEntry] = []
            for entry in all {
                guard let write = chosen[entry] else { continue }
                let key = KeyLayout.write(entry.sequence, of: number)
                try transaction.remove(key.span, in: .rejected)
                entries.append(try transaction.enqueue(write, of: number))
            }
            return entries
        }
    }

    /// Notes that other writes have brought the rows of rejected inserts.
    package func markReplaced(
        _ sequences: [UInt64], of identity: Identity
    ) async throws(StorageError) {
        try await writer.write { transaction throws(StorageError) in
            let number = try identity.number(in: &transaction)
            for sequence in sequences {
                let key = KeyLayout.write(sequence, of: number)
                guard let record = try transaction.value(key, in: .rejected) else { continue }
                var entry = try RejectedEntry(sequence, record)
                entry.isReplaced = true
                try transaction.set(entry.bytes, key, in: .rejected)
            }
        }
    }

    /// Removes rejected writes for good.
    ///
    /// - Parameters:
    ///   - identity: Whose.
    ///   - time: The time.
    ///   - outcome: What becomes of them by that.
    ///   - chosen: Which go, of all rejected writes.
    /// - Returns: Those that went.
    /// - Throws: ``StorageError``; nothing is changed then.
    package func discardRejected(
        of identity: Identity, at time: Timestamp, as outcome: MutationOutcome,
        _ chosen: @escaping @Sendable ([RejectedEntry]) -> [RejectedEntry]
    ) async throws(StorageError) -> [RejectedEntry] {
        try await writer.write { transaction throws(StorageError) in
            let number = try identity.number(in: &transaction)
            let going = chosen(try transaction.rejected(of: number))
            for entry in going {
                let key = KeyLayout.write(entry.sequence, of: number)
                try transaction.remove(key.span, in: .rejected)
                try transaction.note(
                    OutcomeRecord(entry.write.id, outcome, at: time), of: number)
            }
            return going
        }
    }
}

// MARK: In a transaction

extension WriteTransaction {
    fileprivate mutating func enqueue(
        _ write: QueuedWrite, of number: UInt32
    ) throws(StorageError) -> QueueEntry {
        let sequence = try increment(KeyLayout.lastSequence, in: .meta, as: UInt64.self)
        let entry = QueueEntry(sequence, write)
        try putQueued(entry, of: number)
        return entry
    }

    /// Puts a write of another store at the end of the queue.
    mutating func restore(_ write: QueuedWrite, of number: UInt32) throws(StorageError) {
        _ = try enqueue(write, of: number)
    }

    /// Puts a rejected write of another store behind the others.
    mutating func restore(_ entry: RejectedEntry, of number: UInt32) throws(StorageError) {
        let sequence = try increment(KeyLayout.lastSequence, in: .meta, as: UInt64.self)
        try set(entry.bytes, KeyLayout.write(sequence, of: number), in: .rejected)
    }

    fileprivate mutating func putQueued(
        _ entry: QueueEntry, of number: UInt32
    ) throws(StorageError) {
        try set(entry.write.bytes, KeyLayout.write(entry.sequence, of: number), in: .queue)
        guard let table = entry.write.table else { return }
        try set(
            entry.write.revision, KeyLayout.unsent(entry.sequence, to: table, of: number),
            in: .unsent)
    }

    fileprivate func queued(
        _ sequence: UInt64, of number: UInt32
    ) throws(StorageError) -> QueueEntry? {
        guard let record = try value(KeyLayout.write(sequence, of: number), in: .queue) else {
            return nil
        }
        return QueueEntry(sequence, try QueuedWrite(record))
    }

    fileprivate func queue(of number: UInt32) throws(StorageError) -> [QueueEntry] {
        var entries: [QueueEntry] = []
        try scan(KeyLayout.all(of: number), in: .queue) { key, value throws(StorageError) in
            if let write = try? QueuedWrite(Bytes(copying: value)) {
                entries.append(QueueEntry(try KeyLayout.number(endOf: key), write))
            }
            return .next
        }
        return entries
    }

    fileprivate func rejected(of number: UInt32) throws(StorageError) -> [RejectedEntry] {
        var entries: [RejectedEntry] = []
        try scan(KeyLayout.all(of: number), in: .rejected) { key, value throws(StorageError) in
            let sequence = try KeyLayout.number(endOf: key)
            if let entry = try? RejectedEntry(sequence, Bytes(copying: value)) {
                entries.append(entry)
            }
            return .next
        }
        return entries
    }

    /// Takes writes off the queue; one that somebody else has taken off meanwhile is passed over.
    mutating func end(
        _ ends: [QueueEnd], of name: String, at time: Timestamp
    ) throws(StorageError) {
        guard let number = try Identity.number(of: name, in: self) else { return }
        for end in ends {
            let key = KeyLayout.write(end.entry.sequence, of: number)
            guard let record = try value(key, in: .queue) else { continue }
            try remove(key.span, in: .queue)
            if let table = end.entry.write.table {
                let place = KeyLayout.unsent(end.entry.sequence, to: table, of: number)
                try remove(place.span, in: .unsent)
            }
            if end.isKept, case .rejected(let rejection) = end.outcome {
                // Another update may have gone into it meanwhile.
                var write = (try? QueuedWrite(record)) ?? end.entry.write
                // There it still has the mark of the attempt that was refused.
                write.isPerhapsSent = end.entry.write.isPerhapsSent
                let entry = RejectedEntry(end.entry.sequence, write, rejection, at: time)
                try set(entry.bytes, key, in: .rejected)
            }
            try note(OutcomeRecord(end.entry.write.id, end.outcome, at: time), of: number)
        }
    }

    /// How many writes an identity has that were never sent, or were rejected.
    func unsentCount(of name: String) throws(StorageError) -> Int {
        guard let number = try Identity.number(of: name, in: self) else { return 0 }
        var count = 0
        for keyspace in [Keyspace.queue, .rejected] {
            try scan(KeyLayout.all(of: number), in: keyspace) { _, _ in
                count += 1
                return .next
            }
        }
        return count
    }

    /// Removes an identity's writes, and what is known of those that have ended.
    mutating func removeWrites(of name: String) throws(StorageError) {
        guard let number = try Identity.number(of: name, in: self) else { return }
        for keyspace in [Keyspace.queue, .unsent, .rejected, .outcomes, .damaged] {
            var keys: [Bytes] = []
            try scan(KeyLayout.all(of: number), in: keyspace) { key, _ in
                keys.append(Bytes(copying: key))
                return .next
            }
            for key in keys { try remove(key.span, in: keyspace) }
        }
    }

    /// How many outcomes are kept for an identity.
    private static var mostOutcomes: UInt64 { 1_000 }

    /// Keeps what became of a write, and forgets what is older than anybody may ask for.
    fileprivate mutating func note(
        _ record: OutcomeRecord, of number: UInt32
    ) throws(StorageError) {
        let prefix = KeyLayout.all(of: number)
        let ending = (try last(prefix, in: .outcomes)?.number ?? 0) + 1
        try set(record.bytes, KeyLayout.write(ending, of: number), in: .outcomes)
        var old: [Bytes] = []
        try scan(prefix, in: .outcomes) { key, value throws(StorageError) in
            let isSurplus = try KeyLayout.number(endOf: key) + Self.mostOutcomes <= ending
            let isOld =
                (try? OutcomeRecord(Bytes(copying: value)))?.isOld(at: record.endedAt) ?? true
            guard isSurplus || isOld else { return .stop }
            old.append(Bytes(copying: key))
            return .next
        }
        for key in old { try remove(key.span, in: .outcomes) }
    }
}
