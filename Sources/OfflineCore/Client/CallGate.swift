import Synchronization

/// Counts the calls that are under way, and lets none begin once the client is being closed.
final class CallGate: Sendable {
    private struct State {
        var calls = 0
        var isClosed = false
    }

    private let state = Lock(State())
    /// Whether the gate is closed and the last call has gone.
    private let isEmpty = StateRelay(false)

    /// Whether no call may begin any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Begins a call, which is to ``leave()`` again.
    ///
    /// - Returns: False if the gate is closed.
    func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.calls += 1
            return true
        }
    }

    /// Ends a call.
    func leave() {
        change { $0.calls -= 1 }
    }

    /// Lets no call begin from now on.
    func close() {
        change { $0.isClosed = true }
    }

    /// Waits until the gate is closed and the last call has ended.
    func waitUntilEmpty() async {
        for await isEmpty in isEmpty.updates() where isEmpty { return }
    }

    private func change(_ change: (inout State) -> Void) {
        let isEmpty = state.withLock { state in
            change(&state)
            return state.isClosed && state.calls == 0
        }
        if isEmpty { self.isEmpty.send(true) }
    }
}
