// Whole values in and out of transactions.

extension ReadTransaction {
    /// Copies a value, so that it outlives the transaction.
    func value(_ key: Bytes, in keyspace: Keyspace) throws(StorageError) -> Bytes? {
        try value(forKey: key.span, in: keyspace) { Bytes(copying: $0) }
    }
}

extension WriteTransaction {
    /// Copies a value, so that it outlives the transaction.
    func value(_ key: Bytes, in keyspace: Keyspace) throws(StorageError) -> Bytes? {
        try value(forKey: key.span, in: keyspace) { Bytes(copying: $0) }
    }

    mutating func set(
        _ value: Bytes, _ key: Bytes, in keyspace: Keyspace
    ) throws(StorageError) {
        try set(value.span, forKey: key.span, in: keyspace)
    }

    mutating func set(
        _ integer: some FixedWidthInteger, _ key: Bytes, in keyspace: Keyspace
    ) throws(StorageError) {
        var writer = ByteWriter()
        writer.append(integer)
        try set(writer.bytes, key, in: keyspace)
    }

    /// Raises a counter, which starts at zero, by one.
    mutating func increment(
        _ key: Bytes, in keyspace: Keyspace
    ) throws(StorageError) -> UInt32 {
        var count: UInt32 = 0
        if let stored = try value(key, in: keyspace) {
            var reader = ByteReader(stored)
            count = try reader.integer()
        }
        guard count < .max else { throw .corrupted("a counter has run out of numbers") }
        try set(count + 1, key, in: keyspace)
        return count + 1
    }
}
