/// What is known of the network.
public enum NetworkStatus: Hashable, Sendable {
    /// Nothing; it counts as online.
    case unknown
    /// The signal says that there is a network.
    case available
    /// The signal says that there is none. Requests are tried all the same.
    case unavailable
}
