package import FoundationEssentials

/// What a read came to, not yet decoded.
package struct ReadAnswer: Sendable {
    package let body: Bytes
    package let status: Int
    /// The total, where the server was asked to count.
    package let count: Int?
    package let isFromCache: Bool
    /// When the server last answered this list; nil for an answer that is never kept.
    package let fetchedAt: Date?
    /// Whether the server may have changed the list in a way that the device could not follow.
    package let isStale: Bool
    /// How many rows at the end are known from the user's own writes alone.
    package let ownRows: Int
    /// Whether a write that is still in the queue changes these rows.
    package let hasPendingMutations: Bool

    package init(
        body: Bytes, status: Int, count: Int?, isFromCache: Bool, fetchedAt: Date?,
        isStale: Bool = false, ownRows: Int = 0, hasPendingMutations: Bool = false
    ) {
        self.body = body
        self.status = status
        self.count = count
        self.isFromCache = isFromCache
        self.fetchedAt = fetchedAt
        self.isStale = isStale
        self.ownRows = ownRows
        self.hasPendingMutations = hasPendingMutations
    }

    /// Takes an answer that is no list as it is, or with another body.
    init(_ response: HTTPResponse, body: Bytes? = nil) {
        self.init(
            body: body ?? response.body, status: response.status, count: response.total,
            isFromCache: false, fetchedAt: nil)
    }
}
