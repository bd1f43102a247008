package import FoundationEssentials

/// A request to PostgREST as its builder left it: without server, token and key.
package struct PostgrestRequest: Hashable, Sendable {
    /// What a request is about.
    package enum Target: Hashable, Sendable {
        case table(String)
        case function(String)

        package var name: String {
            switch self {
            case .table(let name), .function(let name): name
            }
        }
    }

    /// One item of the query, not yet encoded.
    package struct Item: Hashable, Sendable {
        package let name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What kind of answer a request asks for.
    package enum Shape: Hashable, Sendable {
        /// Rows: kept on the device.
        case list
        /// One row or none (`maybeSingle`); none is no error.
        case optionalRow
        /// Anything else, which is returned as it comes.
        case other
    }

    package let target: Target
    package let schema: String
    package var method: String
    package private(set) var items: [Item] = []
    /// The headers that the request sets beside those that all have.
    package var headers: HTTPHeaders = [:]
    /// The body, as JSON.
    package var body: Bytes?
    /// Those of the items that hold only if nobody has changed the row meanwhile.
    package private(set) var guards: [Item] = []
    /// Whether a single row may be missing.
    package var isRowOptional = false
    /// Whether a failed read may be sent again.
    package var isRetried = true
    /// Why the request can't be sent, if so; found while building and thrown when executing.
    package private(set) var problem: String?

    /// The table; nil for a function.
    package var table: ListKey.Table? {
        guard case .table(let name) = target else { return nil }
        return ListKey.Table(name, schema: schema)
    }

    package init(_ target: Target, schema: String, method: String) {
        self.target = target
        self.schema = schema
        self.method = method
        if target.name.isEmpty {
            switch target {
            case .table: problem = "The table has no name. Give one to from(_:)."
            case .function: problem = "The function has no name. Give one to rpc(_:params:)."
            }
        } else if schema.isEmpty {
            problem = "The schema has no name. Give one to schema(_:), or leave it out."
        }
    }

    /// Takes a request that was kept.
    package init(
        kept target: Target, schema: String, method: String, items: [Item], guards: [Item]
    ) {
        self.init(target, schema: schema, method: method)
        self.items = items
        self.guards = guards
    }

    /// Adds an item behind the others; filters on one column all count.
    package mutating func append(_ name: String, _ value: String) {
        items.append(Item(name: name, value: value))
    }

    /// Adds an item that holds only if nobody has changed the row meanwhile.
    package mutating func appendGuard(_ name: String, _ value: String) {
        append(name, value)
        guards.append(Item(name: name, value: value))
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

    /// Asks PostgREST to prefer something, in the place of an earlier preference of that name.
    package mutating func prefer(_ name: String, _ value: String) {
        headers.mergePreferences("\(name)=\(value)")
    }

    /// Takes values as the body.
    package mutating func encode(_ values: some Encodable, by encoder: JSONEncoder) {
        do {
            body = Bytes(try encoder.encode(values))
        } catch EncodingError.invalidValue(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            refuse("The value of \"\(path)\" can't be written as JSON.")
        } catch {
            refuse("The values can't be written as JSON: \(type(of: error)).")
        }
    }

    /// Notes why the request can't be sent; the first reason counts.
    package mutating func refuse(_ problem: String) {
        self.problem = self.problem ?? problem
    }
}

// What follows from the rest.
extension PostgrestRequest {
    /// The media type of rows, which is asked for where a request names no other.
    package static let rows = "application/json"

    /// What the answer will look like, known before anything is sent.
    package var shape: Shape {
        guard case .table = target, method == "GET", !hasOwnSession,
            headers["Accept"] == nil || headers["Accept"] == Self.rows,
            !prefers("count"), !prefers("tx")
        else { return isRowOptional ? .optionalRow : .other }
        return .list
    }

    /// Whether nothing changes however often the request is sent.
    package var isSafe: Bool { method == "GET" || method == "HEAD" }

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
    package var address: String {
        let path =
            switch target {
            case .table(let name): "/" + name.percentEncodedPathSegment
            case .function(let name): "/rpc/" + name.percentEncodedPathSegment
            }
        return items.isEmpty ? path : path + "?" + query
    }

    /// Whether the server is asked to prefer something of this name.
    package func prefers(_ name: String) -> Bool { preference(name) != nil }

    /// What the server is asked to prefer under a name.
    package func preference(_ name: String) -> String? {
        headers.preferences.first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    /// The filters of a write, without those that guard it.
    ///
    /// A filter may say the same as a guard, and stays a filter.
    package var unguardedItems: [Item] {
        var rest = items
        for item in guards {
            guard let index = rest.lastIndex(of: item) else { continue }
            rest.remove(at: index)
        }
        return rest
    }
}

extension HTTPHeaders {
    /// The preferences of a request (RFC 7240), as PostgREST takes them.
    var preferences: [String] {
        values(for: "Prefer").flatMap { $0.split(separator: ",") }
            .map { $0.trimmingBlanks }.filter { !$0.isEmpty }
    }

    /// Adds preferences, each in the place of an earlier one of its name.
    mutating func mergePreferences(_ more: String) {
        var all = preferences
        for preference in more.split(separator: ",").map(\.trimmingBlanks) where !preference.isEmpty
        {
            let name = preference.prefix { $0 != "=" }
            if let index = all.firstIndex(where: { $0.prefix { $0 != "=" } == name }) {
                all[index] = preference
            } else {
                all.append(preference)
            }
        }
        self["Prefer"] = all.joined(separator: ",")
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
