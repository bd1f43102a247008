import FoundationEssentials

/// Finds the writes that have no sense without another one.
///
/// An update or a delete that names nothing but rows of an insert depends on it, and so does whatever
/// was made to come after another write.
struct Dependants {
    let facts: @Sendable (PostgrestRequest) -> TableFacts

    /// What becomes of the writes behind one that is rejected.
    ///
    /// Those that depend on it are rejected with it. If one of them deletes all its rows, nothing of
    /// them is left to be done: all of them cancel each other out.
    ///
    /// - Parameters:
    ///   - entry: The write.
    ///   - rejection: Why.
    ///   - isKept: Whether it goes to the rejected writes.
    ///   - later: The writes behind it, in their order.
    /// - Returns: How they all leave the queue.
    func ends(
        of entry: QueueEntry, _ rejection: MutationRejection, isKept: Bool, later: [QueueEntry]
    ) -> [QueueEnd] {
        let dependants = followers(of: entry, in: later)
        guard dependants.contains(where: { undoes($0.write, entry.write) }) else {
            return [QueueEnd(entry, .rejected(rejection), isKept: isKept)]
                + dependants.map {
                    QueueEnd($0, .rejected(.dependency(on: entry.write.id)), isKept: true)
                }
        }
        let outcome = isKept ? MutationOutcome.cancelledOut : .rejected(rejection)
        return [QueueEnd(entry, outcome)] + dependants.map { QueueEnd($0, .cancelledOut) }
    }

    /// The writes that depend on one, and those that depend on them.
    func followers(of entry: QueueEntry, in later: [QueueEntry]) -> [QueueEntry] {
        var ids: Set<UUID> = [entry.write.id]
        /// The rows that nobody else brings.
        var rows: [ListKey.Table?: Set<RowKey>] = [:]
        if entry.write.operation == .insert {
            rows[entry.write.table] = Set(keys(of: entry.write))
        }
        var found: [QueueEntry] = []
        for other in later where other.sequence > entry.sequence {
            let write = other.write
            let isAbout =
                [.update, .delete].contains(write.operation)
                && isOnly(write, about: rows[write.table] ?? [])
            if isAbout || write.dependencies.contains(where: ids.contains) {
                ids.insert(write.id)
                found.append(other)
                if write.operation == .insert {
                    rows[write.table, default: []].formUnion(keys(of: write))
                }
            } else if [.insert, .upsert].contains(write.operation),
                rows[write.table]?.isEmpty == false
            {
                rows[write.table]?.subtract(keys(of: write))
            }
        }
        return found
    }

    /// The rejected write that one depends on; nil if there is none.
    func parent(of write: QueuedWrite, in rejected: [RejectedEntry]) -> RejectedEntry? {
        if let parent = rejected.first(where: { write.dependencies.contains($0.write.id) }) {
            return parent
        }
        guard [.update, .delete].contains(write.operation) else { return nil }
        return rejected.first { other in
            other.write.operation == .insert && other.write.table == write.table
                && isOnly(write, about: Set(keys(of: other.write)))
        }
    }

    /// Whether a write deletes every row of an insert.
    func undoes(_ write: QueuedWrite, _ insert: QueuedWrite) -> Bool {
        let rows = Set(keys(of: insert))
        return write.operation == .delete && insert.operation == .insert && !rows.isEmpty
            && Set(keys(of: write)) == rows
    }

    private func isOnly(_ write: QueuedWrite, about rows: Set<RowKey>) -> Bool {
        guard !rows.isEmpty else { return false }
        let named = keys(of: write)
        return !named.isEmpty && named.allSatisfy(rows.contains)
    }

    /// The keys of the rows that a write names; none if it may be about others too.
    private func keys(of write: QueuedWrite) -> [RowKey] {
        guard write.table != nil,
            let plan = try? PlannedWrite(write.request, facts(write.request))
        else { return [] }
        return plan.soleKeys ?? []
    }
}
