// The order, the part and the form of what comes back.
extension PostgrestRequestBuilder {
    /// Sorts the rows; a further call sorts what the ones before leave equal.
    ///
    /// - Parameters:
    ///   - column: The column, or a path into JSON.
    ///   - ascending: Whether lower values come first.
    ///   - nullsFirst: Whether rows without a value come first, in either direction.
    ///   - referencedTable: The embedded table whose rows to sort instead.
    /// - Returns: The request so changed.
    public func order(
        _ column: String, ascending: Bool = true, nullsFirst: Bool = false,
        referencedTable: String? = nil
    ) -> PostgrestRequestBuilder<Phase.Transformed> {
        let direction = ascending ? "asc" : "desc"
        let nulls = nullsFirst ? "nullsfirst" : "nullslast"
        return transformed { request in
            request.extend(
                "order".item(of: referencedTable), "\(column).\(direction).\(nulls)")
        }
    }

    /// Takes the first rows only.
    ///
    /// - Parameters:
    ///   - count: How many, zero or more.
    ///   - referencedTable: The embedded table whose rows to take instead.
    /// - Returns: The request so changed.
    public func limit(
        _ count: Int, referencedTable: String? = nil
    ) -> PostgrestRequestBuilder<Phase.Transformed> {
        transformed { request in
            if count < 0 { request.refuse("limit(\(count)): give zero or more.") }
            request.replace("limit".item(of: referencedTable), String(count))
        }
    }

    /// Takes the rows between two positions, both included.
    ///
    /// - Parameters:
    ///   - from: The position of the first row; 0 is the first of all.
    ///   - to: The position of the last row.
    ///   - referencedTable: The embedded table whose rows to take instead.
    /// - Returns: The request so changed.
    public func range(
        from: Int, to: Int, referencedTable: String? = nil
    ) -> PostgrestRequestBuilder<Phase.Transformed> {
        transformed { request in
            let (last, overflows) = to.subtractingReportingOverflow(from)
            guard from >= 0, last >= 0, !overflows, last < .max else {
                return request.refuse(
                    "range(from: \(from), to: \(to)): give 0 ≤ from ≤ to; both rows are included.")
            }
            request.replace("offset".item(of: referencedTable), String(from))
            request.replace("limit".item(of: referencedTable), String(last + 1))
        }
    }

    /// Asks for exactly one row, as an object instead of a list.
    ///
    /// The server refuses with `PGRST116` if there are none or several. Such an answer is never
    /// kept; to have one row without the server, read the list that it is in.
    public func single() -> PostgrestRequestBuilder<Phase.Transformed> {
        transformed { $0.headers["Accept"] = MediaType.object }
    }

    /// Asks for one row or none, as an object or null instead of a list.
    ///
    /// The server refuses with `PGRST116` if there are several. Such an answer is never kept.
    public func maybeSingle() -> PostgrestRequestBuilder<Phase.Transformed> {
        transformed { request in
            request.headers["Accept"] = MediaType.object
            request.isRowOptional = true
        }
    }

    /// Asks for comma-separated values.
    ///
    /// Such an answer is never kept.
    public func csv() -> PostgrestRequestBuilder<Phase.Transformed> {
        transformed { request in
            if request.headers["Accept"] == MediaType.strippedRows {
                request.refuse("csv() can't be combined with stripNulls(): leave one of them out.")
            }
            request.headers["Accept"] = "text/csv"
        }
    }

    /// Asks for GeoJSON.
    ///
    /// Such an answer is never kept.
    public func geojson() -> PostgrestRequestBuilder<Phase.Transformed> {
        transformed { $0.headers["Accept"] = "application/geo+json" }
    }

    /// Asks for rows without the columns that are null.
    ///
    /// Such an answer is never kept.
    ///
    /// It is asked for by media type, as PostgREST documents it; supabase-swift sends a preference
    /// that PostgREST doesn't know.
    public func stripNulls() -> PostgrestRequestBuilder<Phase.Transformed> {
        transformed { request in
            switch request.headers["Accept"] {
            case "text/csv":
                request.refuse("stripNulls() can't be combined with csv(): leave one of them out.")
            case MediaType.object: request.headers["Accept"] = MediaType.strippedObject
            default: request.headers["Accept"] = MediaType.strippedRows
            }
        }
    }

    /// Asks how PostgreSQL would go about it, instead of the rows.
    ///
    /// Such an answer is never kept.
    ///
    /// PostgREST answers so only if its setting `db-plan-enabled` is on.
    ///
    /// - Parameters:
    ///   - analyze: Whether to execute the query and tell the times that it really took.
    ///   - verbose: Whether to name the columns of each step.
    ///   - settings: Whether to name settings that differ from their defaults.
    ///   - buffers: Whether to count the blocks that were touched.
    ///   - wal: Whether to count the records of the write-ahead log.
    ///   - format: The form of the answer.
    /// - Returns: The request so changed.
    public func explain(
        analyze: Bool = false, verbose: Bool = false, settings: Bool = false,
        buffers: Bool = false, wal: Bool = false, format: ExplainFormat = .text
    ) -> PostgrestRequestBuilder<Phase.Transformed> {
        let options = [
            (analyze, "analyze"), (verbose, "verbose"), (settings, "settings"),
            (buffers, "buffers"), (wal, "wal"),
        ].filter(\.0).map(\.1).joined(separator: "|")
        return transformed { request in
            let explained = request.headers["Accept"] ?? MediaType.rows
            request.headers["Accept"] =
                "\(MediaType.plan)+\(format.rawValue); for=\"\(explained)\"; "
                + "options=\(options);"
        }
    }

    /// Refuses to change more than so many rows.
    public func maxAffected(_ count: Int) -> PostgrestRequestBuilder<Phase.Transformed> {
        transformed { request in
            request.prefer("handling", "strict")
            request.prefer("max-affected", String(count))
        }
    }

    /// Lets the server undo what it does, so that only the answer tells what would have become of it.
    ///
    /// The server has to allow it (`db-tx-end`); Supabase does not. Such an answer is never kept.
    public func dryRun() -> PostgrestRequestBuilder<Phase.Transformed> {
        transformed { $0.prefer("tx", "rollback") }
    }
}

extension PostgrestRequestBuilder where Phase: PostgrestReadPhase {
    /// Says which columns of a function's rows to return.
    ///
    /// - Parameter columns: What to return, in PostgREST's syntax.
    /// - Returns: The request so changed.
    public func select(
        _ columns: String = "*"
    ) -> PostgrestRequestBuilder<Phase.Transformed> {
        transformed { $0.returnRepresentation(of: columns) }
    }
}

extension PostgrestRequest {
    mutating func returnRepresentation(of columns: String) {
        replace("select", columns.withoutBlanksOutsideQuotes)
        prefer("return", PostgrestReturningOptions.representation.rawValue)
    }
}

/// The media types of PostgREST.
enum MediaType {
    static let rows = PostgrestRequest.rows
    static let object = "application/vnd.pgrst.object+json"
    static let strippedRows = "application/vnd.pgrst.array+json;nulls=stripped"
    static let strippedObject = "application/vnd.pgrst.object+json;nulls=stripped"
    /// What those of plans begin with.
    static let plan = "application/vnd.pgrst.plan"
}

extension String {
    /// The name of a query item for the read itself, or for a table that it embeds.
    func item(of referencedTable: String?) -> String {
        referencedTable.map { "\($0).\(self)" } ?? self
    }
}
