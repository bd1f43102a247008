/// A failed exchange: how far it came, and why it ended.
///
/// How far decides what a failure means. A write that was not sent can be sent again without a
/// thought; one that was sent without an answer may have been carried out.
public struct TransportError: Error, Hashable, Sendable {
    /// How far an exchange came.
    public enum Stage: Hashable, Sendable {
        /// The server can't have seen the request: no connection stood, or nothing had left.
        case notSent
        /// The request, or a part of it, left, and the head of an answer never came whole.
        case unanswered
        /// A head came, but the answer is incomplete or can't be read.
        case answeredBadly
    }

    /// Why an exchange ended.
    @nonexhaustive
    public enum Cause: Hashable, Sendable {
        /// The host's name is unknown.
        case hostNotFound
        /// No connection could be made: refused, unreachable, or no network at all.
        case cannotConnect
        /// The encrypted connection could not be set up, or the certificate is not trusted.
        case insecure
        /// The connection broke.
        case connectionLost
        /// A limit of ``HTTPRequest/Limits`` was reached.
        case timedOut
        /// The bytes are not those of an HTTP answer, or can't be decompressed.
        case malformed
        /// The body is shorter than its headers or its last chunk announced.
        case cutShort
        /// A file could not be read or written.
        case file
        /// The address or a header can't be sent.
        case invalidRequest
        /// The calling task was cancelled.
        case cancelled
        /// The transport has been closed.
        case closed
        /// The adapter's library reported something else.
        case other
    }

    /// How far the exchange came.
    public let stage: Stage
    /// Why it ended.
    public let cause: Cause
    /// What the adapter's library calls it: a code of libcurl's, or of `URLError`.
    public let code: Int?

    /// Creates an error.
    public init(_ stage: Stage, _ cause: Cause, code: Int? = nil) {
        self.stage = stage
        self.cause = cause
        self.code = code
    }
}
