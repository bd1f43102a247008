extension PostgrestRequestBuilder where Phase: PostgrestExecutablePhase {
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
    ) -> PostgrestTransformBuilder {
        let direction = ascending ? "asc" : "desc"
        let nulls = nullsFirst ? "nullsfirst" : "nullslast"
        return moved(to: PostgrestTransformPhase.self).changed { request in
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
    public func limit(_ count: Int, referencedTable: String? = nil) -> PostgrestTransformBuilder {
        moved(to: PostgrestTransformPhase.self).changed { request in
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
    ) -> PostgrestTransformBuilder {
        moved(to: PostgrestTransformPhase.self).changed { request in
            let (last, overflows) = to.subtractingReportingOverflow(from)
            guard from >= 0, last >= 0, !overflows, last < .max else {
                return request.refuse(
                    "range(from: \(from), to: \(to)): give 0 ≤ from ≤ to; both rows are included.")
            }
            request.replace("offset".item(of: referencedTable), String(from))
            request.replace("limit".item(of: referencedTable), String(last + 1))
        }
    }
}

extension String {
    /// The name of a query item for the read itself, or for a table that it embeds.
    func item(of referencedTable: String?) -> String {
        referencedTable.map { "\($0).\(self)" } ?? self
    }
}
