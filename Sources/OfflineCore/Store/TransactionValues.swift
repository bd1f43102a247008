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
    mutating func increment<Count: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ key: Bytes, in keyspace: Keyspace, as type: Count.Type = UInt32.self
    ) throws(StorageError) -> Count {
        var count: Count = 0
        if let stored = try value(key, in: keyspace) {
            var reader = ByteReader(stored)
            count = try reader.integer()
        }
        guard count < .max else { throw .corrupted("a counter has run out of numbers") }
        try set(count + 1, key, in: keyspace)
        return count + 1
    }
}

extension ReadTransaction {
    /// Visits the entries whose keys begin alike.
    func scan(
        _ prefix: Bytes, in keyspace: Keyspace,
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws(StorageError) -> ScanStep
    ) throws(StorageError) {
        try scan(from: prefix.span, in: keyspace) { key, value throws(StorageError) in
            key.starts(with: prefix) ? try body(key, value) : .stop
        }
    }

    /// The number of 64 bits at the end of the last key that begins like this.
    func lastNumber(_ prefix: Bytes, in keyspace: Keyspace) throws(StorageError) -> UInt64? {
        var last: UInt64?
        let end = prefix + Bytes(repeating: 0xFF, count: 8)
        try scan(.backward, from: end.span, in: keyspace) { key, _ throws(StorageError) in
            if key.starts(with: prefix) { last = try KeyLayout.number(endOf: key) }
            return .stop
        }
        return last
    }
}

extension WriteTransaction {
    /// Visits the entries whose keys begin alike.
    func scan(
        _ prefix: Bytes, in keyspace: Keyspace,
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws(StorageError) -> ScanStep
    ) throws(StorageError) {
        try scan(from: prefix.span, in: keyspace) { key, value throws(StorageError) in
            key.starts(with: prefix) ? try body(key, value) : .stop
        }
    }

    /// Copies the last of the entries whose keys begin alike and end with a number of 64 bits.
    func last(
        _ prefix: Bytes, in keyspace: Keyspace
    ) throws(StorageError) -> (number: UInt64, value: Bytes)? {
        var last: (UInt64, Bytes)?
        let end = prefix + Bytes(repeating: 0xFF, count: 8)
        try scan(.backward, from: end.span, in: keyspace) { key, value throws(StorageError) in
            if key.starts(with: prefix) {
                last = (try KeyLayout.number(endOf: key), Bytes(copying: value))
            }
            return .stop
        }
        return last
    }
}

extension Span<UInt8> {
    /// Whether these bytes begin with others.
    func starts(with prefix: Bytes) -> Bool {
        count >= prefix.count && extracting(0..<prefix.count).equals(prefix.span)
    }
}
