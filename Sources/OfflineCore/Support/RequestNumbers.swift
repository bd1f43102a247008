import Synchronization

/// Numbers requests in the order in which they are sent, over all runs of an app.
///
/// Two rooms need them: reading, to tell the later answer from the earlier, and the session, to tell
/// what was asked before a user went from what was asked after.
package final class RequestNumbers: Sendable {
    private let state: Lock<UInt64>

    /// - Parameter opening: A number that grows with every opening of the store, so that no number
    ///   is given out again.
    package init(opening: UInt32) { state = Lock(UInt64(opening) << 32) }

    /// Goes on with the numbers of a later opening, which are greater than all so far.
    func advance(toOpening opening: UInt32) {
        state.withLock { $0 = max($0, UInt64(opening) << 32) }
    }

    /// The greatest number so far.
    package var last: UInt64 { state.withLock { $0 } }

    /// The number of a request that is sent now.
    func next() -> UInt64 {
        state.withLock { number in
            number += 1
            return number
        }
    }
}
