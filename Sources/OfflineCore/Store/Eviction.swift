// A list is in four places: its record, its body, its directory and the order of eviction; in a fifth if
// it has rows of other tables too. They change together, and the summed length of the bodies with them.

extension WriteTransaction {
    /// Puts a list where there is none.
    mutating func addList(
        _ record: ListRecord, _ body: Bytes, _ directory: Bytes, at place: Bytes
    ) throws(StorageError) {
        try set(record.bytes, place, in: .lists)
        try set(body, place, in: .bodies)
        try set(directory, place, in: .rows)
        try set([], KeyLayout.eviction(of: place, fetchedAt: record.fetchedAt), in: .eviction)
        if let embeds = record.embeds { try set(embeds, place, in: .embedding) }
        try setCachedLength(try cachedLength() + body.count)
    }

    /// Puts other rows into a list that is there.
    ///
    /// - Parameters:
    ///   - body: The rows.
    ///   - directory: Where they are.
    ///   - record: The list's record, of which the length changes.
    ///   - place: Where the list is.
    /// - Throws: ``StorageError``.
    mutating func replaceRows(
        by body: Bytes, _ directory: Bytes, _ record: inout ListRecord, at place: Bytes
    ) throws(StorageError) {
        try setCachedLength(max(0, try cachedLength() - record.length + body.count))
        record.length = body.count
        try set(body, place, in: .bodies)
        try set(directory, place, in: .rows)
    }

    /// Removes a list, as far as it is there.
    ///
    /// - Parameters:
    ///   - record: Its record; nil if it has none that can be read, and then its entry in the order
    ///     of eviction stays, which removes nothing when its turn comes.
    ///   - place: Where it is.
    /// - Throws: ``StorageError``.
    mutating func removeList(_ record: ListRecord?, at place: Bytes) throws(StorageError) {
        for keyspace in [Keyspace.lists, .bodies, .rows, .embedding] {
            try remove(place.span, in: keyspace)
        }
        guard let record else { return }
        let key = KeyLayout.eviction(of: place, fetchedAt: record.fetchedAt)
        try remove(key.span, in: .eviction)
        try setCachedLength(max(0, try cachedLength() - record.length))
    }

    /// Marks a list stale, if it is there.
    mutating func markStale(_ record: ListRecord?, at place: Bytes) throws(StorageError) {
        guard var record else { return }
        record.marks.insert(.stale)
        try set(record.bytes, place, in: .lists)
    }

    /// Removes the lists that were fetched longest ago, until the rest is short enough.
    ///
    /// - Parameters:
    ///   - limit: How long the bodies together may be.
    ///   - spared: The place of a list that stays.
    /// - Throws: ``StorageError``.
    mutating func evict(downTo limit: Int, sparing spared: Bytes) throws(StorageError) {
        while try cachedLength() > limit {
            guard let (key, place) = try oldestList(sparing: spared) else {
                // There is nothing left to remove, so the sum was wrong: a damaged record had none.
                let length = try value(spared, in: .bodies)?.count ?? 0
                return try setCachedLength(length)
            }
            let record = (try? ListRecord(try value(place, in: .lists))) ?? nil
            // An entry that a damaged record left behind must not remove the list that came after.
            if let record, KeyLayout.eviction(of: place, fetchedAt: record.fetchedAt) == key {
                try removeList(record, at: place)
            }
            try remove(key.span, in: .eviction)
        }
    }

    private func oldestList(
        sparing spared: Bytes
    ) throws(StorageError) -> (key: Bytes, place: Bytes)? {
        var oldest: (key: Bytes, place: Bytes)?
        try scan(in: .eviction) { key, _ in
            let place = KeyLayout.place(inEviction: key)
            guard place != spared else { return .next }
            oldest = (Bytes(copying: key), place)
            return .stop
        }
        return oldest
    }

    /// The summed length of all bodies.
    func cachedLength() throws(StorageError) -> Int {
        guard let stored = try value(KeyLayout.cachedLength, in: .meta) else { return 0 }
        var reader = ByteReader(stored)
        // A sum that can't be read is found out anew as lists go.
        return (try? Int(exactly: reader.integer(UInt64.self))) ?? 0
    }

    private mutating func setCachedLength(_ length: Int) throws(StorageError) {
        try set(UInt64(length), KeyLayout.cachedLength, in: .meta)
    }
}
