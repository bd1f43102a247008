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
        let answer = try await with(options).read()
        return OfflineResponse(answer, value: ())
    }

    /// Executes the request and decodes its answer, off the caller's actor.
    ///
    /// A list of some thousand rows thus doesn't hold up the main thread.
    ///
    /// - Parameters:
    ///   - type: What to decode, such as `[TaskRow].self`.
    ///   - options: What else to ask for.
    /// - Returns: The answer.
    /// - Throws: ``OfflineError``, with the reason `decoding` if the rows don't fit the type, or
    ///   `CancellationError` if the calling task is cancelled.
    @concurrent
    @discardableResult
    public func execute<T: Decodable & Sendable>(
        _ type: T.Type = T.self, options: FetchOptions = FetchOptions()
    ) async throws -> OfflineResponse<T> {
        let request = with(options)
        return try request.decoded(type, try await request.read())
    }

    /// Executes the request and decodes its answer in the caller's isolation.
    ///
    /// It serves types that are not `Sendable`, or whose conformance to `Decodable` belongs to an
    /// actor.
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
        let request = with(options)
        return try request.decoded(type, try await request.read())
    }

    func read() async throws -> ReadAnswer {
        try await ReadCall(request, strategy, client: client).run()
    }

    private func decoded<T: Decodable>(
        _ type: T.Type, _ answer: ReadAnswer
    ) throws -> OfflineResponse<T> {
        let isList = request.shape == .list
        do {
            return OfflineResponse(
                answer, value: try decode(type, from: answer.body, isList: isList))
        } catch {
            let names = client.settings.keyNames(of: request)
            let rest = OwnRows(of: answer, names) { row in
                (try? decode(type, from: row, isList: true)) != nil
            }
            guard let rest else { throw error }
            return OfflineResponse(
                answer, value: try decode(type, from: rest.decodable, isList: true),
                undecodedKeys: rest.undecodedKeys)
        }
    }
}

extension PostgrestRequestBuilder {
    /// Decodes an answer.
    ///
    /// - Parameters:
    ///   - type: What to decode.
    ///   - body: The answer.
    ///   - isList: Whether it is a list of rows.
    /// - Returns: The value.
    /// - Throws: ``OfflineError`` with the reason `decoding`.
    func decode<T: Decodable>(_ type: T.Type, from body: Bytes, isList: Bool) throws -> T {
        do {
            if let decoder = client.decoder { return try decoder.decode(type, from: Data(body)) }
            if isList { return try RowDecoder().decode(type, from: body) }
            return try JSONDecoder.supabase().decode(type, from: Data(body))
        } catch {
            throw decodingFailure(error)
        }
    }

    func decodingFailure(_ error: any Error) -> OfflineError {
        OfflineError(.decoding, in: client.settings.context(request), underlying: error)
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
