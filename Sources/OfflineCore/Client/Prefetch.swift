extension SupabaseOfflineClient {
    /// How many lists are read at once when several are fetched beforehand.
    static let prefetchWidth = 4

    /// Reads lists from the server, so that they are on the device when the network is gone.
    ///
    /// ```swift
    /// let outcomes = await client.prefetch([
    ///     client.from("tasks").select().order("created_at"),
    ///     client.from("projects").select(),
    /// ])
    /// ```
    ///
    /// A list is found again by the same read: the same table, columns, filters, order and page. The
    /// strategies of the reads don't count here.
    ///
    /// - Parameter reads: The reads; four of them are made at once.
    /// - Returns: What each came to, in their order: the answer, or an ``OfflineError``; a
    ///   `CancellationError` if the calling task is cancelled.
    public func prefetch(
        _ reads: [any PostgrestPrefetchable]
    ) async -> [Result<OfflineResponse<Void>, any Error>] {
        var outcomes = [Result<OfflineResponse<Void>, any Error>?](
            repeating: nil, count: reads.count)
        await withTaskGroup(of: (Int, Result<OfflineResponse<Void>, any Error>).self) { group in
            for (index, read) in reads.enumerated() {
                if index >= Self.prefetchWidth, let (done, outcome) = await group.next() {
                    outcomes[done] = outcome
                }
                group.addTask { (index, await read.outcome()) }
            }
            for await (done, outcome) in group { outcomes[done] = outcome }
        }
        return outcomes.map { $0 ?? .failure(CancellationError()) }
    }
}

/// A read whose list can be fetched beforehand.
///
/// Only this package conforms to it.
public protocol PostgrestPrefetchable: Sendable {
    /// Reads the list from the server, whatever the strategy of the read.
    ///
    /// - Returns: The answer, which is kept as any other.
    /// - Throws: ``OfflineError``, or `CancellationError` if the calling task is cancelled.
    @discardableResult
    func fetch() async throws -> OfflineResponse<Void>
}

extension PostgrestPrefetchable {
    fileprivate func outcome() async -> Result<OfflineResponse<Void>, any Error> {
        do { return .success(try await fetch()) } catch { return .failure(error) }
    }
}

extension PostgrestRequestBuilder: PostgrestPrefetchable where Phase: PostgrestReadPhase {
    /// Reads the list from the server, whatever the strategy of the read.
    ///
    /// - Returns: The answer, which is kept as any other.
    /// - Throws: ``OfflineError``, or `CancellationError` if the calling task is cancelled.
    @discardableResult
    public func fetch() async throws -> OfflineResponse<Void> {
        try await PostgrestRequestBuilder(client: client, request: request, strategy: .networkOnly)
            .execute()
    }
}
