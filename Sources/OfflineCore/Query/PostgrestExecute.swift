import FoundationEssentials

extension PostgrestRequestBuilder where Phase: PostgrestExecutablePhase {
    /// Executes the request without decoding its answer.
    ///
    /// - Returns: The answer; its rows are in ``OfflineResponse/data``.
    /// - Throws: ``OfflineError``, or `CancellationError` if the calling task is cancelled.
    @discardableResult
    public func execute() async throws -> OfflineResponse<Void> {
        let answer = try await ReadCall(request, strategy, client: client).run()
        return OfflineResponse(answer, value: (), data: Data(answer.body))
    }

    /// Executes the request and decodes its answer, off the caller's actor.
    ///
    /// A list of some thousand rows thus doesn't hold up the main thread.
    ///
    /// - Parameter type: What to decode, such as `[TaskRow].self`.
    /// - Returns: The answer.
    /// - Throws: ``OfflineError``, with the reason `decoding` if the rows don't fit the type, or
    ///   `CancellationError` if the calling task is cancelled.
    @concurrent
    @discardableResult
    public func execute<T: Decodable & Sendable>(
        _ type: T.Type = T.self
    ) async throws -> OfflineResponse<T> {
        try decoded(type, try await ReadCall(request, strategy, client: client).run())
    }

    /// Executes the request and decodes its answer in the caller's isolation.
    ///
    /// It serves types that are not `Sendable`, or whose conformance to `Decodable` belongs to an
    /// actor.
    ///
    /// - Parameter type: What to decode, such as `[TaskRow].self`.
    /// - Returns: The answer.
    /// - Throws: ``OfflineError``, with the reason `decoding` if the rows don't fit the type, or
    ///   `CancellationError` if the calling task is cancelled.
    @discardableResult
    public func execute<T: Decodable>(
        _ type: T.Type = T.self
    ) async throws -> OfflineResponse<T> {
        try decoded(type, try await ReadCall(request, strategy, client: client).run())
    }

    private func decoded<T: Decodable>(
        _ type: T.Type, _ answer: ReadAnswer
    ) throws -> OfflineResponse<T> {
        let data = Data(answer.body)
        do {
            let value =
                if let decoder = client.decoder {
                    try decoder.decode(type, from: data)
                } else if request.shape == .list {
                    try RowDecoder().decode(type, from: answer.body)
                } else {
                    try JSONDecoder.supabase().decode(type, from: data)
                }
            return OfflineResponse(answer, value: value, data: data)
        } catch {
            let context = client.settings.context("select", request)
            throw OfflineError(.decoding, in: context, underlying: error)
        }
    }
}
