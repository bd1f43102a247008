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

    private enum Listener {
        /// It waits, but can't be told yet.
        case arriving
        case listening(CheckedContinuation<Landing?, Never>)

        func resume(returning landing: Landing?) {
            if case .listening(let continuation) = self { continuation.resume(returning: landing) }
        }
    }

    private struct State {
        /// What there was to tell; whoever stops waiting may listen again.
        var landing: Landing?
        var listeners: [UInt64: Listener] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Lock(State())

    /// Tells the caller; the first word counts.
    func land(_ landing: Landing) {
        let listeners = state.withLock { state -> [UInt64: Listener] in
            guard state.landing == nil else { return [:] }
            state.landing = landing
            defer { state.listeners = [:] }
            return state.listeners
        }
        for (_, listener) in listeners.sorted(by: { $0.key < $1.key }) {
            listener.resume(returning: landing)
        }
    }

    /// What the caller was told, if anything yet.
    var landed: Landing? { state.withLock { $0.landing } }

    /// Waits to be told.
    ///
    /// - Parameters:
    ///   - limit: How long; nil is until there is something to tell.
    ///   - runtime: Time and tasks.
    /// - Returns: What came of the write; nil if the limit passed or the calling task was cancelled.
    func wait(within limit: Duration?, _ runtime: OfflineRuntime) async -> Landing? {
        if let landed { return landed }
        let number = state.withLock { state in
            state.lastNumber += 1
            state.listeners[state.lastNumber] = .arriving
            return state.lastNumber
        }
        let timer = limit.map { limit in
            runtime.task(name: "write.limit") { [clock = runtime.clock] in
                if (try? await clock.sleep(for: limit)) != nil { self.stop(number) }
            }
        }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { listen(as: number, $0) }
        } onCancel: {
            stop(number)
        }
    }

    private func listen(
        as number: UInt64, _ continuation: CheckedContinuation<Landing?, Never>
    ) {
        let isWaiting = state.withLock { state in
            // It may have been told or stopped meanwhile.
            guard state.listeners[number] != nil else { return false }
            state.listeners[number] = .listening(continuation)
            return true
        }
        if !isWaiting { continuation.resume(returning: landed) }
    }

    private func stop(_ number: UInt64) {
        let listener = state.withLock { $0.listeners.removeValue(forKey: number) }
        listener?.resume(returning: nil)
    }
}
