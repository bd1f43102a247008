import FoundationEssentials

extension PostgrestRequestBuilder where Phase: PostgrestReadPhase {
    /// Executes the read of a list and takes one row out of its answer.
    ///
    /// So a screen about one row works wherever its list does, without the network too:
    ///
    /// ```swift
    /// let task = try await client.from("tasks").select().order("created_at")
    ///     .row(id, as: TaskRow.self).value
    /// ```
    ///
    /// - Parameters:
    ///   - key: The value of the table's single key column.
    ///   - type: What to decode.
    /// - Returns: The row, with the list's origin and age; nil if the list doesn't hold it.
    /// - Throws: ``OfflineError``, with the reason `invalidRequest` if the read is of no list or the
    ///   key of another kind, or `CancellationError` if the calling task is cancelled.
    /// - Complexity: O(*n*) in the bytes of the list.
    public func row<T: Decodable>(
        _ key: some PostgrestFilterValue, as type: T.Type = T.self
    ) async throws -> OfflineResponse<T?> {
        let columns = client.settings.keyNames(of: request)
        guard columns.count == 1 else {
            throw refusal("The key of this table has \(columns.count) columns: give each by name.")
        }
        return try await row([columns[0]: key], as: type)
    }

    /// Executes the read of a list and takes one row out of its answer.
    ///
    /// - Parameters:
    ///   - key: The values of the table's key columns, by name.
    ///   - type: What to decode.
    /// - Returns: The row, with the list's origin and age; nil if the list doesn't hold it.
    /// - Throws: ``OfflineError``, with the reason `invalidRequest` if the read is of no list or the
    ///   key is not the table's, or `CancellationError` if the calling task is cancelled.
    /// - Complexity: O(*n*) in the bytes of the list.
    public func row<T: Decodable>(
        _ key: [String: any PostgrestFilterValue], as type: T.Type = T.self
    ) async throws -> OfflineResponse<T?> {
        guard request.shape == .list else {
            throw refusal(
                "A row is taken out of a list: leave out what makes this read another shape.")
        }
        let columns = client.settings.keyNames(of: request)
        guard Set(key.keys) == Set(columns) else {
            throw refusal("The key columns are \(columns.joined(separator: ", ")): give these.")
        }
        var values: [Bytes] = []
        for column in columns {
            guard let value = key[column]?.keyJSON else {
                throw refusal("The value of \"\(column)\" can't be compared with a key's.")
            }
            values.append(value)
        }
        return try decodeRow(RowKey(values: values), columns, try await read(), type)
    }

    private func decodeRow<T: Decodable>(
        _ key: RowKey?, _ columns: [String], _ answer: ReadAnswer, _ type: T.Type
    ) throws -> OfflineResponse<T?> {
        guard let key, let (row, isOwn) = answer.row(key, KeyColumns(columns)) else {
            return OfflineResponse(answer, value: nil, body: Bytes("null".utf8))
        }
        do {
            let value = try decode(type, from: row, isList: false)
            return OfflineResponse(answer, value: value, body: row)
        } catch {
            guard isOwn else { throw error }
            return OfflineResponse(
                answer, value: nil, body: row, undecodedKeys: [row.keyValues(columns)])
        }
    }

    private func refusal(_ problem: String) -> OfflineError {
        OfflineError(.invalidRequest(problem), in: client.settings.context(request))
    }
}

extension ReadAnswer {
    /// The bytes of the row with a key, and whether only the user's own write tells it; nil if there is
    /// none.
    fileprivate func row(
        _ key: RowKey, _ columns: KeyColumns
    ) -> (bytes: Bytes, isOwn: Bool)? {
        guard let directory = try? RowDirectory(scanning: body.span, columns: columns) else {
            return nil
        }
        for row in directory.rows(withHash: key.stableHash) {
            let range = directory[row]
            let bytes = body.span.extracting(range)
            // Another key may have the same hash.
            if (try? RowKey(ofRow: bytes, columns: columns)) == key {
                return (Bytes(copying: bytes), row >= directory.count - ownRows)
            }
        }
        return nil
    }
}

extension PostgrestFilterValue {
    /// The value as the server writes it in a row; nil where that can't be known.
    fileprivate var keyJSON: Bytes? {
        switch self {
        case let text as String: (try? JSONEncoder().encode(text)).map(Bytes.init)
        // PostgreSQL writes a UUID in lower case.
        case let id as UUID: Bytes("\"\(id.uuidString.lowercased())\"".utf8)
        case is Int, is Int64, is Decimal, is Bool: Bytes(rawValue.utf8)
        case let number as Double where number.isFinite: Bytes(rawValue.utf8)
        default: nil
        }
    }
}
