import OfflineCore

/// What has to hold for any query and any row.
enum FilterChecks {
    /// A type for every column that a query can name in one letter.
    private static let types: [[String: PostgresType]] = [
        [:],
        [
            "a": "int8", "b": "numeric", "c": "float4", "d": "bool", "e": "text", "f": "bpchar",
            "g": "citext", "h": "uuid", "i": "bytea", "j": "jsonb",
        ],
        [
            "a": "date", "b": "timestamptz", "c": "interval", "d": "time", "e": "int4range",
            "f": "tstzrange", "g": "text[]", "h": "numeric[]", "i": "inet", "j": "json",
            "k": .enumeration(["x", "y"]),
        ],
    ]

    static func run(query: String, row: Bytes) {
        var request = PostgrestRequest(.table("t"), schema: "public", method: "GET")
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { request.append(String(parts[0]), String(parts[1])) }
        }
        var evidence = ColumnEvidence()
        evidence.add(row: row.span)
        for types in types {
            checkFilter(request.items, row, types, evidence)
            checkOrder(request.items, row, types, evidence)
        }
    }

    private static func checkFilter(
        _ items: [PostgrestRequest.Item], _ row: Bytes, _ types: [String: PostgresType],
        _ evidence: ColumnEvidence
    ) {
        let filter = RowFilter(of: items, types: types, evidence: evidence)
        let truth = filter.truth(of: row.span)
        check(!truth.isEmpty, "a result is possible")
        check(truth == filter.truth(of: row.span), "a result is found again")
        let twice = RowFilter(of: items + items, types: types, evidence: evidence)
        let again = twice.truth(of: row.span)
        check(truth.admits == nil || again.admits == truth.admits, "what holds holds twice")
        let isJSON = (try? JSONScanner.validate(row.span)) != nil
        check(isJSON || truth == .undecidable, "only a row is decided")
    }

    private static func checkOrder(
        _ items: [PostgrestRequest.Item], _ row: Bytes, _ types: [String: PostgresType],
        _ evidence: ColumnEvidence
    ) {
        let order = RowOrder(of: items, types: types, evidence: evidence)
        let own = order.compare(row.span, row.span)
        check(own == .equal || own == .undecidable, "a row is equal to itself")
    }
}
