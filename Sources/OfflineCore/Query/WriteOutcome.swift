/// What became of a write.
@nonexhaustive
public enum WriteOutcome<Value> {
    /// The server has taken it; its answer has the rows if they were asked for.
    case sent(OfflineResponse<Value>)
    /// It is kept on the device, and will be sent.
    case queued(PendingMutation)

    /// The server's answer; nil if there is none yet.
    public var response: OfflineResponse<Value>? {
        switch self {
        case .sent(let response): response
        case .queued: nil
        }
    }

    /// The write that is kept; nil if the server has taken it.
    public var mutation: PendingMutation? {
        switch self {
        case .sent: nil
        case .queued(let mutation): mutation
        }
    }

    /// The same outcome with something else made of the answer.
    func map<Other>(
        _ transform: (OfflineResponse<Value>) throws -> OfflineResponse<Other>
    ) rethrows -> WriteOutcome<Other> {
        switch self {
        case .sent(let response): .sent(try transform(response))
        case .queued(let mutation): .queued(mutation)
        }
    }
}

extension WriteOutcome: Sendable where Value: Sendable {}
