/// What became of a write.
@nonexhaustive
public enum WriteOutcome<Value> {
    /// The server has taken it; its answer has the rows if they were asked for.
    case sent(OfflineResponse<Value>)

    /// The server's answer.
    public var response: OfflineResponse<Value>? {
        switch self {
        case .sent(let response): response
        }
    }
}

extension WriteOutcome: Sendable where Value: Sendable {}

/// Whether a write needs the server.
@nonexhaustive
public enum WritePolicy: Hashable, Sendable {
    /// It is sent at once, or fails.
    case requireServer
}
