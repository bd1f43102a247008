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

    private let landing = Lock<Landing?>(nil)
    private let stream: AsyncStream<Landing>
    private let continuation: AsyncStream<Landing>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(
            of: Landing.self, bufferingPolicy: .bufferingOldest(1))
    }

    /// Tells the caller; the first word counts.
    func land(_ landing: Landing) {
        let isFirst = self.landing.withLock { current in
            guard current == nil else { return false }
            current = landing
            return true
        }
        if isFirst { continuation.yield(landing) }
    }

    /// What the caller was told, if anything yet.
    var landed: Landing? { landing.withLock { $0 } }

    /// Waits to be told.
    ///
    /// - Parameters:
    ///   - limit: How long; nil is until there is something to tell.
    ///   - runtime: Time and tasks.
    /// - Returns: What came of the write; nil if the limit passed or the calling task was cancelled.
    func wait(within limit: Duration?, _ runtime: OfflineRuntime) async -> Landing? {
        let arrival = runtime.task(name: "write.landing") { [stream] () -> Landing? in
            for await landing in stream { return landing }
            return nil
        }
        let landing = await runtime.value(of: arrival, within: limit)
        arrival.cancel()
        return landing ?? nil
    }
}
