public import FoundationEssentials

/// How the queue of the present user is getting on.
public struct SyncStatus: Hashable, Sendable {
    /// What the queue is doing.
    @nonexhaustive
    public enum Phase: Hashable, Sendable {
        /// Nothing: there is nothing to send.
        case idle
        /// It sends.
        ///
        /// - Parameters:
        ///   - sent: How many writes the server has answered for good in this pass.
        ///   - total: How many there are in it, as far as is known.
        case syncing(sent: Int, of: Int)
        /// It tries again by itself.
        ///
        /// - Parameters:
        ///   - until: When, by the device's clock; sooner if the network comes back, the session
        ///     changes, or the app writes or asks for it.
        ///   - attempt: How often it was tried in vain.
        case waiting(until: Date, attempt: Int)
        /// It waits for something else than time.
        case paused(PauseReason)
    }

    /// What a queue waits for.
    @nonexhaustive
    public enum PauseReason: Hashable, Sendable {
        /// The network.
        case offline
        /// A token that the server takes. The app is asked again by and by.
        case authRequired
        /// Somebody who mends the project: it is paused, restricted or read-only. The server is asked
        /// again every five minutes.
        case hold
        /// Who the user is.
        case sessionNotSettled
        /// The app, which asked for no sending without its word.
        case autoSyncOff
        /// Room on the device, or a store that can be written.
        case storage
    }

    /// What is known of the network; unknown counts as online.
    public let network: NetworkStatus
    /// What the queue is doing.
    public let phase: Phase
    /// How many writes are in the queue.
    public let pendingCount: Int
    /// How many writes were rejected and wait for the app's decision.
    public let rejectedCount: Int
    /// When the server last answered a write for good, in this run.
    public let lastSuccess: Date?
    /// Why a write last stayed in the queue, in this run.
    public let lastFailure: OfflineError.Reason?
}

/// What a pass over the queue has done.
public struct SyncReport: Hashable, Sendable {
    /// How many writes the server has taken.
    public var sent = 0
    /// How many writes have left the queue otherwise: refused, or for the sake of one that was.
    public var rejected = 0
    /// How many writes are left in the queue.
    public var left = 0
    /// Why the pass stopped before it was through; nil if it was not.
    public var stop: SyncStop?
}

/// Why a pass over the queue stopped before it was through.
@nonexhaustive
public enum SyncStop: Hashable, Sendable {
    /// No usable answer came, or one that says to come again later.
    case unanswered
    /// The user's token can't be had, or the server doesn't take it.
    case authRequired
    /// The server's picture of the schema is old; it is asked again a little later.
    case schemaReload
    /// The project is paused, restricted or read-only.
    case hold
    /// It isn't known who the user is.
    case sessionNotSettled
    /// Somebody else is signed in than when it began.
    case identityChanged
    /// The device's store can't be written.
    case storage
    /// The client is being closed, or what it has of the user cleared.
    case halted

    init(_ stop: ReplaySchedule.Stop) {
        self =
            switch stop {
            case .unanswered: .unanswered
            case .auth: .authRequired
            case .reload: .schemaReload
            case .hold: .hold
            case .unsettled: .sessionNotSettled
            case .identityChanged: .identityChanged
            case .storage: .storage
            case .halted: .halted
            }
    }
}
