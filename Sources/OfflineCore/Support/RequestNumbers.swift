import Synchronization

/// Numbers requests in the order in which they are sent, over all runs of an app.
///
/// Two rooms need them: reading, to tell the later answer from the earlier, and the session, to tell
/// what was asked before a user went from what was asked after.
package final class RequestNumbers: Sendable {
    private struct State {
        var last: UInt64
        /// The first number since somebody else last had the store.
        var firstOfOurs: UInt64 = 0
    }

    private let state: Lock<State>

    /// - Parameter opening: A number that grows with every opening of the store, so that no number
    ///   is given out again.
    package init(opening: UInt32) { state = Lock(State(last: UInt64(opening) << 32)) }

    /// Goes on with the numbers of a later opening, which are greater than all so far.
    func advance(toOpening opening: UInt32) {
        state.withLock { state in
            let first = UInt64(opening) << 32
            if UInt64(opening) > state.last >> 32 + 1 { state.firstOfOurs = first }
            state.last = max(state.last, first)
        }
    }

    /// The greatest number so far.
    package var last: UInt64 { state.withLock { $0.last } }

    /// The number of a request that is sent now.
    func next() -> UInt64 {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Whether somebody else has had the store since a request was sent, and may have written.
    func areOthersBehind(_ number: UInt64) -> Bool {
        state.withLock { number < $0.firstOfOurs }
    }
}
