/// A request to PostgREST as its builder left it: without server, token and key.
package struct PostgrestRequest: Hashable, Sendable {
    /// One item of the query, not yet encoded.
    package struct Item: Hashable, Sendable {
        package let name: String
        package var value: String
    }

    /// What kind of answer a read asks for.
    package enum Shape: Hashable, Sendable {
        /// Rows: kept on the device.
        case list
        /// Anything else: a total beside the rows, a head, or headers of the app's own session.
        case other
    }

    package let table: String
    package let schema: String
    /// `GET`, or `HEAD` where no rows are wanted.
    package var method: String
    package private(set) var items: [Item] = []
    /// The headers that the app set.
    package var headers: HTTPHeaders = [:]
    /// What the server should count beside the rows.
    package var count: CountOption?
    /// Whether a failed read may be sent again.
    package var isRetried = true
    /// Why the request can't be sent, if so; found while building and thrown when executing.
    package private(set) var problem: String?

    package init(table: String, schema: String, method: String) {
        self.table = table
        self.schema = schema
        self.method = method
        if table.isEmpty {
            problem = "The table has no name. Give one to from(_:)."
        } else if schema.isEmpty {
            problem = "The schema has no name. Give one to schema(_:), or leave it out."
        }
    }

    /// Adds an item behind the others; filters on one column all count.
    package mutating func append(_ name: String, _ value: String) {
        items.append(Item(name: name, value: value))
    }

    /// Puts an item in the place of an earlier one of its name.
    package mutating func replace(_ name: String, _ value: String) {
        guard let index = items.firstIndex(where: { $0.name == name }) else {
            return append(name, value)
        }
        items[index].value = value
    }

    /// Adds to an item with a comma, as several orders make one.
    package mutating func extend(_ name: String, _ value: String) {
        guard let index = items.firstIndex(where: { $0.name == name }) else {
            return append(name, value)
        }
        items[index].value += "," + value
    }

    /// Notes why the request can't be sent; the first reason counts.
    package mutating func refuse(_ problem: String) {
        self.problem = self.problem ?? problem
    }

    /// What the answer will look like, known before anything is sent.
    package var shape: Shape {
        method == "GET" && count == nil && !hasOwnSession ? .list : .other
    }

    /// Whether the app itself says who asks; such an answer belongs to nobody we know.
    package var hasOwnSession: Bool {
        headers["Authorization"] != nil || headers["apikey"] != nil
    }

    /// The items, percent-encoded and joined.
    package var query: String {
        items.map { "\($0.name.percentEncodedQuery)=\($0.value.percentEncodedQuery)" }
            .joined(separator: "&")
    }

    /// Path and query below the server's `/rest/v1`.
    package var target: String {
        let path = "/" + table.percentEncodedPathSegment
        return items.isEmpty ? path : path + "?" + query
    }
}

/// How the server counts the rows that a read is about.
public struct CountOption: RawRepresentable, Hashable, Sendable {
    /// The word in the `Prefer` header.
    public let rawValue: String

    /// Creates an option that PostgREST knows by this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Counts them: exact and slow.
    public static let exact = CountOption(rawValue: "exact")
    /// Asks the planner: fast and rough.
    public static let planned = CountOption(rawValue: "planned")
    /// Counts few rows and asks the planner about many.
    public static let estimated = CountOption(rawValue: "estimated")
}
