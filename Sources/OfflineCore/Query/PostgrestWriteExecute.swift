extension PostgrestRequestBuilder where Phase: PostgrestChangingPhase {
    /// Writes, and doesn't decode what comes back.
    ///
    /// - Returns: What became of the write.
    /// - Throws: ``OfflineError``: `server` if the server refused, and nothing was changed unless
    ///   ``PostgrestError/mayHaveTakenEffect``; `conflict`; `invalidRequest` if the write can't be sent
    ///   as it is; `storageFull` if it can't be kept. Of a write that can't or may not be kept also
    ///   `notQueueable`, `connectivity` if its request did not leave, `behindQueue`, and
    ///   `outcomeUnknown` if it did and no answer came. `CancellationError` if the calling task is
    ///   cancelled before the write is kept or its request has left.
    @discardableResult
    public func execute() async throws -> WriteOutcome<Void> {
        try await call().map { OfflineResponse(ReadAnswer($0.value), value: ()) }
    }

    /// Writes, and decodes the rows that come back, off the caller's actor.
    ///
    /// - Parameter type: What to decode, such as `[TaskRow].self`; after `single()`, `TaskRow.self`.
    /// - Returns: What became of the write.
    /// - Throws: As ``execute()``; and with the reason `decoding` if the rows don't fit the type, though
    ///   the server has taken the write.
    @concurrent
    @discardableResult
    public func execute<T: Decodable & Sendable>(
        _ type: T.Type = T.self
    ) async throws -> WriteOutcome<T> {
        try checkReturning()
        return try decoded(type, try await call())
    }

    /// Writes, and decodes the rows that come back in the caller's isolation.
    ///
    /// It serves types that are not `Sendable`, or whose conformance to `Decodable` belongs to an
    /// actor.
    ///
    /// - Parameter type: What to decode, such as `[TaskRow].self`; after `single()`, `TaskRow.self`.
    /// - Returns: What became of the write.
    /// - Throws: As ``execute()``; and with the reason `decoding` if the rows don't fit the type, though
    ///   the server has taken the write.
    @discardableResult
    public func execute<T: Decodable>(
        _ type: T.Type = T.self
    ) async throws -> WriteOutcome<T> {
        try checkReturning()
        return try decoded(type, try await call())
    }

    private func call() async throws -> WriteOutcome<HTTPResponse> {
        try await WriteCall(request, options, client: client).run()
    }

    /// Refuses to decode what will not be there, before anything is sent.
    private func checkReturning() throws(OfflineError) {
        let returning = PostgrestReturningOptions.representation.rawValue
        // A function returns what it returns.
        guard case .table = request.target else { return }
        guard request.problem == nil, request.preference("return") != returning else { return }
        throw OfflineError(
            .invalidRequest(
                "There will be no rows to decode. Ask for them with select(), or with "
                    + "returning: .representation."),
            in: client.settings.context(request))
    }

    private func decoded<T: Decodable>(
        _ type: T.Type, _ outcome: WriteOutcome<HTTPResponse>
    ) throws -> WriteOutcome<T> {
        try outcome.map { answer in
            let body = answer.value.body
            let value = try decode(type, from: body, isList: body.first == .openingBracket)
            return OfflineResponse(ReadAnswer(answer.value), value: value)
        }
    }
}
