/// The lists that the server answered, by identity and list key.
package struct ListStore: Sendable {
    let storage: any Storage
    let writer: StoreWriter

    /// Looks a list up and copies its rows.
    ///
    /// - Complexity: O(log *n*) in the number of lists, and one copy of the body.
    package func list(_ key: ListKey, of identity: Identity) throws(StorageError) -> StoredList? {
        try storage.read { transaction throws(StorageError) in
            guard let number = try identity.number(in: transaction) else { return nil }
            let place = KeyLayout.list(key, of: number)
            guard let record = try ListRecord(try transaction.value(place, in: .lists)),
                record.isAbout(key), let body = try transaction.value(place, in: .bodies)
            else { return nil }
            guard body.count == record.length else { throw .corrupted("a list has lost its rows") }
            return StoredList(
                body: body, fetchedAt: record.fetchedAt, sequence: record.sequence)
        }
    }

    /// Keeps a list, unless an answer to a later request is kept already.
    ///
    /// - Parameters:
    ///   - list: What the server answered.
    ///   - directory: Where its rows are.
    ///   - key: The list's key.
    ///   - identity: Whose list it is.
    /// - Throws: ``StorageError``; nothing is changed then.
    package func keep(
        _ list: StoredList, directory: Bytes, as key: ListKey, of identity: Identity
    ) async throws(StorageError) {
        try await writer.write { transaction throws(StorageError) in
            let place = KeyLayout.list(key, of: try identity.number(in: &transaction))
            // A record that can't be read is replaced: that heals the list.
            let kept = try? ListRecord(try transaction.value(place, in: .lists))
            if let kept, kept.isAbout(key), kept.sequence > list.sequence { return }
            let record = ListRecord(
                key: key.text, fetchedAt: list.fetchedAt, sequence: list.sequence,
                length: list.body.count)
            try transaction.set(record.bytes, place, in: .lists)
            try transaction.set(list.body, place, in: .bodies)
            try transaction.set(directory, place, in: .rows)
        }
    }
}

/// A list as the device has it.
package struct StoredList: Hashable, Sendable {
    /// The JSON array, byte for byte as the server sent it.
    package let body: Bytes
    /// When the head of the answer arrived, by the device's clock.
    package let fetchedAt: Timestamp
    /// The number of the request that it answers; a later request has a greater one.
    package let sequence: UInt64

    package init(body: Bytes, fetchedAt: Timestamp, sequence: UInt64) {
        self.body = body
        self.fetchedAt = fetchedAt
        self.sequence = sequence
    }
}

/// What is kept about a list beside its rows.
struct ListRecord {
    private static let format: UInt8 = 1

    let key: String
    let fetchedAt: Timestamp
    let sequence: UInt64
    let length: Int

    init(key: String, fetchedAt: Timestamp, sequence: UInt64, length: Int) {
        self.key = key
        self.fetchedAt = fetchedAt
        self.sequence = sequence
        self.length = length
    }

    /// Reads a record, if there is one.
    init?(_ bytes: Bytes?) throws(StorageError) {
        guard let bytes else { return nil }
        var reader = ByteReader(bytes)
        let format: UInt8 = try reader.integer()
        guard format == Self.format else { throw .corrupted("a list has format \(format)") }
        fetchedAt = Timestamp(microseconds: try reader.integer())
        sequence = try reader.integer()
        guard let length = Int(exactly: try reader.integer(UInt64.self)) else {
            throw .corrupted("a list is longer than memory")
        }
        self.length = length
        key = try reader.text()
    }

    var bytes: Bytes {
        var writer = ByteWriter()
        writer.append(Self.format)
        writer.append(fetchedAt.microseconds)
        writer.append(sequence)
        writer.append(UInt64(length))
        writer.append(key)
        return writer.bytes
    }

    /// Whether this is the list of a key, and not of another one with the same hash.
    func isAbout(_ key: ListKey) -> Bool { self.key.utf8.elementsEqual(key.text.utf8) }
}
