/// A request that got no usable answer for a reason of the network.
public struct ConnectivityFailure: Hashable, Sendable {
    /// How far the exchange came.
    public let stage: TransportError.Stage
    /// Why it ended there.
    public let cause: Cause

    /// Why no usable answer came.
    @nonexhaustive
    public enum Cause: Hashable, Sendable {
        /// The transport failed.
        case transport(TransportError)
        /// Somebody else answered: a sign-in page of the network, a proxy, a redirect.
        case foreignAnswer(status: Int)
        /// The body broke off, although nothing on the way noticed.
        case cutBody
    }

    /// Creates a failure of the transport.
    package init(_ error: TransportError) {
        stage = error.stage
        cause = .transport(error)
    }

    /// Creates a failure of an answer.
    package init(answeredWith cause: Cause) {
        stage = .answeredBadly
        self.cause = cause
    }
}

extension ConnectivityFailure: CustomStringConvertible {
    /// What happened, for people.
    public var description: String { "\(event) Try again when the network is back." }

    /// What happened, without what to do: a write that has left can't simply be made again.
    var event: String {
        let what =
            switch cause {
            case .transport(let error): error.explanation
            case .foreignAnswer(let status):
                "something other than the server answered with \(status), "
                    + "perhaps the network's sign-in page"
            case .cutBody: "the answer broke off"
            }
        let progress =
            switch stage {
            case .notSent: "The request was not sent"
            case .unanswered: "The request was sent without an answer"
            case .answeredBadly: "The request got no usable answer"
            }
        return "\(progress): \(what)."
    }
}

extension TransportError {
    fileprivate var explanation: String {
        let what =
            switch cause {
            case .hostNotFound: "the host's name is unknown"
            case .cannotConnect: "no connection could be made"
            case .insecure: "no trusted encrypted connection could be made"
            case .connectionLost: "the connection was lost"
            case .timedOut: "it took too long"
            case .malformed: "the answer can't be read"
            case .cutShort: "the answer broke off"
            case .file: "a file could not be read or written"
            case .invalidRequest: "its address or a header can't be sent"
            case .cancelled: "it was cancelled"
            case .closed: "the transport was closed"
            case .other: "the network failed"
            }
        return code.map { "\(what) (code \($0))" } ?? what
    }
}
