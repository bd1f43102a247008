// The requests that change rows, as they go on the wire.

/// A phase of a write.
///
/// Only this package conforms to it.
public protocol PostgrestChangingPhase: PostgrestPhase {}

/// A write that still takes filters.
public enum PostgrestWritePhase: PostgrestFilterablePhase, PostgrestChangingPhase {
    /// The phase in which its answer has begun to be shaped.
    public typealias Transformed = PostgrestReturnPhase
}

/// A write whose filters are complete.
public enum PostgrestReturnPhase: PostgrestChangingPhase {
    /// The same phase.
    public typealias Transformed = PostgrestReturnPhase
}

/// A write that still takes filters.
public typealias PostgrestWriteBuilder = PostgrestRequestBuilder<PostgrestWritePhase>

/// A write whose filters are complete.
public typealias PostgrestReturnBuilder = PostgrestRequestBuilder<PostgrestReturnPhase>

extension PostgrestQueryBuilder {
    /// Adds rows.
    ///
    /// - Parameters:
    ///   - values: A row, or an array of rows; a column that one of them lacks becomes null there.
    ///   - returning: What to return; nil leaves it to the server, which returns nothing.
    ///   - count: What the server should count.
    ///   - policy: Whether the write may be kept until the server is there.
    /// - Returns: The write.
    public func insert(
        _ values: some Encodable, returning: PostgrestReturningOptions? = nil,
        count: CountOption? = nil, policy: WritePolicy = .queueWhenOffline
    ) -> PostgrestWriteBuilder {
        write("POST", values, policy) { request in
            client.fillKeys(of: &request)
            request.nameColumns()
            if let returning { request.prefer("return", returning.rawValue) }
            if let count { request.prefer("count", count.rawValue) }
        }
    }

    /// Adds rows, and changes those that are there.
    ///
    /// - Parameters:
    ///   - values: A row, or an array of rows.
    ///   - onConflict: The columns, separated by commas, by which a row is known to be there; nil
    ///     stands for the primary key.
    ///   - returning: What to return; rows that are left as they are are not returned.
    ///   - count: What the server should count.
    ///   - ignoreDuplicates: Whether rows that are there are left as they are.
    ///   - policy: Whether the write may be kept until the server is there.
    /// - Returns: The write.
    public func upsert(
        _ values: some Encodable, onConflict: String? = nil,
        returning: PostgrestReturningOptions = .representation, count: CountOption? = nil,
        ignoreDuplicates: Bool = false, policy: WritePolicy = .queueWhenOffline
    ) -> PostgrestWriteBuilder {
        write("POST", values, policy) { request in
            if let onConflict { request.replace("on_conflict", onConflict) }
            client.fillKeys(of: &request)
            request.nameColumns()
            request.prefer(
                "resolution", ignoreDuplicates ? "ignore-duplicates" : "merge-duplicates")
            request.prefer("return", returning.rawValue)
            if let count { request.prefer("count", count.rawValue) }
        }
    }

    /// Changes columns of the rows that the filters keep.
    ///
    /// - Parameters:
    ///   - values: The columns and their new values.
    ///   - returning: What to return.
    ///   - count: What the server should count.
    ///   - policy: Whether the write may be kept until the server is there.
    /// - Returns: The write, which is refused without a filter.
    public func update(
        _ values: some Encodable, returning: PostgrestReturningOptions = .representation,
        count: CountOption? = nil, policy: WritePolicy = .queueWhenOffline
    ) -> PostgrestWriteBuilder {
        write("PATCH", values, policy) { request in
            request.prefer("return", returning.rawValue)
            if let count { request.prefer("count", count.rawValue) }
        }
    }

    /// Removes the rows that the filters keep.
    ///
    /// - Parameters:
    ///   - returning: What to return.
    ///   - count: What the server should count.
    ///   - policy: Whether the write may be kept until the server is there.
    /// - Returns: The write, which is refused without a filter.
    public func delete(
        returning: PostgrestReturningOptions = .representation, count: CountOption? = nil,
        policy: WritePolicy = .queueWhenOffline
    ) -> PostgrestWriteBuilder {
        var request = PostgrestRequest(.table(table), schema: schema, method: "DELETE")
        request.prefer("return", returning.rawValue)
        if let count { request.prefer("count", count.rawValue) }
        return .init(client: client, request: request, options: WriteOptions(policy: policy))
    }

    private func write(
        _ method: String, _ values: some Encodable, _ policy: WritePolicy,
        _ change: (inout PostgrestRequest) -> Void
    ) -> PostgrestWriteBuilder {
        var request = PostgrestRequest(.table(table), schema: schema, method: method)
        request.encode(values, by: client.encoder)
        change(&request)
        return .init(client: client, request: request, options: WriteOptions(policy: policy))
    }
}

extension SupabaseOfflineClient {
    /// Gives the rows of an insert or an upsert keys, where the app has asked for that.
    ///
    /// An upsert that finds its rows by other columns gets none: it would change the keys of rows that are
    /// there.
    fileprivate func fillKeys(of request: inout PostgrestRequest) {
        guard let name = settings.uuidKey(of: request) else { return }
        let conflict = request.items.first { $0.name == "on_conflict" }?.value
        guard conflict == nil || conflict == name else { return }
        request.fillKey(name) { runtime.makeID().lowercased }
    }
}

extension PostgrestRequestBuilder where Phase == PostgrestWritePhase {
    /// Says which columns of the written rows to return.
    ///
    /// - Parameter columns: What to return, in PostgREST's syntax.
    /// - Returns: The request so changed.
    public func select(
        _ columns: String = "*"
    ) -> PostgrestReturnBuilder {
        transformed { $0.returnRepresentation(of: columns) }
    }
}

extension PostgrestRequestBuilder where Phase == PostgrestWritePhase {
    /// Lets an update or a delete hit a row only if a column still has the value that the user saw.
    ///
    /// A column that changes with every write serves best, such as `updated_at`. If nobody has touched
    /// the row, the write is done as without this; else nothing is changed, and the write throws
    /// ``OfflineError/Reason/conflict(_:)`` with the row as it is now. Without this call, the last
    /// writer wins.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - value: Its value as the user saw it; nil is null.
    /// - Returns: The write with the guard.
    public func ifUnchanged(
        _ column: String, _ value: (some PostgrestFilterValue)?
    ) -> Self {
        changed { request in
            request.appendGuard(column, value.map { "eq.\($0.rawValue)" } ?? "is.null")
        }
    }
}

extension PostgrestRequestBuilder where Phase: PostgrestChangingPhase {
    /// Says that this write has no sense without another one.
    ///
    /// It is sent after that one in any case. If that one is rejected, this one joins the rejected
    /// writes with it, and ``SupabaseOfflineClient/retry(_:)`` takes both back.
    ///
    /// - Parameter mutation: The other write.
    /// - Returns: The write with the dependency.
    public func after(_ mutation: PendingMutation) -> Self {
        with { $0.dependencies.append(mutation.id) }
    }

    /// Keeps an update apart from those before it.
    ///
    /// Without this, an update of one row goes into the update of the same row before it, as long as
    /// that has not been sent: fifty keystrokes are one request.
    ///
    /// - Returns: The write so changed.
    public func separately() -> Self {
        with { $0.isSeparate = true }
    }
}

extension PostgrestRequest {
    /// Names the columns of a body of several rows, because PostgREST refuses rows whose columns
    /// differ, unless it is told which to read.
    mutating func nameColumns() {
        guard let body, body.first != .openingBrace, let rows = body.rowColumnNames else { return }
        let columns = Set(rows.joined()).sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self).doubleQuoted }
        replace("columns", columns.joined(separator: ","))
    }
}
