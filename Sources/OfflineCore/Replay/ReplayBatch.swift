/// Consecutive inserts that travel in one request.
struct ReplayBatch {
    /// How many rows, and how many bytes, one request may have.
    static let mostRows = 100
    static let mostBytes = 1 << 20

    /// The request: that of the first with the rows of all.
    let request: PostgrestRequest
    /// How many of the writes are in it; at least one.
    let count: Int

    /// Takes as many of the writes as may go together.
    ///
    /// - Parameters:
    ///   - writes: The writes at the head of the queue, in their order; there is at least one.
    ///   - isAlone: Whether a write has to go alone, by its place.
    init(_ writes: [QueuedWrite], isAlone: (Int) -> Bool) {
        let first = writes[0]
        guard first.isBatchable, !isAlone(0), var rows = first.request.body?.rowColumnNames else {
            (request, count) = (first.request, 1)
            return
        }
        var taken = 1
        let columns = rows.first.map(Set.init)
        guard rows.allSatisfy({ Set($0) == columns }) else {
            (request, count) = (first.request, 1)
            return
        }
        var slices = [first.request.inside]
        // With the brackets around the rows, and a comma before each.
        var length = slices[0].count + 2
        for (index, write) in writes.enumerated().dropFirst() {
            guard write.isBatchable, !isAlone(index), write.request.isLike(first.request),
                let more = write.request.body?.rowColumnNames,
                more.allSatisfy({ Set($0) == columns }),
                rows.count + more.count <= Self.mostRows
            else { break }
            let slice = write.request.inside
            length += 1 + slice.count
            guard length <= Self.mostBytes else { break }
            rows += more
            slices.append(slice)
            taken += 1
        }
        var request = first.request
        if taken > 1 {
            var body: Bytes = [.openingBracket]
            for slice in slices where !slice.isEmpty {
                if body.count > 1 { body.append(.comma) }
                body.append(contentsOf: slice)
            }
            body.append(.closingBracket)
            request.body = body
        }
        self.request = request
        count = taken
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
