package import FoundationEssentials

/// What every request of a client has in common: the server, the key, the limits.
package struct RequestSettings: Sendable {
    private static let clientInfo = "supabase-offline-swift/0.1.0"

    /// The host of the project, with the port if the URL gives one.
    package let project: String
    private let base: String
    private let key: String
    private let config: SupabaseOfflineClient.Config

    /// - Returns: Nil if the URL is no address of a server.
    package init?(url: URL, key: String, config: SupabaseOfflineClient.Config) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty,
            url.query() == nil, url.fragment() == nil
        else { return nil }
        project = url.port.map { "\(host):\($0)" } ?? host
        let path = url.path(percentEncoded: true)
        base = "\(scheme)://\(project)" + (path.hasSuffix("/") ? String(path.dropLast()) : path)
        self.key = key
        self.config = config
    }

    /// A request on the wire.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - token: The user's token; nil sends the publishable key alone.
    ///   - retries: How often it was sent before.
    ///   - isWarm: Whether the device could answer as well, so that waiting is worth less.
    /// - Returns: The request.
    package func exchange(
        _ request: PostgrestRequest, token: String?, retries: Int, isWarm: Bool
    ) -> HTTPRequest {
        let patience = isWarm ? config.warmReadTimeout : nil
        return HTTPRequest(
            method: request.method, url: base + "/rest/v1" + request.address,
            headers: headers(of: request, token: token, retries: retries),
            body: request.body.map { .bytes($0) } ?? .none,
            limits: .init(total: config.requestTimeout, head: patience, silence: patience))
    }

    private func headers(
        of request: PostgrestRequest, token: String?, retries: Int
    ) -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers["X-Client-Info"] = Self.clientInfo
        headers["apikey"] = key
        if let token { headers["Authorization"] = "Bearer \(token)" }
        if !isServersDefault(request.schema) {
            headers[request.isSafe ? "Accept-Profile" : "Content-Profile"] = request.schema
        }
        for (name, value) in config.headers.sorted(by: { $0.key < $1.key }) {
            headers[name] = value
        }
        let preferences = headers["Prefer"]
        for field in request.headers.fields { headers[field.name] = field.value }
        if let preferences {
            headers["Prefer"] = preferences
            headers.mergePreferences(request.headers["Prefer"] ?? "")
        }
        if headers["Accept"] == nil { headers["Accept"] = PostgrestRequest.rows }
        // Also where there is no body, as supabase-swift does.
        headers["Content-Type"] = "application/json"
        if retries > 0 { headers["X-Retry-Count"] = String(retries) }
        return headers
    }

    /// The columns that tell the rows of a read apart.
    package func keyColumns(of request: PostgrestRequest) -> KeyColumns {
        KeyColumns(keyNames(of: request))
    }

    /// The names of the columns that tell the rows of a read apart, in their order.
    package func keyNames(of request: PostgrestRequest) -> [String] {
        config.primaryKeys[name(of: request)] ?? ["id"]
    }

    /// How long one exchange with the server may take.
    package var requestTimeout: Duration { config.requestTimeout }

    /// The table of a name that may have a schema before it.
    package func table(_ name: String) -> ListKey.Table {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2
            ? ListKey.Table(parts[1], schema: parts[0])
            : ListKey.Table(name, schema: config.defaultSchema)
    }

    /// The key column of a request's table that is filled with a UUID where a row lacks it.
    package func uuidKey(of request: PostgrestRequest) -> String? {
        config.uuidKeys.contains(name(of: request)) ? keyNames(of: request).first : nil
    }

    /// What the app tells of a request's table.
    package func facts(of request: PostgrestRequest) -> TableFacts {
        TableFacts(
            keyNames: keyNames(of: request), types: config.columnTypes[name(of: request)] ?? [:])
    }

    /// The tables that the app has named.
    package var tables: Set<ListKey.Table> {
        Set(Set(config.primaryKeys.keys).union(config.columnTypes.keys).map { table($0) })
    }

    /// What an error about a request says it was about.
    package func context(_ request: PostgrestRequest) -> OfflineError.Context {
        let operation =
            switch (request.target, request.method) {
            case (.function, _): "rpc"
            case (.table, "POST"): request.prefers("resolution") ? "upsert" : "insert"
            case (.table, "PATCH"): "update"
            case (.table, "DELETE"): "delete"
            case (.table, _): "select"
            }
        return OfflineError.Context(operation, table: name(of: request))
    }

    /// The table or the function, with its schema unless that is the default one.
    private func name(of request: PostgrestRequest) -> String {
        request.schema == config.defaultSchema
            ? request.target.name : "\(request.schema).\(request.target.name)"
    }

    /// Whether PostgREST takes this schema without being told, as far as one can know: an app that
    /// names none means the server's first, which is `public` unless the server is set up otherwise.
    private func isServersDefault(_ schema: String) -> Bool {
        schema == "public" && config.defaultSchema == "public"
    }
}
