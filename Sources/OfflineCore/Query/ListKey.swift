/// What makes two reads the same list.
///
/// Schema, table, every item of the query and every header set on the request. Filters are a set
/// for PostgREST, so their order doesn't count; every other item stands once, and what has an order
/// (columns, sort terms) has it inside its value. So the items may all be sorted.
package struct ListKey: Hashable, Sendable {
    /// The parts, percent-encoded, so that no value can pass for a separator.
    package let text: String
    /// The part of ``text`` that names the table.
    package let table: String

    package init(_ request: PostgrestRequest) {
        table = [request.schema, request.target.name].map(\.percentEncodedPathSegment)
            .joined(separator: "/")
        let items = request.items
            .map { "\($0.name.percentEncodedQuery)=\($0.value.percentEncodedQuery)" }.sorted()
        let headers = request.headers.fields
            .map { field in
                let name = field.name.lowercasedASCII
                return "\(name.percentEncodedQuery):\(field.value.percentEncodedQuery)"
            }.sorted()
        // Neither '&' nor '#' survives the encoding.
        text = ([table] + items).joined(separator: "&") + headers.map { "#" + $0 }.joined()
    }
}
