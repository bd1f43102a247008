import Synchronization

/// Those who listen to a relay, in the order of their arrival: a dictionary would tell them in another order
/// in every run.
///
/// A stream ends inside the cancellation of its task, under a lock of that task that a yield to it takes as
/// well. So whoever goes is only noted, under a lock of its own: it may not wait for the lock under which is
/// yielded.
final class Listeners<Element: Sendable>: Sendable {
    private struct State {
        var present: [(id: UInt64, continuation: AsyncStream<Element>.Continuation)] = []
        var nextID: UInt64 = 0
    }

    private let state = Lock(State())
    /// The listeners that have gone since anybody last looked.
    private let gone = Lock<Set<UInt64>>([])

    /// Tells every listener.
    func yield(_ element: Element) {
        state.withLock { state in
            dropGone(&state)
            // Under the lock, so that every listener hears everything in the same order.
            for listener in state.present { listener.continuation.yield(element) }
        }
    }

    /// Adds a listener.
    func add(_ continuation: AsyncStream<Element>.Continuation) {
        let id = state.withLock { state in
            dropGone(&state)
            defer { state.nextID += 1 }
            state.present.append((state.nextID, continuation))
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.gone.withLock { $0.insert(id) }
        }
    }

    /// Ends the stream of every listener.
    func finish() {
        let present = state.withLock { state in
            defer { state.present = [] }
            return state.present
        }
        for listener in present { listener.continuation.finish() }
    }

    private func dropGone(_ state: inout State) {
        let gone = gone.withLock { gone in
            defer { gone = [] }
            return gone
        }
        if !gone.isEmpty { state.present.removeAll { gone.contains($0.id) } }
    }
}
