/// Knows which reads are out, and what writes did that the server accepted meanwhile.
///
/// An answer to a read that was sent before an acceptance may be of before or after the write; nobody can
/// tell. What the write did is laid over it, so that the answer doesn't undo it, and is forgotten once
/// every such read has ended.
struct LateAnswers {
    private struct Place: Hashable {
        let identity: String
        let table: ListKey.Table
    }

    private struct Reads {
        let table: ListKey.Table?
        var count = 1
    }

    /// The reads that are out, by the number of the request that they share.
    private var reads: [UInt64: Reads] = [:]
    private var writes: [Place: [(number: UInt64, write: AcceptedWrite)]] = [:]

    /// Notes that a request is sent for a read.
    ///
    /// - Parameters:
    ///   - number: The number of the request.
    ///   - table: The table whose rows are read; nil for what is never kept.
    mutating func began(_ number: UInt64, of table: ListKey.Table?) {
        reads[number] = Reads(table: table)
    }

    /// Notes that another read waits for a request.
    mutating func joined(_ number: UInt64) { reads[number]?.count += 1 }

    /// Notes that a read is through with a request.
    ///
    /// - Returns: Whether nobody else waits for it.
    mutating func ended(_ number: UInt64) -> Bool {
        guard let ended = reads[number] else { return false }
        reads[number]?.count -= 1
        guard ended.count == 1 else { return false }
        reads[number] = nil
        let first = reads.filter { $0.value.table == ended.table }.keys.min()
        for place in writes.keys where place.table == ended.table {
            writes[place]?.removeAll { $0.number < first ?? .max }
            if writes[place]?.isEmpty == true { writes[place] = nil }
        }
        return true
    }

    /// Remembers a write for the reads that are out.
    ///
    /// - Parameters:
    ///   - write: The write.
    ///   - number: The number of its acceptance.
    ///   - identity: Whose it was.
    mutating func accepted(_ write: AcceptedWrite, as number: UInt64, of identity: Identity) {
        guard reads.contains(where: { $0.value.table == write.table }) else { return }
        let place = Place(identity: identity.name, table: write.table)
        writes[place, default: []].append((number, write))
    }

    /// What was accepted since a request was sent, in this order; it only grows while a read is out.
    func writes(
        since number: UInt64, to table: ListKey.Table, of identity: Identity
    ) -> [AcceptedWrite] {
        let all = writes[Place(identity: identity.name, table: table)] ?? []
        return all.filter { $0.number > number }.map(\.write)
    }

    /// Whether nothing is remembered.
    var isEmpty: Bool { reads.isEmpty && writes.isEmpty }
}
