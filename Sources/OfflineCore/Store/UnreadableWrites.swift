import Synchronization

/// Whose writes on the device can't be read, from the moment at which somebody finds that until they are
/// set aside.
final class UnreadableWrites: Sendable {
    private let identities = Lock<[Identity]>([])
    /// Where damage is told.
    private let log: Log

    init(log: Log) { self.log = log }

    /// Notes that a write can't be read.
    func found(of identity: Identity, _ error: StorageError) {
        let isNew = identities.withLock { identities in
            guard !identities.contains(identity) else { return false }
            identities.append(identity)
            return true
        }
        // Once, however often it is met before it is set aside.
        if isNew {
            log.error("A write on the device can't be read, and will never be sent: \(error)")
        }
    }

    /// Somebody whose writes are to be set aside.
    var first: Identity? { identities.withLock { $0.first } }

    fileprivate func setAside(of identity: Identity) {
        identities.withLock { $0.removeAll { $0 == identity } }
    }
}

extension QueueStore {
    /// Takes the writes of an identity that can't be read out of the queue and the rejected ones.
    ///
    /// Their records stay in the store as they are, in ``Keyspace/damaged``, until the identity's data goes.
    ///
    /// - Throws: ``StorageError``; nothing is changed then.
    /// - Complexity: O(*n*) in the number of the identity's writes.
    func setUnreadableAside(of identity: Identity) async throws(StorageError) {
        try await writer.write { transaction throws(StorageError) in
            let number = try identity.number(in: &transaction)
            try transaction.setUnreadableAside(in: .queue, of: number) {
                bytes throws(StorageError) in _ = try QueuedWrite(bytes)
            }
            try transaction.setUnreadableAside(in: .rejected, of: number) {
                bytes throws(StorageError) in _ = try RejectedEntry(0, bytes)
            }
        }
        unreadable.setAside(of: identity)
    }
}

extension WriteTransaction {
    fileprivate mutating func setUnreadableAside(
        in keyspace: Keyspace, of number: UInt32, _ read: (Bytes) throws(StorageError) -> Void
    ) throws(StorageError) {
        let prefix = KeyLayout.all(of: number)
        var records: [(key: Bytes, bytes: Bytes)] = []
        var sequences: Set<UInt64> = []
        try scan(prefix, in: keyspace) { key, value throws(StorageError) in
            let bytes = Bytes(copying: value)
            if (try? read(bytes)) == nil {
                records.append((Bytes(copying: key), bytes))
                sequences.insert(try KeyLayout.number(endOf: key))
            }
            return .next
        }
        for (key, bytes) in records {
            try set(bytes, key, in: .damaged)
            try remove(key.span, in: keyspace)
        }
        // Their tables can't be read either.
        var places: [Bytes] = []
        try scan(prefix, in: .unsent) { key, _ throws(StorageError) in
            if sequences.contains(try KeyLayout.number(endOf: key)) {
                places.append(Bytes(copying: key))
            }
            return .next
        }
        for place in places { try remove(place.span, in: .unsent) }
    }
}
