// The requests that change rows. They are built here as they go on the wire; what sends them comes with
// the queue, and until then they are not public.

/// A write that still takes filters.
package enum PostgrestWritePhase: PostgrestFilterablePhase {
    package typealias Transformed = PostgrestReturnPhase
}

/// A write whose filters are complete.
package enum PostgrestReturnPhase: PostgrestPhase {
    package typealias Transformed = PostgrestReturnPhase
}

extension PostgrestQueryBuilder {
    /// Adds rows.
    ///
    /// - Parameters:
    ///   - values: A row, or an array of rows; a column that one of them lacks becomes null there.
    ///   - returning: What to return; nil leaves it to the server, which returns nothing.
    ///   - count: What the server should count.
    /// - Returns: The write.
    package func insert(
        _ values: some Encodable, returning: PostgrestReturningOptions? = nil,
        count: CountOption? = nil
    ) -> PostgrestRequestBuilder<PostgrestWritePhase> {
        write("POST", values) { request in
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
    ///   - returning: What to return.
    ///   - count: What the server should count.
    ///   - ignoreDuplicates: Whether rows that are there are left as they are.
    /// - Returns: The write.
    package func upsert(
        _ values: some Encodable, onConflict: String? = nil,
        returning: PostgrestReturningOptions = .representation, count: CountOption? = nil,
        ignoreDuplicates: Bool = false
    ) -> PostgrestRequestBuilder<PostgrestWritePhase> {
        write("POST", values) { request in
            if let onConflict { request.replace("on_conflict", onConflict) }
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
    /// - Returns: The write.
    package func update(
        _ values: some Encodable, returning: PostgrestReturningOptions = .representation,
        count: CountOption? = nil
    ) -> PostgrestRequestBuilder<PostgrestWritePhase> {
        write("PATCH", values) { request in
            request.prefer("return", returning.rawValue)
            if let count { request.prefer("count", count.rawValue) }
        }
    }

    /// Removes the rows that the filters keep.
    ///
    /// - Parameters:
    ///   - returning: What to return.
    ///   - count: What the server should count.
    /// - Returns: The write.
    package func delete(
        returning: PostgrestReturningOptions = .representation, count: CountOption? = nil
    ) -> PostgrestRequestBuilder<PostgrestWritePhase> {
        var request = PostgrestRequest(.table(table), schema: schema, method: "DELETE")
        request.prefer("return", returning.rawValue)
        if let count { request.prefer("count", count.rawValue) }
        return .init(client: client, request: request)
    }

    private func write(
        _ method: String, _ values: some Encodable,
        _ change: (inout PostgrestRequest) -> Void
    ) -> PostgrestRequestBuilder<PostgrestWritePhase> {
        var request = PostgrestRequest(.table(table), schema: schema, method: method)
        request.encode(values, by: client.encoder)
        change(&request)
        return .init(client: client, request: request)
    }
}

extension PostgrestRequestBuilder where Phase == PostgrestWritePhase {
    /// Says which columns of the written rows to return.
    ///
    /// - Parameter columns: What to return, in PostgREST's syntax.
    /// - Returns: The request so changed.
    package func select(
        _ columns: String = "*"
    ) -> PostgrestRequestBuilder<PostgrestReturnPhase> {
        transformed { $0.returnRepresentation(of: columns) }
    }
}

extension PostgrestRequest {
    /// Names the columns of a body of several rows, because PostgREST refuses rows whose columns
    /// differ, unless it is told which to read.
    fileprivate mutating func nameColumns() {
        guard let body,
            let directory = try? RowDirectory(
                scanning: body.span, columns: KeyColumns([]))
        else { return }
        var names: Set<Bytes> = []
        var members = RowMembers()
        for row in 0..<directory.count {
            guard (try? members.read(body.span, at: directory[row].lowerBound)) != nil else {
                return
            }
            for member in members.members {
                guard let name = member.nameText(in: body.span) else { return }
                names.insert(name)
            }
        }
        let columns = names.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
            "\""
                + String(decoding: name, as: UTF8.self).replacing("\\", with: "\\\\")
                .replacing("\"", with: "\\\"") + "\""
        }
        replace("columns", columns.joined(separator: ","))
    }
}
