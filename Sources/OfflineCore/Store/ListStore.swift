/// The lists that the server answered, by identity and list key.
package struct ListStore: Sendable {
    let storage: any Storage
    let writer: StoreWriter
    /// How long all bodies together may be; nil for any length.
    let limit: Int?

    /// Looks a list up and copies its rows.
    ///
    /// - Complexity: O(log *n*) in the number of lists, and one copy of the body.
    package func list(_ key: ListKey, of identity: Identity) throws(StorageError) -> StoredList? {
        try storage.read { transaction throws(StorageError) in
            guard let number = try identity.number(in: transaction) else { return nil }
            return try transaction.list(key, at: KeyLayout.list(key, of: number))
        }
    }

    /// Looks a list up together with what the writes in the queue do to its table, as both are at one
    /// moment.
    ///
    /// - Complexity: As ``list(_:of:)``, and that of the writes to the table.
    func list(
        _ key: ListKey, of identity: Identity, with queue: QueueStore, _ facts: TableFacts
    ) throws(StorageError) -> ListReading? {
        try storage.read { transaction throws(StorageError) -> ListReading? in
            let name = identity.name
            guard let number = try Identity.number(of: name, in: transaction) else { return nil }
            let place = KeyLayout.list(key, of: number)
            guard let list = try transaction.list(key, at: place) else { return nil }
            let changes = try transaction.changes(
                to: key.table, of: number, name, facts, queue.unsentChanges)
            guard !changes.isEmpty else { return ListReading(list: list) }
            let stored = try transaction.value(place, in: .rows)
            return ListReading(
                list: list, directory: stored.flatMap { try? RowDirectory(decoding: $0.span) },
                changes: changes)
        }
    }

    /// Looks up how old a list is, without its rows.
    ///
    /// - Complexity: O(log *n*) in the number of lists.
    package func age(
        _ key: ListKey, of identity: Identity
    ) throws(StorageError) -> StoredList.Age? {
        try record(key, of: identity).map { record in
            StoredList.Age(fetchedAt: record.fetchedAt, isStale: record.marks.contains(.stale))
        }
    }

    /// Looks up which request a list answers.
    ///
    /// - Complexity: O(log *n*) in the number of lists.
    package func sequence(
        _ key: ListKey, of identity: Identity
    ) throws(StorageError) -> UInt64? {
        try record(key, of: identity)?.sequence
    }

    private func record(
        _ key: ListKey, of identity: Identity
    ) throws(StorageError) -> ListRecord? {
        try storage.read { transaction throws(StorageError) in
            guard let number = try identity.number(in: transaction),
                let record = try ListRecord(
                    try transaction.value(KeyLayout.list(key, of: number), in: .lists)),
                record.isAbout(key)
            else { return nil }
            return record
        }
    }

    /// Keeps a list, unless an answer to a later request is kept already.
    ///
    /// Where all lists together become too long, those fetched longest ago go. A list that alone is
    /// too long is not kept, and an older copy of it is marked stale.
    ///
    /// - Parameters:
    ///   - list: What the server answered.
    ///   - directory: Where its rows are.
    ///   - key: The list's key.
    ///   - identity: Whose list it is.
    /// - Throws: ``StorageError``; nothing is changed then.
    /// - Complexity: O(log *n*) in the number of lists, for this one and for each that goes.
    package func keep(
        _ list: StoredList, directory: Bytes, as key: ListKey, of identity: Identity
    ) async throws(StorageError) {
        try await writer.write { transaction throws(StorageError) in
            let place = KeyLayout.list(key, of: try identity.number(in: &transaction))
            // A record that can't be read is replaced: that heals the list.
            let kept = (try? ListRecord(try transaction.value(place, in: .lists))) ?? nil
            if let kept, kept.isAbout(key), kept.sequence >= list.sequence { return }
            if let limit, list.body.count > limit {
                return try transaction.markStale(kept, at: place)
            }
            try transaction.removeList(kept, at: place)
            var record = ListRecord(
                key: key.text, fetchedAt: list.age.fetchedAt, sequence: list.sequence,
                length: list.body.count, marks: list.age.isStale ? .stale : [])
            record.ownRows = list.ownRows
            try transaction.addList(record, list.body, directory, at: place)
            if let limit { try transaction.evict(downTo: limit, sparing: place) }
        }
    }
}

/// A list, and what the writes in the queue do to its table.
package struct ListReading: Sendable {
    package var list: StoredList
    /// Where the rows are, if there is something to be done to them.
    var directory: RowDirectory?
    var changes: [AcceptedWrite.Change] = []
}

extension ReadTransaction {
    fileprivate func list(_ key: ListKey, at place: Bytes) throws(StorageError) -> StoredList? {
        guard let record = try ListRecord(try value(place, in: .lists)), record.isAbout(key),
            let body = try value(place, in: .bodies)
        else { return nil }
        guard body.count == record.length else { throw .corrupted("a list has lost its rows") }
        return StoredList(
            body: body, fetchedAt: record.fetchedAt, sequence: record.sequence,
            isStale: record.marks.contains(.stale), ownRows: record.ownRows)
    }
}

/// A list as the device has it.
package struct StoredList: Hashable, Sendable {
    /// What tells whether it may be served.
    package struct Age: Hashable, Sendable {
        /// When the head of the answer arrived, by the device's clock.
        package let fetchedAt: Timestamp
        /// Whether the server may have changed it in a way that the device could not follow.
        package let isStale: Bool

        /// The same, of a list that is known to lack something.
        var markedStale: Age { Age(fetchedAt: fetchedAt, isStale: true) }
    }

    /// The JSON array; of rows that no write has changed since, byte for byte as the server sent it.
    package let body: Bytes
    /// How many rows at its end are known from the user's own writes alone.
    package let ownRows: Int
    /// Its age.
    package let age: Age
    /// The number of the request that it answers; a later request has a greater one.
    package let sequence: UInt64

    package init(
        body: Bytes, fetchedAt: Timestamp, sequence: UInt64, isStale: Bool = false,
        ownRows: Int = 0
    ) {
        self.body = body
        self.ownRows = ownRows
        age = Age(fetchedAt: fetchedAt, isStale: isStale)
        self.sequence = sequence
    }

    /// The same, known to lack something.
    var markedStale: StoredList {
        StoredList(
            body: body, fetchedAt: age.fetchedAt, sequence: sequence, isStale: true,
            ownRows: ownRows)
    }
}
