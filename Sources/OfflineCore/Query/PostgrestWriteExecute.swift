extension PostgrestRequestBuilder where Phase: PostgrestChangingPhase {
    /// Writes, and doesn't decode what comes back.
    ///
    /// - Returns: What became of the write.
    /// - Throws: ``OfflineError``: `server` if the server refused, and nothing was changed unless
    ///   ``PostgrestError/mayHaveTakenEffect``; `connectivity` if the request did not leave;
    ///   `outcomeUnknown` if it did and no answer came; `conflict`; `invalidRequest` if the write can't
    ///   be sent as it is. `CancellationError` if the calling task is cancelled before the request has
    ///   left.
    @discardableResult
    public func execute() async throws -> WriteOutcome<Void> {
        let response = try await WriteCall(request, client: client).run()
        return .sent(OfflineResponse(ReadAnswer(response), value: ()))
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
        return try decoded(type, try await WriteCall(request, client: client).run())
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
        return try decoded(type, try await WriteCall(request, client: client).run())
    }

    /// Refuses to decode what will not be there, before anything is sent.
    private func checkReturning() throws(OfflineError) {
        let returning = PostgrestReturningOptions.representation.rawValue
        guard request.problem == nil, request.preference("return") != returning else { return }
        throw OfflineError(
            .invalidRequest(
                "There will be no rows to decode. Ask for them with select(), or with "
                    + "returning: .representation."),
            in: client.settings.context(request))
    }

    private func decoded<T: Decodable>(
        _ type: T.Type, _ response: HTTPResponse
    ) throws -> WriteOutcome<T> {
        let isList = response.body.first == .openingBracket
        let value = try decode(type, from: response.body, isList: isList)
        return .sent(OfflineResponse(ReadAnswer(response), value: value))
    }
}
