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

    /// Executes the request and decodes its answer in the caller's isolation.
    ///
    /// - Parameter type: What to decode, such as `[TaskRow].self`.
    /// - Returns: The answer.
    /// - Throws: ``OfflineError``, with the reason `decoding` if the rows don't fit the type, or
    ///   `CancellationError` if the calling task is cancelled.
    @discardableResult
    public func execute<T: Decodable>(
        _ type: T.Type = T.self
    ) async throws -> OfflineResponse<T> {
        let answer = try await ReadCall(request, strategy, client: client).run()
        let data = Data(answer.body)
        do {
            let value = try client.decoder.decode(type, from: data)
            return OfflineResponse(answer, value: value, data: data)
        } catch {
            let context = client.settings.context("select", request)
            throw OfflineError(.decoding, in: context, underlying: error)
        }
    }
}
