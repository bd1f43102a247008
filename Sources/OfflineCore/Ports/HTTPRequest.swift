/// A request, as it goes on the wire.
public struct HTTPRequest: Hashable, Sendable {
    /// The method, in upper case.
    public var method: String
    /// The absolute address, percent-encoded.
    public var url: String
    /// The fields to send.
    public var headers: HTTPHeaders
    /// What follows the headers.
    public var body: Body
    /// How long the exchange may take.
    public var limits: Limits

    /// Creates a request.
    public init(
        method: String = "GET", url: String, headers: HTTPHeaders = [:], body: Body = .none,
        limits: Limits = Limits()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
    }

    /// What a request carries; all of it can be sent again.
    public enum Body: Hashable, Sendable {
        /// Nothing; where a body is usual (POST, PUT and PATCH), its length is announced as zero.
        case none
        /// These bytes.
        case bytes(ContiguousArray<UInt8>)
        /// The bytes of the file at this path, streamed.
        case file(path: String)
    }

    /// How long an exchange may take; nil stands for any time.
    public struct Limits: Hashable, Sendable {
        /// From the call to the last byte of the answer.
        public var total: Duration?
        /// From the call to the end of the answer's headers.
        public var head: Duration?
        /// The longest time in which not one byte travels, in either direction.
        public var silence: Duration?

        /// Creates limits; without arguments there are none.
        public init(total: Duration? = nil, head: Duration? = nil, silence: Duration? = nil) {
            self.total = total
            self.head = head
            self.silence = silence
        }
    }
}

// A request holds a token, a key and rows. None of them may reach a log, and what prints a value
// looks at its description, its debug description or its mirror.
extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the path, without query, headers and body.
    public var description: String { "\(method) \(url.prefix { $0 != "?" && $0 != "#" })" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
