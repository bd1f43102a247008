import Synchronization

/// Tells events to any number of listeners.
///
/// A listener hears what happens from then on. One that is slow loses the oldest: whatever may not be
/// lost is in the store.
final class EventRelay<Event: Sendable>: Sendable {
    private let listeners = Listeners<Event>()
    private let isFinished = Lock(false)
    private let limit: Int

    /// - Parameter limit: How many events wait for a listener at most.
    init(limit: Int) { self.limit = limit }

    /// Tells every listener.
    func send(_ event: Event) { listeners.yield(event) }

    /// Makes a stream for one listener.
    func events() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(limit))
        isFinished.withLock { isFinished in
            if isFinished { continuation.finish() } else { listeners.add(continuation) }
        }
        return stream
    }

    /// Ends every stream, those made later too, after the events they have not yet read.
    func finish() {
        isFinished.withLock { $0 = true }
        listeners.finish()
    }
}
