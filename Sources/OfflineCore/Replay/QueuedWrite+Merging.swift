extension QueuedWrite {
    /// This write and a later one as one, if both change columns of the same row in the same way.
    ///
    /// The later one has found that it names a single row by its key; here it is seen that this one names
    /// the same, in the same words.
    ///
    /// - Returns: The write, with the values of the later one where both have some; nil if they have to
    ///   stay apart.
    func merging(_ later: QueuedWrite) -> QueuedWrite? {
        guard operation == .update, later.operation == .update, !isPerhapsSent, !isSeparate,
            dependencies == later.dependencies, request.guards.isEmpty,
            later.request.guards.isEmpty, request.withoutBody == later.request.withoutBody,
            var columns = request.columns, let others = later.request.columns
        else { return nil }
        columns.merge(others)
        let body = columns.object()
        // Each of them can be sent, and so must both.
        guard body.count <= PlannedWrite.longestRow else { return nil }
        var merged = self
        merged.request.body = body
        merged.revision += 1
        return merged
    }
}

extension PostgrestRequest {
    fileprivate var withoutBody: PostgrestRequest {
        var request = self
        request.body = nil
        return request
    }

    fileprivate var columns: RowColumns? {
        body.flatMap { (try? RowColumns($0.span)) ?? nil }
    }
}
