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

    /// A read on the wire.
    ///
    /// - Parameters:
    ///   - request: What to read.
    ///   - token: The user's token; nil sends the publishable key alone.
    ///   - retries: How often it was sent before.
    ///   - isWarm: Whether the device could answer as well, so that waiting is worth less.
    /// - Returns: The request.
    package func read(
        _ request: PostgrestRequest, token: String?, retries: Int, isWarm: Bool
    ) -> HTTPRequest {
        var headers = HTTPHeaders()
        headers["Accept"] = "application/json"
        headers["Content-Type"] = "application/json"
        headers["X-Client-Info"] = Self.clientInfo
        headers["apikey"] = key
        if let token { headers["Authorization"] = "Bearer \(token)" }
        if !isServersDefault(request.schema) { headers["Accept-Profile"] = request.schema }
        if let count = request.count { headers["Prefer"] = "count=\(count.rawValue)" }
        for (name, value) in config.headers.sorted(by: { $0.key < $1.key }) {
            headers[name] = value
        }
        for field in request.headers.fields { headers[field.name] = field.value }
        if retries > 0 { headers["X-Retry-Count"] = String(retries) }
        let patience = isWarm ? config.warmReadTimeout : nil
        return HTTPRequest(
            method: request.method, url: base + "/rest/v1" + request.target, headers: headers,
            limits: .init(total: config.requestTimeout, head: patience, silence: patience))
    }

    /// The columns that tell the rows of a read apart.
    package func keyColumns(of request: PostgrestRequest) -> KeyColumns {
        KeyColumns(config.primaryKeys[name(of: request)] ?? ["id"])
    }

    /// What an error about a request says it was about.
    package func context(_ operation: String, _ request: PostgrestRequest) -> OfflineError.Context {
        OfflineError.Context(operation, table: name(of: request))
    }

    /// The table, with its schema unless that is the default one.
    private func name(of request: PostgrestRequest) -> String {
        request.schema == config.defaultSchema
            ? request.table : "\(request.schema).\(request.table)"
    }

    /// Whether PostgREST takes this schema without being told, as far as one can know: an app that
    /// names none means the server's first, which is `public` unless the server is set up otherwise.
    private func isServersDefault(_ schema: String) -> Bool {
        schema == "public" && config.defaultSchema == "public"
    }
}
