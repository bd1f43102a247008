package import FoundationEssentials

/// A write that is kept until the server has taken or refused it.
///
/// It holds the request as it was made, without token or key: those are asked for when it is sent.
package struct QueuedWrite: Hashable, Sendable {
    /// What tells the write from others, today and later.
    package let id: UUID
    package let operation: MutationOperation
    package var request: PostgrestRequest
    package let createdAt: Timestamp
    /// The writes without which this one has no sense.
    package var dependencies: [UUID] = []
    /// Whether it stays apart from later updates of its row.
    package var isSeparate = false
    /// Whether a function may be called twice.
    package var isIdempotent = false
    /// The tables whose lists are stale once a function was called.
    package var invalidates: [ListKey.Table] = []

    /// Changes whenever ``request`` does.
    package var revision: UInt32 = 0
    /// How often it was tried to send it.
    package var attempts: UInt32 = 0
    /// Whether the server may have carried it out, as far as anybody knows.
    package var isPerhapsSent = false
    /// How often the server has failed with it, by what counts.
    package var failures = Failures()
    /// The server's last refusal.
    package var lastRefusal: PostgrestError?

    /// How often the server has failed with a write.
    package struct Failures: Hashable, Sendable {
        /// With a failure that passes by itself, while it did other work.
        package var temporary: UInt8 = 0
        /// Because the statement took too long.
        package var timeouts: UInt8 = 0
        /// Because its picture of the schema was old.
        package var reloads: UInt8 = 0

        package init() {}
    }

    package init(
        id: UUID, _ operation: MutationOperation, _ request: PostgrestRequest, createdAt: Timestamp
    ) {
        self.id = id
        self.operation = operation
        self.request = request
        self.createdAt = createdAt
    }

    /// The table; nil for a function.
    package var table: ListKey.Table? { request.table }
}

/// A write and its place in the queue.
package struct QueueEntry: Hashable, Sendable {
    /// Grows from write to write, and is never used again.
    package let sequence: UInt64
    package var write: QueuedWrite

    package init(_ sequence: UInt64, _ write: QueuedWrite) {
        self.sequence = sequence
        self.write = write
    }
}
