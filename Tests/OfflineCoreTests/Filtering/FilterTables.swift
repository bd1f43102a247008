import Testing

@testable import OfflineCore

/// One value, what is asked of it, and what is known of the answer.
struct FilterCase: Sendable, CustomTestStringConvertible {
    /// The JSON of column `c`.
    let value: String
    /// The item of the query, such as `c=eq.1`; without a name, a test of `c`.
    let query: String
    let expected: Truth
    var testDescription: String { "\(value) \(query)" }

    init(_ value: String, _ query: String, _ expected: Truth) {
        self.value = value
        self.query = query
        self.expected = expected
    }

    /// The result, for a column of a type.
    func truth(_ type: PostgresType? = nil, others: [String] = []) -> Truth {
        var evidence = ColumnEvidence()
        for value in others + [value] { evidence.add(row: Bytes("{\"c\":\(value)}").span) }
        let row = Bytes("{\"c\":\(value)}")
        return filter(type, evidence).truth(of: row.span)
    }

    private func filter(_ type: PostgresType?, _ evidence: ColumnEvidence) -> RowFilter {
        RowFilter(of: items, types: type.map { ["c": $0] } ?? [:], evidence: evidence)
    }

    private var items: [PostgrestRequest.Item] {
        var request = PostgrestRequest(.table("t"), schema: "public", method: "GET")
        let parts = query.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            request.append(String(parts[0]), String(parts[1]))
        } else {
            request.append("c", query)
        }
        return request.items
    }
}

extension RowFilter {
    /// The filters of items given by name and value.
    init(
        _ items: KeyValuePairs<String, String>, types: [String: PostgresType] = [:],
        rows: Selection? = nil
    ) {
        self.init(of: [PostgrestRequest.Item](items), types: types, rows: rows)
    }

    /// The result for a row as text.
    func truth(_ row: String) -> Truth { truth(of: Bytes(row).span) }
}

extension [PostgrestRequest.Item] {
    /// Items given by name and value.
    init(_ pairs: KeyValuePairs<String, String>) {
        var request = PostgrestRequest(.table("t"), schema: "public", method: "GET")
        for (name, value) in pairs { request.append(name, value) }
        self = request.items
    }
}

extension Truth {
    /// Undecidable for what may be true or false, but is no null.
    static let open = Truth.trueOrFalse
}
