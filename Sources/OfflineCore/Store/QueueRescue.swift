/// Carries the writes of a store that can't be used any more into the one that takes its place.
///
/// What can be read is carried over: the writes in the queue and those that were rejected, for each
/// identity and in their order. Lists come from the server again.
package enum QueueRescue {
    /// What was found.
    private struct Found {
        let name: String
        var queue: [QueuedWrite] = []
        var rejected: [RejectedEntry] = []
    }

    /// Carries writes over.
    ///
    /// - Parameters:
    ///   - damaged: The store that can't be used.
    ///   - fresh: The one that takes its place.
    /// - Returns: How many writes were carried over.
    /// - Throws: ``StorageError`` if the fresh one can't be written.
    package static func carryWrites(
        from damaged: any Storage, to fresh: any Storage
    ) throws(StorageError) -> Int {
        // One keyspace that can't be read takes no other with it.
        guard let found = try? writes(in: damaged), !found.isEmpty else { return 0 }
        return try fresh.write { transaction throws(StorageError) in
            var count = 0
            for identity in found {
                let number = try Identity.number(naming: identity.name, in: &transaction)
                for entry in identity.rejected {
                    try transaction.restore(entry, of: number)
                    count += 1
                }
                for write in identity.queue {
                    try transaction.restore(write, of: number)
                    count += 1
                }
            }
            return count
        }
    }

    private static func writes(in storage: any Storage) throws(StorageError) -> [Found] {
        try storage.read { transaction throws(StorageError) in
            var all: [Found] = []
            for (number, name) in try transaction.identities() {
                var found = Found(name: name)
                let prefix = KeyLayout.all(of: number)
                try? transaction.scan(prefix, in: .queue) { _, value in
                    if let write = try? QueuedWrite(Bytes(copying: value)) {
                        found.queue.append(write)
                    }
                    return .next
                }
                try? transaction.scan(prefix, in: .rejected) { key, value in
                    let sequence = (try? KeyLayout.number(endOf: key)) ?? 0
                    if let entry = try? RejectedEntry(sequence, Bytes(copying: value)) {
                        found.rejected.append(entry)
                    }
                    return .next
                }
                if !found.queue.isEmpty || !found.rejected.isEmpty { all.append(found) }
            }
            return all
        }
    }
}
