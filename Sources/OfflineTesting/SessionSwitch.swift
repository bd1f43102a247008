public import OfflineCore

/// A session whose states a test decides.
///
/// ```swift
/// let session = SessionSwitch(.restoring(storedUserID: "ada"))
/// config.sessionStates = session.states
/// session.state = .signedIn(userID: "ada", accessToken: "…")
/// ```
public final class SessionSwitch: Sendable {
    private let relay: StateRelay<SessionState>

    /// Creates a session.
    public init(_ state: SessionState = .signedOut) { relay = StateRelay(state) }

    /// The state; a client that has not read the one before skips it.
    public var state: SessionState {
        get { relay.current }
        set { relay.send(newValue) }
    }

    /// The states, for a client's configuration.
    public var states: @Sendable () -> AsyncStream<SessionState> {
        { [relay] in relay.updates() }
    }

    /// Ends the states, as an app does that has lost track of its session.
    public func end() { relay.finish() }
}
