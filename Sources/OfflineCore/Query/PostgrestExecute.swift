import FoundationEssentials

extension PostgrestRequestBuilder where Phase: PostgrestReadPhase {
    /// Executes the request without decoding its answer.
    ///
    /// - Parameter options: What else to ask for.
    /// - Returns: The answer; its rows are in ``OfflineResponse/data``.
    /// - Throws: ``OfflineError``, or `CancellationError` if the calling task is cancelled.
    @discardableResult
    public func execute(
        options: FetchOptions = FetchOptions()
    ) async throws -> OfflineResponse<Void> {
        let answer = try await read(options)
        return OfflineResponse(answer, value: (), data: Data(answer.body))
    }

    /// Executes the request and decodes its answer in the caller's isolation.
    ///
    /// - Parameters:
    ///   - type: What to decode, such as `[TaskRow].self`.
    ///   - options: What else to ask for.
    /// - Returns: The answer.
    /// - Throws: ``OfflineError``, with the reason `decoding` if the rows don't fit the type, or
    ///   `CancellationError` if the calling task is cancelled.
    @discardableResult
    public func execute<T: Decodable>(
        _ type: T.Type = T.self, options: FetchOptions = FetchOptions()
    ) async throws -> OfflineResponse<T> {
        let answer = try await read(options)
        let data = Data(answer.body)
        do {
            let value = try client.decoder.decode(type, from: data)
            return OfflineResponse(answer, value: value, data: data)
        } catch {
            let context = client.settings.context(request)
            throw OfflineError(.decoding, in: context, underlying: error)
        }
    }

    private func read(_ options: FetchOptions) async throws -> ReadAnswer {
        try await ReadCall(with(options).request, strategy, client: client).run()
    }
}

extension PostgrestRequestBuilder {
    /// The request with what is asked for at last.
    package func with(_ options: FetchOptions) -> Self {
        changed { request in
            if options.head { request.method = "HEAD" }
            if let count = options.count { request.prefer("count", count.rawValue) }
        }
    }
}
