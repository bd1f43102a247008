/// Somebody whose lists are to go, as far as they were asked for until then.
package struct Departure: Hashable, Sendable {
    /// The whole name of the identity.
    let name: String
    /// The number of the last request that counts.
    let bound: UInt64

    package init(of identity: Identity, upTo bound: UInt64) {
        name = identity.name
        self.bound = bound
    }

    fileprivate init?(_ record: Bytes) {
        var reader = ByteReader(record)
        guard let bound: UInt64 = try? reader.integer(), let name = try? reader.text() else {
            return nil
        }
        (self.name, self.bound) = (name, bound)
    }

    fileprivate var record: Bytes {
        var writer = ByteWriter()
        writer.append(bound)
        writer.append(name)
        return writer.bytes
    }
}

extension IdentityStore {
    /// Who has gone and whose lists have not.
    package func departures() throws(StorageError) -> [Departure] {
        try storage.read { transaction throws(StorageError) in
            var departures: [Departure] = []
            let prefix = KeyLayout.departures
            try transaction.scan(prefix, in: .meta) { _, value in
                if let departure = Departure(Bytes(copying: value)) { departures.append(departure) }
                return .next
            }
            return departures
        }
    }
}

extension ListStore {
    /// Removes the lists of a departure, and forgets it.
    ///
    /// Who has come back and gone again meanwhile is not forgotten.
    ///
    /// - Parameter departure: Whose lists are to go, and up to when.
    /// - Throws: ``StorageError``; nothing is changed then.
    /// - Complexity: O(*n*) in the number of lists that the identity has.
    package func remove(_ departure: Departure) async throws(StorageError) {
        try await writer.write { transaction throws(StorageError) in
            try transaction.removeLists(of: departure)
        }
    }

    /// Removes everything that there is of an identity, its name included.
    ///
    /// - Parameters:
    ///   - departure: Who, and up to when its lists count.
    ///   - isUnsentToo: Whether writes go too that were never sent, or were rejected.
    /// - Throws: ``ClearingError``: ``ClearingError/unsent(_:)`` if there are such writes and they are to
    ///   stay; nothing is changed then.
    /// - Complexity: O(*n*) in the number of lists and writes that the identity has.
    package func removeAll(
        of departure: Departure, isUnsentToo: Bool
    ) async throws(ClearingError) {
        try await writer.write { transaction throws(ClearingError) in
            let count = try ClearingError.wrapping { () throws(StorageError) in
                try transaction.unsentCount(of: departure.name)
            }
            guard count == 0 || isUnsentToo else { throw .unsent(count) }
            try ClearingError.wrapping { () throws(StorageError) in
                try transaction.removeLists(of: departure)
                try transaction.removeWrites(of: departure.name)
                try transaction.remove(
                    KeyLayout.identity(departure.name).span, in: .identities)
            }
        }
    }
}

/// Why what there is of an identity stays.
package enum ClearingError: TransactionError {
    case store(StorageError)
    /// So many writes would be lost.
    case unsent(Int)

    package init(_ error: StorageError) { self = .store(error) }
}

extension WriteTransaction {
    /// Notes that somebody has gone.
    mutating func note(_ departure: Departure) throws(StorageError) {
        try set(departure.record, KeyLayout.departure(of: departure.name), in: .meta)
    }

    fileprivate mutating func removeLists(of departure: Departure) throws(StorageError) {
        try removeLists(of: departure.name, upTo: departure.bound)
        let key = KeyLayout.departure(of: departure.name)
        let noted = try value(key, in: .meta).flatMap { Departure($0) }
        if let noted, noted.bound > departure.bound { return }
        try remove(key.span, in: .meta)
    }

    private mutating func removeLists(
        of name: String, upTo bound: UInt64
    ) throws(StorageError) {
        guard let number = try Identity.number(of: name, in: self) else { return }
        let prefix = KeyLayout.all(of: number)
        var lists: [(place: Bytes, record: ListRecord?)] = []
        try scan(prefix, in: .lists) { key, value in
            let place = Bytes(copying: key)
            // One that can't be read is served to nobody and may go too.
            let record = (try? ListRecord(Bytes(copying: value))) ?? nil
            if record.map({ $0.sequence <= bound }) ?? true { lists.append((place, record)) }
            return .next
        }
        for list in lists { try removeList(list.record, at: list.place) }
    }
}
