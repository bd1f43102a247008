import FoundationEssentials

/// Finds the writes that have no sense without another one.
///
/// An update or a delete that names nothing but rows of an insert depends on it, and so does whatever
/// was made to come after another write.
struct Dependants {
    let facts: @Sendable (PostgrestRequest) -> TableFacts

    /// What becomes of the writes behind one that is rejected.
    ///
    /// Those that depend on it are rejected with it. If one of them deletes all its rows, nothing is left
    /// to be done for these: it and its edits cancel each other out.
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
        let dependants = found(behind: entry, in: later)
        let isUndone = dependants.contains { undoes($0.entry.write, entry.write) }
        let outcome = isUndone && isKept ? MutationOutcome.cancelledOut : .rejected(rejection)
        return [QueueEnd(entry, outcome, isKept: isKept && !isUndone)]
            + dependants.map { dependant in
                isUndone && dependant.isEdit
                    ? QueueEnd(dependant.entry, .cancelledOut)
                    : QueueEnd(
                        dependant.entry, .rejected(.dependency(on: entry.write.id)), isKept: true)
            }
    }

    /// The writes that depend on one, and those that depend on them.
    func followers(of entry: QueueEntry, in later: [QueueEntry]) -> [QueueEntry] {
        found(behind: entry, in: later).map(\.entry)
    }

    private struct Dependant {
        let entry: QueueEntry
        /// Whether it changes or deletes rows of the insert alone.
        let isEdit: Bool
    }

    private func found(behind entry: QueueEntry, in later: [QueueEntry]) -> [Dependant] {
        var ids: Set<UUID> = [entry.write.id]
        /// The rows that nobody else brings.
        var rows: [ListKey.Table?: Set<RowKey>] = [:]
        if entry.write.operation == .insert {
            rows[entry.write.table] = Set(keys(of: entry.write))
        }
        /// Those of them that the first write brings.
        var own = rows
        var found: [Dependant] = []
        for other in later where other.sequence > entry.sequence {
            let write = other.write
            if edits(write, only: rows[write.table])
                || write.dependencies.contains(where: ids.contains)
            {
                ids.insert(write.id)
                found.append(
                    Dependant(entry: other, isEdit: edits(write, only: own[write.table])))
                if write.operation == .insert {
                    rows[write.table, default: []].formUnion(keys(of: write))
                }
            } else if [.insert, .upsert].contains(write.operation),
                rows[write.table]?.isEmpty == false
            {
                let brought = keys(of: write)
                rows[write.table]?.subtract(brought)
                own[write.table]?.subtract(brought)
            }
        }
        return found
    }

    /// The rejected write that one depends on; nil if there is none.
    func parent(of write: QueuedWrite, in rejected: [RejectedEntry]) -> RejectedEntry? {
        if let parent = rejected.first(where: { write.dependencies.contains($0.write.id) }) {
            return parent
        }
        return rejected.first { !$0.isReplaced && edits(write, $0.write) }
    }

    /// Whether a write changes or deletes rows of an insert alone.
    func edits(_ write: QueuedWrite, _ insert: QueuedWrite) -> Bool {
        insert.operation == .insert && insert.table == write.table
            && edits(write, only: Set(keys(of: insert)))
    }

    /// The rejected inserts whose rows have all been brought by another write.
    ///
    /// Edits of these rows are not about the rejected insert any more.
    ///
    /// - Parameters:
    ///   - accepted: An insert or upsert that the server has accepted since.
    ///   - rejected: The rejected writes.
    /// - Returns: The inserts.
    func replaced(by accepted: PostgrestRequest, in rejected: [RejectedEntry]) -> [RejectedEntry] {
        guard let plan = plan(of: accepted), plan.bringsRows, let keys = plan.soleKeys else {
            return []
        }
        let brought = Set(keys)
        return rejected.filter { entry in
            guard entry.write.operation == .insert, entry.write.table == accepted.table,
                !entry.isReplaced
            else { return false }
            let rows = self.keys(of: entry.write)
            return !rows.isEmpty && rows.allSatisfy(brought.contains)
        }
    }

    /// Whether a write deletes every row of an insert.
    func undoes(_ write: QueuedWrite, _ insert: QueuedWrite) -> Bool {
        let rows = Set(keys(of: insert))
        return write.operation == .delete && insert.operation == .insert && !rows.isEmpty
            && Set(keys(of: write)) == rows
    }

    private func edits(_ write: QueuedWrite, only rows: Set<RowKey>?) -> Bool {
        guard [.update, .delete].contains(write.operation), let rows, !rows.isEmpty else {
            return false
        }
        let named = keys(of: write)
        return !named.isEmpty && named.allSatisfy(rows.contains)
    }

    /// The keys of the rows that a write names; none if it may be about others too.
    private func keys(of write: QueuedWrite) -> [RowKey] {
        plan(of: write.request)?.soleKeys ?? []
    }

    /// What a request does to rows; nil if it doesn't say so.
    private func plan(of request: PostgrestRequest) -> PlannedWrite? {
        request.table == nil ? nil : try? PlannedWrite(request, facts(request))
    }
}

extension PlannedWrite {
    /// Whether the rows that it names are there once the server has accepted it.
    fileprivate var bringsRows: Bool {
        switch change {
        case .insert, .upsert: request.preference("tx") != "rollback"
        case .update, .delete, .nothing, .unknown: false
        }
    }
}
