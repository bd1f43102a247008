/// A server's answer, whole.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The fields of the last head, after any interim answers.
    public var headers: HTTPHeaders
    /// The body, decompressed; empty if it went into a file.
    public var body: ContiguousArray<UInt8>
    /// How long ago the head had arrived when the answer was handed over.
    ///
    /// Rows are as old as the head they came with, not as the last byte of a slow body.
    public var timeSinceHead: Duration

    /// Creates an answer.
    public init(
        status: Int, headers: HTTPHeaders = [:], body: ContiguousArray<UInt8> = [],
        timeSinceHead: Duration = .zero
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.timeSinceHead = timeSinceHead
    }
}

// The body holds rows.
extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the length of the body.
    public var description: String { "\(status), \(body.count) bytes" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
