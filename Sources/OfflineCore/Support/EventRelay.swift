import Synchronization

/// Tells events to any number of listeners.
///
/// A listener hears what happens from then on. One that is slow loses the oldest: whatever may not be
/// lost is in the store.
final class EventRelay<Event: Sendable>: Sendable {
    private struct State {
        /// In order of arrival: a dictionary would tell them in another order in every run.
        var listeners: [(id: UInt64, continuation: AsyncStream<Event>.Continuation)] = []
        var nextID: UInt64 = 0
        var isFinished = false
    }

    private let state = Lock(State())
    /// The listeners that have gone since anybody last looked; ``StateRelay`` tells why they are apart.
    private let gone = Lock<Set<UInt64>>([])
    private let limit: Int

    /// - Parameter limit: How many events wait for a listener at most.
    init(limit: Int) { self.limit = limit }

    /// Tells every listener.
    func send(_ event: Event) {
        state.withLock { state in
            dropGone(&state)
            for listener in state.listeners { listener.continuation.yield(event) }
        }
    }

    /// Makes a stream for one listener.
    func events() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(limit))
        let id: UInt64? = state.withLock { state in
            dropGone(&state)
            guard !state.isFinished else { return nil }
            defer { state.nextID += 1 }
            state.listeners.append((state.nextID, continuation))
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.gone.withLock { $0.insert(id) }
        }
        return stream
    }

    /// Ends every stream, those made later too, after the events they have not yet read.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners.removeAll() }
            return state.listeners
        }
        for listener in listeners { listener.continuation.finish() }
    }

    private func dropGone(_ state: inout State) {
        let gone = gone.withLock { gone in
            defer { gone = [] }
            return gone
        }
        if !gone.isEmpty { state.listeners.removeAll { gone.contains($0.id) } }
    }
}
