public import FoundationEssentials

/// The answer to a read, with where it came from and how old it is.
public struct OfflineResponse<Value> {
    /// The rows.
    public let value: Value
    /// The answer as JSON: byte for byte as the server sent it, but for what was written since.
    ///
    /// - Complexity: O(*n*) in its bytes: each access makes a copy.
    public var data: Data { Data(body) }
    /// The total, where the read asked for it.
    public let count: Int?
    /// The HTTP status; 200 for an answer from the device.
    public let status: Int
    /// Whether the rows are the device's, and not this request's answer.
    public let isFromCache: Bool
    /// When the server last answered this list, by the device's clock; nil for an answer that is
    /// never kept.
    public let fetchedAt: Date?
    /// Whether a write that is still in the queue changes these rows.
    public let hasPendingMutations: Bool
    /// Whether the server may have changed these rows since in a way that the device could not
    /// follow.
    public let isStale: Bool
    /// The keys of rows that are left out of ``value``, each as its key columns by name.
    ///
    /// A row that only the user's own write tells lacks what the server fills in, until it is read; the
    /// app's type may not decode it. It is there in ``data``.
    public let undecodedKeys: [[String: JSONValue]]

    private let body: Bytes

    /// - Parameters:
    ///   - answer: The answer.
    ///   - value: What was decoded.
    ///   - body: The bytes, if they are not those of the answer.
    ///   - undecodedKeys: The keys of rows that are left out.
    init(
        _ answer: ReadAnswer, value: Value, body: Bytes? = nil,
        undecodedKeys: [[String: JSONValue]] = []
    ) {
        self.undecodedKeys = undecodedKeys
        self.value = value
        self.body = body ?? answer.body
        count = answer.count
        status = answer.status
        isFromCache = answer.isFromCache
        fetchedAt = answer.fetchedAt
        isStale = answer.isStale
        hasPendingMutations = answer.hasPendingMutations
    }
}

extension OfflineResponse: Sendable where Value: Sendable {}
