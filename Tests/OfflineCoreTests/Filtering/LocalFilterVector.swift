import Foundation

@testable import OfflineCore

/// A request on one table with the rows that the server had and those that it gave.
struct LocalFilterVector: Sendable {
    let id: String
    let items: [PostgrestRequest.Item]
    /// The rows as bytes, so that no number loses a digit.
    let rows: [Bytes]
    /// The places of the rows that the server gave, in its order; nil if it refused.
    let indexes: [Int]?
    let types: [String: PostgresType]
    let order: String
    let isTypeFree: Bool
    let isDecidable: Bool
    /// The same without the order.
    let isFilterTypeFree: Bool
    let isFilterDecidable: Bool

    static let all: [LocalFilterVector] = {
        guard let directory = Vectors.directory,
            let data = try? Data(contentsOf: URL(filePath: "\(directory)/local-filters.json"))
        else { return [] }
        let bytes = Bytes(data)
        let ranges = JSONElements.ranges(of: bytes.span) ?? []
        return zip(ranges, Vectors.load("local-filters.json")).compactMap { range, json in
            LocalFilterVector(json, source: Bytes(bytes[range]))
        }
    }()

    /// Those that the server answered with rows.
    static let accepted = all.filter { $0.indexes != nil }

    private init?(_ json: [String: Any], source: Bytes) {
        guard let id = json["id"] as? String, let query = json["query"] as? String,
            let columns = json["columns"] as? [String: String]
        else { return nil }
        self.id = id
        items = [PostgrestRequest.Item](query: query)
        rows = Self.rows(of: source)
        indexes = json["expected"] is NSNull ? nil : json["indexes"] as? [Int]
        let enums = json["enums"] as? [String: [String]] ?? [:]
        let collations = json["collations"] as? [String: String] ?? [:]
        types = columns.reduce(into: [:]) { types, column in
            let type =
                enums[column.value].map { PostgresType.enumeration($0) }
                ?? PostgresType(column.value)
            types[column.key] = collations[column.key].map { type.collated($0) } ?? type
        }
        order = json["order"] as? String ?? "none"
        isTypeFree = json["typeFree"] as? Bool ?? false
        isDecidable = json["decidable"] as? Bool ?? false
        let filterOnly = json["filterOnly"] as? [String: Bool] ?? [:]
        isFilterTypeFree = filterOnly["typeFree"] ?? isTypeFree
        isFilterDecidable = filterOnly["decidable"] ?? isDecidable
    }

    private static func rows(of source: Bytes) -> [Bytes] {
        var members = RowMembers()
        guard (try? members.read(source.span)) != nil,
            let place = members.first(named: "rows", in: source)?.value
        else { return [] }
        let rows = Bytes(source[place])
        return (JSONElements.ranges(of: rows.span) ?? []).map { Bytes(rows[$0]) }
    }

    /// What the rows show of their columns' types.
    var evidence: ColumnEvidence {
        var evidence = ColumnEvidence()
        for row in rows { evidence.add(row: row.span) }
        return evidence
    }
}

extension [PostgrestRequest.Item] {
    /// The items of a percent-encoded query, as a server decodes it.
    init(query: String) {
        let request = query.split(separator: "&").reduce(
            into: PostgrestRequest(.table("t"), schema: "public", method: "GET")
        ) { request, item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacing("+", with: " ").removingPercentEncoding ?? "" }
            if parts.count == 2 { request.append(parts[0], parts[1]) }
        }
        self = request.items
    }
}
