/// What makes two reads the same list.
///
/// Schema, table, every item of the query and every header set on the request. Filters are a set
/// for PostgREST, so their order doesn't count; every other item stands once, and what has an order
/// (columns, sort terms) has it inside its value. So the items may all be sorted.
package struct ListKey: Hashable, Sendable {
    /// The table of a list, with its schema.
    package struct Table: Hashable, Sendable {
        /// Schema and name, percent-encoded.
        package let text: String

        package init(_ name: String, schema: String) {
            text = [schema, name].map(\.percentEncodedPathSegment).joined(separator: "/")
        }

        init(kept text: String) { self.text = text }

        /// The schema, as the app names it.
        var schema: String { text.prefix { $0 != "/" }.percentDecoded ?? "" }
    }

    /// The parts, percent-encoded, so that no value can pass for a separator.
    package let text: String
    /// The part of ``text`` that names the table.
    package let table: Table

    package init(_ request: PostgrestRequest) {
        table = Table(request.target.name, schema: request.schema)
        let items = request.items
            .map { "\($0.name.percentEncodedQuery)=\($0.value.percentEncodedQuery)" }.sorted()
        let headers = request.headers.fields
            .map { field in
                let name = field.name.lowercasedASCII
                return "\(name.percentEncodedQuery):\(field.value.percentEncodedQuery)"
            }.sorted()
        // Neither '&' nor '#' survives the encoding.
        text = ([table.text] + items).joined(separator: "&") + headers.map { "#" + $0 }.joined()
    }

    /// Takes a key that was kept.
    package init(kept text: String) {
        self.text = text
        table = Table(kept: String(text.prefix { $0 != "&" && $0 != "#" }))
    }

    /// The items of the query, in the order of the key.
    ///
    /// - Complexity: O(*n*).
    package var items: [PostgrestRequest.Item] {
        text.prefix { $0 != "#" }.split(separator: "&").dropFirst().compactMap { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = parts[0].percentDecoded,
                let value = parts[1].percentDecoded
            else { return nil }
            return PostgrestRequest.Item(name: name, value: value)
        }
    }

    /// Whether the request sets a header, whose name is given in small letters.
    func hasHeader(_ name: String) -> Bool {
        text.split(separator: "#").dropFirst().contains {
            $0.hasPrefix(name.percentEncodedQuery + ":")
        }
    }
}
