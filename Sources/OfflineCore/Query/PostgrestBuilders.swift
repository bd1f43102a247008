/// A request in the making: a value that each call copies and changes.
///
/// What can be called next depends on the phase: first what to do, then filters, then transforms.
public struct PostgrestRequestBuilder<Phase: PostgrestPhase>: Sendable {
    let client: SupabaseOfflineClient
    package private(set) var request: PostgrestRequest
    let strategy: ReadStrategy
    private(set) var options: WriteOptions

    init(
        client: SupabaseOfflineClient, request: PostgrestRequest,
        strategy: ReadStrategy = .networkOnly, options: WriteOptions = WriteOptions()
    ) {
        self.client = client
        self.request = request
        self.strategy = strategy
        self.options = options
    }

    /// A copy with other options.
    func with(_ change: (inout WriteOptions) -> Void) -> Self {
        var copy = self
        change(&copy.options)
        return copy
    }

    /// A changed copy.
    func changed(_ change: (inout PostgrestRequest) -> Void) -> Self {
        var copy = self
        change(&copy.request)
        return copy
    }

    /// A changed copy whose filters are complete.
    func transformed(
        _ change: (inout PostgrestRequest) -> Void
    ) -> PostgrestRequestBuilder<Phase.Transformed> {
        PostgrestRequestBuilder<Phase.Transformed>(
            client: client, request: changed(change).request, strategy: strategy,
            options: options)
    }
}

/// How far a request is made.
///
/// Only this package conforms to it.
public protocol PostgrestPhase {
    /// The phase in which its answer has begun to be shaped.
    associatedtype Transformed: PostgrestPhase
}

/// A phase in which filters can be added.
///
/// Only this package conforms to it.
public protocol PostgrestFilterablePhase: PostgrestPhase {}

/// A phase of a read, or of a call of a function.
///
/// Only this package conforms to it.
public protocol PostgrestReadPhase: PostgrestPhase {}

/// A read that still takes filters.
public enum PostgrestFilterPhase: PostgrestFilterablePhase, PostgrestReadPhase {
    /// The phase in which its answer has begun to be shaped.
    public typealias Transformed = PostgrestTransformPhase
}

/// A read whose filters are complete.
public enum PostgrestTransformPhase: PostgrestReadPhase {
    /// The same phase.
    public typealias Transformed = PostgrestTransformPhase
}

/// A read that still takes filters.
public typealias PostgrestFilterBuilder = PostgrestRequestBuilder<PostgrestFilterPhase>

/// A read whose filters are complete.
public typealias PostgrestTransformBuilder = PostgrestRequestBuilder<PostgrestTransformPhase>

/// A table, before it is said what to do with it.
public struct PostgrestQueryBuilder: Sendable {
    let client: SupabaseOfflineClient
    let table: String
    let schema: String

    /// Reads rows.
    ///
    /// - Parameters:
    ///   - columns: What to read, in PostgREST's syntax: columns, `alias:column`, `column::type`,
    ///     `related(columns)`. Blanks outside double quotes are dropped.
    ///   - head: Whether to ask for the answer's head alone. Such an answer is never kept.
    ///   - count: What the server should count. An answer with a count is never kept, rows and all:
    ///     read the rows and the count separately.
    ///   - readStrategy: From where to take the rows.
    /// - Returns: The read, to be narrowed, shaped and executed.
    public func select(
        _ columns: String = "*", head: Bool = false, count: CountOption? = nil,
        readStrategy: ReadStrategy = .networkFirst
    ) -> PostgrestFilterBuilder {
        var request = PostgrestRequest(
            .table(table), schema: schema, method: head ? "HEAD" : "GET")
        request.append("select", columns.withoutBlanksOutsideQuotes)
        if let count { request.prefer("count", count.rawValue) }
        return PostgrestFilterBuilder(client: client, request: request, strategy: readStrategy)
    }
}

extension PostgrestRequestBuilder {
    /// Sets a header of the request, in the place of an earlier one.
    ///
    /// A request with its own `Authorization` or `apikey` is neither kept nor answered from the
    /// device.
    ///
    /// - Parameters:
    ///   - name: The name. `Accept-Profile` and `Content-Profile` are refused when the request is
    ///     executed: a schema is named with `schema(_:)`, so that its rows are kept apart.
    ///   - value: The value.
    /// - Returns: The request with the header.
    public func setHeader(name: String, value: String) -> Self {
        changed { request in
            request.headers[name] = value
            for profile in ["Accept-Profile", "Content-Profile"]
            where request.headers[profile] != nil {
                request.refuse("Name the schema with schema(_:) instead of the header \(profile).")
            }
        }
    }

    /// Sets whether a read that got no answer, a 503 or a 520 is sent again.
    public func retry(enabled: Bool) -> Self {
        changed { $0.isRetried = enabled }
    }
}

extension String {
    var withoutBlanksOutsideQuotes: String {
        var isQuoted = false
        return String(
            filter { character in
                if character == "\"" { isQuoted.toggle() }
                return isQuoted || !character.isWhitespace
            })
    }
}
