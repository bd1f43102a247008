import FoundationEssentials

/// A rejected write, why, and the place that it had in the queue.
package struct RejectedEntry: Hashable, Sendable {
    package let sequence: UInt64
    package let write: QueuedWrite
    package let rejection: MutationRejection
    package let rejectedAt: Timestamp
    /// Whether another write has brought the rows of this insert since.
    package var isReplaced = false

    package init(
        _ sequence: UInt64, _ write: QueuedWrite, _ rejection: MutationRejection, at: Timestamp
    ) {
        self.sequence = sequence
        self.write = write
        self.rejection = rejection
        rejectedAt = at
    }

    /// Reads a record.
    init(_ sequence: UInt64, _ bytes: Bytes) throws(StorageError) {
        var reader = ByteReader(bytes)
        self.sequence = sequence
        rejectedAt = Timestamp(microseconds: try reader.integer())
        isReplaced = try reader.integer(UInt8.self) != 0
        rejection = try reader.rejection()
        write = try QueuedWrite(&reader)
    }

    /// Whether it was rejected because another write was.
    func isDependant(of id: UUID) -> Bool { rejection == .dependency(on: id) }

    package var bytes: Bytes {
        var writer = ByteWriter()
        writer.append(rejectedAt.microseconds)
        writer.append(UInt8(isReplaced ? 1 : 0))
        writer.append(rejection)
        writer.append(write.bytes)
        return writer.bytes
    }
}

/// What became of a write.
struct OutcomeRecord {
    let id: UUID
    let endedAt: Timestamp
    let outcome: MutationOutcome

    /// How long an outcome is kept, in microseconds.
    private static let lifetime: Int64 = 7 * 86_400 * 1_000_000

    init(_ id: UUID, _ outcome: MutationOutcome, at: Timestamp) {
        self.id = id
        self.outcome = outcome
        endedAt = at
    }

    init(_ bytes: Bytes) throws(StorageError) {
        var reader = ByteReader(bytes)
        endedAt = Timestamp(microseconds: try reader.integer())
        id = try reader.uuid()
        outcome = try reader.outcome()
    }

    /// Whether nobody asks for it any more.
    func isOld(at time: Timestamp) -> Bool {
        time.microseconds - endedAt.microseconds > Self.lifetime
    }

    var bytes: Bytes {
        var writer = ByteWriter()
        writer.append(endedAt.microseconds)
        writer.append(id)
        writer.append(outcome)
        return writer.bytes
    }
}
