import Synchronization

/// Somebody who waits to hear what becomes of a write.
final class WriteCaller: Sendable {
    enum Landing: Sendable {
        /// The server has taken it.
        case sent(HTTPResponse)
        /// It is not in the queue, and won't be sent any more.
        case failed(any Error)
        /// It is in the queue, and stays there for now.
        case queued(QueueEntry)
    }

    private let hasLanded = Lock(false)
    /// What there was to tell; whoever stops waiting may listen again.
    private let relay = StateRelay<Landing?>(nil)

    /// Tells the caller; the first word counts.
    func land(_ landing: Landing) {
        hasLanded.withLock { hasLanded in
            if !hasLanded { relay.send(landing) }
            hasLanded = true
        }
    }

    /// What the caller was told, if anything yet.
    var landed: Landing? { relay.current }

    /// Waits to be told.
    ///
    /// - Parameters:
    ///   - limit: How long; nil is until there is something to tell.
    ///   - runtime: Time and tasks.
    /// - Returns: What came of the write; nil if the limit passed or the calling task was cancelled.
    func wait(within limit: Duration?, _ runtime: OfflineRuntime) async -> Landing? {
        let arrival = runtime.task(name: "write.landing") { [relay] () -> Landing? in
            for await landing in relay.updates() where landing != nil { return landing }
            return nil
        }
        let landing = await runtime.value(of: arrival, within: limit)
        arrival.cancel()
        return landing ?? nil
    }
}
