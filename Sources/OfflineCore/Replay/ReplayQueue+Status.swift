import FoundationEssentials

// What is told of the queue.

extension ReplayQueue {
    /// How many writes there are of an identity.
    func counts(of identity: Identity) -> QueueCounts {
        if let known = counts[identity] { return known }
        guard let counts = try? store.queue.counts(of: identity) else { return QueueCounts() }
        self.counts[identity] = counts
        return counts
    }

    /// Notes how the number of an identity's writes has changed.
    ///
    /// - Parameters:
    ///   - identity: Whose.
    ///   - clearing: How often writes had been dropped when the change began.
    ///   - change: The change.
    func adjust(
        _ identity: Identity, since clearing: Int? = nil, _ change: (inout QueueCounts) -> Void
    ) {
        guard clearing ?? clearings == clearings else { return counts[identity] = nil }
        // What nobody has counted is counted when somebody asks.
        if counts[identity] != nil { change(&counts[identity, default: QueueCounts()]) }
    }

    /// Tells that the writes that are kept have changed.
    func changed() {
        changes.send(changes.current + 1)
        tell()
    }

    func tell() {
        let counts = counts(of: presence)
        let status = SyncStatus(
            network: connectivity.status, phase: phase,
            // A write can have ended before the one who made it has heard that it is kept.
            pendingCount: max(0, counts.pending),
            rejectedCount: counts.rejected, lastSuccess: lastSuccess, lastFailure: lastFailure)
        if status != self.status.current { self.status.send(status) }
    }

    private func counts(of presence: SessionPresence?) -> QueueCounts {
        presence?.identity.map { counts(of: $0) } ?? QueueCounts()
    }

    private var phase: SyncStatus.Phase {
        switch schedule.phase {
        case .idle:
            return isAutomatic || counts(of: presence).pending == 0 ? .idle : .paused(.autoSyncOff)
        case .passing:
            let sent = progress.sent + progress.rejected
            let left = sendable.reduce(0) { $0 + counts(of: $1).pending }
            return .syncing(sent: sent, of: sent + left)
        case .waiting(_, .auth): return .paused(.authRequired)
        case .waiting(_, .hold): return .paused(.hold)
        case .waiting, .dispersing:
            return .waiting(until: wakesAt, attempt: schedule.attempt)
        case .blocked(let stop):
            switch stop {
            case .auth: return .paused(.authRequired)
            case .hold: return .paused(.hold)
            case .unsettled, .identityChanged: return .paused(.sessionNotSettled)
            case .storage: return .paused(.storage)
            case .unanswered where connectivity.status == .unavailable: return .paused(.offline)
            case .unanswered, .reload, .halted: return .paused(.autoSyncOff)
            }
        }
    }
}
