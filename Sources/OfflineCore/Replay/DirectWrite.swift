import Synchronization

/// A write that is sent in its turn and never kept.
final class DirectWrite: Sendable {
    let request: PostgrestRequest
    let plan: ReplayPlan
    /// For whom it was made.
    let identity: Identity
    /// The last write in the queue when it was made; it waits for those up to this one.
    let precursor: UInt64
    /// Why it can't be kept; nil if its caller didn't want that.
    let obstacle: NotQueueable?
    let caller = WriteCaller()
    let context: OfflineError.Context
    private let departure = Lock(Departure.waiting)

    private enum Departure { case waiting, left, givenUp }

    init(
        _ request: PostgrestRequest, _ plan: ReplayPlan, of identity: Identity,
        behind precursor: UInt64, obstacle: NotQueueable?, in context: OfflineError.Context
    ) {
        self.request = request
        self.plan = plan
        self.identity = identity
        self.precursor = precursor
        self.obstacle = obstacle
        self.context = context
    }

    /// Lets the request leave; false if its caller has given it up.
    func leave() -> Bool {
        departure.withLock { departure in
            if departure == .waiting { departure = .left }
            return departure == .left
        }
    }

    /// Gives it up, unless its request has left.
    ///
    /// - Returns: Whether it won't be sent.
    func giveUp() -> Bool {
        departure.withLock { departure in
            if departure == .waiting { departure = .givenUp }
            return departure == .givenUp
        }
    }
}

// MARK: What its caller is told

extension DirectWrite {
    /// Why it was not sent.
    enum Obstruction {
        /// So many writes are before it and can't be sent now.
        case behind(Int)
        case stopped(ReplaySchedule.Stop)
    }

    func land(_ obstruction: Obstruction) {
        let reason: OfflineError.Reason =
            switch obstruction {
            case .behind(let count): .behindQueue(count: count)
            case .stopped(.auth): .sessionExpired
            case .stopped(.unsettled): .sessionNotSettled
            case .stopped(.halted): .closed
            case .stopped: .identityChanged
            }
        caller.land(.failed(obstructed(OfflineError(reason, in: context))))
    }

    /// The error that the caller gets.
    ///
    /// Where the write would have been kept if it could be, that is what there is to know.
    func obstructed(_ error: any Error) -> any Error {
        guard let obstacle, let error = error as? OfflineError else { return error }
        switch error.reason {
        case .connectivity, .behindQueue:
            return OfflineError(.notQueueable(obstacle), in: context, underlying: error)
        default: return error
        }
    }
}
