import FoundationEssentials

/// Whether a write needs the server.
@nonexhaustive
public enum WritePolicy: Hashable, Sendable {
    /// It is kept on the device until the server has taken or refused it.
    case queueWhenOffline
    /// It is sent now, or fails; it is never kept.
    case requireServer
}

/// How the call of a function waits for the network.
public struct CallQueueing: Hashable, Sendable {
    let invalidates: [String]
    let isIdempotent: Bool

    /// The call is kept on the device until the server has answered it, in order with the writes.
    ///
    /// - Parameters:
    ///   - invalidates: The tables that the function changes, with their schema if it isn't the default
    ///     one. Their lists are stale once it was called.
    ///   - isIdempotent: Whether it may be called twice. If not, a call without an answer is not made
    ///     again: it goes to the rejected writes as
    ///     ``MutationRejection/outcomeUnknown``.
    /// - Returns: The queueing.
    public static func whenOffline(
        invalidates: [String] = [], isIdempotent: Bool = false
    ) -> CallQueueing {
        CallQueueing(invalidates: invalidates, isIdempotent: isIdempotent)
    }
}

/// What an app says of a write beside the request.
struct WriteOptions: Hashable, Sendable {
    var policy: WritePolicy
    var dependencies: [UUID] = []
    var isSeparate = false
    /// How a function waits; nil for a write of rows.
    var queueing: CallQueueing?

    init(policy: WritePolicy = .queueWhenOffline, queueing: CallQueueing? = nil) {
        self.policy = policy
        self.queueing = queueing
    }
}
