/// Consecutive inserts that travel in one request.
struct ReplayBatch {
    /// How many rows, and how many bytes, one request may have.
    static let mostRows = 100
    static let mostBytes = 1 << 20

    /// How many of the writes are in it; at least one.
    private(set) var count = 1
    private let first: PostgrestRequest
    /// The columns of every row; nil if the first goes alone.
    private let columns: Set<Bytes>?
    private var rowCount: Int
    /// The rows of each write.
    private var slices: [Bytes]
    /// With the brackets around the rows, and a comma between each.
    private var length: Int

    /// Begins with a write.
    ///
    /// - Parameters:
    ///   - write: The write at the head of the queue.
    ///   - isAlone: Whether it has to go alone.
    init(_ write: QueuedWrite, isAlone: Bool = false) {
        first = write.request
        let rows = write.isBatchable && !isAlone ? write.request.body?.rowColumnNames ?? [] : []
        let columns = rows.first.map(Set.init)
        self.columns = rows.allSatisfy { Set($0) == columns } ? columns : nil
        rowCount = rows.count
        slices = self.columns == nil ? [] : [write.request.inside]
        length = 2 + (slices.first?.count ?? 0)
    }

    /// Whether other writes may go with the first.
    var isOpen: Bool { columns != nil }

    /// Takes the next write in the queue along, if it may go with those before it.
    ///
    /// - Parameters:
    ///   - write: The write.
    ///   - isAlone: Whether it has to go alone.
    /// - Returns: Whether it goes with them; otherwise nothing behind it does either.
    mutating func take(_ write: QueuedWrite, isAlone: Bool = false) -> Bool {
        guard isOpen, write.isBatchable, !isAlone, write.request.isLike(first),
            let rows = write.request.body?.rowColumnNames,
            rows.allSatisfy({ Set($0) == columns }),
            rowCount + rows.count <= Self.mostRows
        else { return false }
        let slice = write.request.inside
        guard length + 1 + slice.count <= Self.mostBytes else { return false }
        length += 1 + slice.count
        rowCount += rows.count
        slices.append(slice)
        count += 1
        return true
    }

    /// The request: that of the first with the rows of all.
    var request: PostgrestRequest {
        guard count > 1 else { return first }
        var body: Bytes = [.openingBracket]
        body.reserveCapacity(length)
        for slice in slices where !slice.isEmpty {
            if body.count > 1 { body.append(.comma) }
            body.append(contentsOf: slice)
        }
        body.append(.closingBracket)
        var request = first
        request.body = body
        return request
    }
}

extension QueuedWrite {
    /// Whether other inserts may go with it in one request.
    ///
    /// One that may be there already would have the others refused. What counts rows, or asks for one
    /// row, is about this write alone.
    fileprivate var isBatchable: Bool {
        operation == .insert && !isPerhapsSent && request.headers["Accept"] == nil
            && !request.prefers("count") && !request.isRowOptional
    }
}

extension PostgrestRequest {
    /// Whether another request differs in its rows alone.
    fileprivate func isLike(_ other: PostgrestRequest) -> Bool {
        target == other.target && schema == other.schema && method == other.method
            && items == other.items && headers == other.headers
    }

    /// The rows without the brackets around them.
    fileprivate var inside: Bytes {
        guard let body, let slices = body.rowSlices else { return body ?? [] }
        guard let first = slices.first, let last = slices.last else { return [] }
        return Bytes(copying: body.span.extracting(first.lowerBound..<last.upperBound))
    }
}
