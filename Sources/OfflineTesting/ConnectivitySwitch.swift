import OfflineCore

/// A signal of connectivity that a test switches.
///
/// ```swift
/// let connectivity = ConnectivitySwitch()
/// config.networkAvailability = connectivity.signal
/// connectivity.isAvailable = false
/// ```
public final class ConnectivitySwitch: Sendable {
    private let relay: StateRelay<Bool>

    /// Creates a switch.
    public init(isAvailable: Bool = true) { relay = StateRelay(isAvailable) }

    /// What the signal says.
    public var isAvailable: Bool {
        get { relay.current }
        set { relay.send(newValue) }
    }

    /// The signal, for a client's configuration.
    public var signal: @Sendable () -> AsyncStream<Bool> {
        { [relay] in relay.updates() }
    }

    /// Ends the signal, as a monitor does that the system took away.
    public func end() { relay.finish() }
}
