public import FoundationEssentials

extension SupabaseOfflineClient {
    /// The settings of a client, read once when it is made.
    ///
    /// Each has a default that suits most apps.
    public struct Config: Sendable {
        /// The schema of a table that is named without one.
        public var defaultSchema: String
        /// Gives the signed-in user's token, or nil for the publishable key alone.
        ///
        /// Asked before each request. A token's claim `sub` names the user whose rows are read and
        /// kept. An error means that the last user's token can't be had now.
        public var accessToken: (@Sendable () async throws -> String?)?
        /// Names the stored user, from what the app has at hand: called often, and waited for by
        /// calls that must not wait.
        ///
        /// With it, no token is a sign-out only if there is no stored user either. Apps that switch
        /// users give this or ``sessionStates``.
        public var currentUserID: (@Sendable () -> String?)?
        /// Tells every state of the session, the present one first; where given, the authority.
        ///
        /// Called once. ``accessToken`` then only supplies fresher tokens.
        public var sessionStates: (@Sendable () -> AsyncStream<SessionState>)?
        /// Where everything is kept on the device; nil is the platform's place.
        public var dataDirectory: URL?
        /// How long the cached answers may be in all, over all users; past it, those fetched longest
        /// ago go.
        public var cacheSize: CacheSize
        /// The app's own signal of connectivity; nil is the path monitor of Apple's systems, and
        /// nothing elsewhere: the network is unknown then, which counts as online.
        ///
        /// A hint, never a gate: every request that the app makes is tried whatever it says.
        public var networkAvailability: (@Sendable () -> AsyncStream<Bool>)?
        /// Whether writes that are kept are sent without the app asking: when the network or the user
        /// comes back, when the client opens, and after waits.
        ///
        /// Without it, a new write and ``SupabaseOfflineClient/syncPendingMutations()`` send.
        public var autoSync: Bool
        /// The columns that tell one row from another, by table; `id` where a table is not named.
        ///
        /// A table of another schema than the default one is named `schema.table`.
        public var primaryKeys: [String: [String]]
        /// The types of columns as PostgreSQL names them, by table and column.
        ///
        /// They let more filters be decided on the device; a column that is left out is judged by what
        /// its values show. A table of another schema than the default one is named `schema.table`.
        public var columnTypes: [String: [String: PostgresType]]
        /// Which answers may replace what the device has.
        public var responseTrust: ResponseTrust
        /// What becomes of a user's lists when nobody, or somebody else, is signed in.
        public var signOutPolicy: SignOutPolicy
        /// Whether messages of lesser weight are dropped.
        public var logLevel: LogLevel
        /// Takes messages; nil writes them to the unified log of Apple's systems, under the subsystem
        /// `SupabaseOffline`, and to standard error elsewhere.
        public var logHandler: (@Sendable (LogLevel, String) -> Void)?
        /// Turns the app's values into JSON.
        public var encoder: JSONEncoder
        /// Turns rows into the app's types, in the place of the library's own decoder; nil is that
        /// one.
        ///
        /// The library's decoder gives what `JSONDecoder.supabase()` gives, in a third of the time.
        /// Set a decoder for other strategies, such as keys in snake case, or for a `userInfo`.
        public var decoder: JSONDecoder?
        /// The tables whose rows get a key on the device where an insert or an upsert lacks it: a UUID of
        /// version 7 in small letters.
        ///
        /// Such an insert can wait for the network, and is never doubled. A table of another schema than
        /// the default one is named `schema.table`.
        public var uuidKeys: [String]
        /// Headers sent with every request.
        public var headers: [String: String]
        /// How long one exchange with the server may take.
        public var requestTimeout: Duration
        /// How long a read that could be answered from the device waits for the head of the
        /// server's answer, and then for each further byte.
        public var warmReadTimeout: Duration
        /// Where lists are kept; nil is LMDB in ``dataDirectory``.
        public var storage: (any Storage)?
        /// What carries requests; nil is the platform's own.
        public var transport: (any HTTPTransport)?

        /// What befell the store before the client was made.
        package var openingIncidents: [Incident] = []
        /// Time, chance and scheduling; tests put their own in.
        package var runtime = OfflineRuntime.live()

        /// Creates settings.
        public init(
            defaultSchema: String = "public",
            accessToken: (@Sendable () async throws -> String?)? = nil,
            currentUserID: (@Sendable () -> String?)? = nil,
            sessionStates: (@Sendable () -> AsyncStream<SessionState>)? = nil,
            dataDirectory: URL? = nil,
            cacheSize: CacheSize = .bytes(100 << 20),
            networkAvailability: (@Sendable () -> AsyncStream<Bool>)? = nil,
            autoSync: Bool = true,
            primaryKeys: [String: [String]] = [:],
            columnTypes: [String: [String: PostgresType]] = [:],
            responseTrust: ResponseTrust = .settledSession,
            signOutPolicy: SignOutPolicy = .dropCache,
            logLevel: LogLevel = .warning,
            logHandler: (@Sendable (LogLevel, String) -> Void)? = nil,
            encoder: JSONEncoder = .supabase(),
            decoder: JSONDecoder? = nil,
            uuidKeys: [String] = [],
            headers: [String: String] = [:],
            requestTimeout: Duration = .seconds(60),
            warmReadTimeout: Duration = .seconds(10),
            storage: (any Storage)? = nil,
            transport: (any HTTPTransport)? = nil
        ) {
            self.defaultSchema = defaultSchema
            self.accessToken = accessToken
            self.currentUserID = currentUserID
            self.sessionStates = sessionStates
            self.dataDirectory = dataDirectory
            self.cacheSize = cacheSize
            self.networkAvailability = networkAvailability
            self.autoSync = autoSync
            self.primaryKeys = primaryKeys
            self.columnTypes = columnTypes
            self.responseTrust = responseTrust
            self.signOutPolicy = signOutPolicy
            self.logLevel = logLevel
            self.logHandler = logHandler
            self.encoder = encoder
            self.decoder = decoder
            self.uuidKeys = uuidKeys
            self.headers = headers
            self.requestTimeout = requestTimeout
            self.warmReadTimeout = warmReadTimeout
            self.storage = storage
            self.transport = transport
        }
    }
}

extension SupabaseOfflineClient {
    /// How much may be kept, by the length of what is kept and not of the database's file.
    public enum CacheSize: Hashable, Sendable {
        /// So many bytes; fewer than 4 KiB count as 4 KiB.
        case bytes(Int)
        /// Any amount.
        case unlimited

        /// The bytes, or nil for any amount.
        package var limit: Int? {
            switch self {
            case .bytes(let count): max(count, 4 << 10)
            case .unlimited: nil
            }
        }
    }

    /// Which answers may replace what the device has.
    @nonexhaustive
    public enum ResponseTrust: Hashable, Sendable {
        /// Those whose request went out under a settled session that had not changed when they came.
        case settledSession
        /// Of these, an empty list only if the same user was signed in all the while.
        ///
        /// For apps that read public rows signed out and must never see an empty answer, got without
        /// a token, replace them.
        case authenticatedSessionOnly
    }

    /// What becomes of a user's lists when nobody, or somebody else, is signed in.
    @nonexhaustive
    public enum SignOutPolicy: Hashable, Sendable {
        /// They are removed.
        case dropCache
        /// They stay for when that user comes back, and are served to nobody else.
        case keepCache
    }
}

extension SupabaseOfflineClient.Config {
    /// Why no client can be made with these settings, if so.
    package var problem: String? {
        if defaultSchema.isEmpty {
            return "defaultSchema is empty. Name a schema; PostgREST's own default is \"public\"."
        }
        if currentUserID != nil, accessToken == nil, sessionStates == nil {
            return "currentUserID names users, but nothing gives their tokens. "
                + "Give accessToken or sessionStates too."
        }
        for (table, columns) in primaryKeys.sorted(by: { $0.key < $1.key }) {
            if table.isEmpty {
                return "primaryKeys names a table \"\". Name the table, or schema.table."
            }
            if columns.isEmpty || columns.contains("") {
                return "primaryKeys[\"\(table)\"] has no column, or one without a name. "
                    + "Name the key's columns, or leave the table out for \"id\"."
            }
        }
        if let problem = columnTypesProblem { return problem }
        for table in uuidKeys where primaryKeys[table].map({ $0.count != 1 }) ?? false {
            return "uuidKeys names \"\(table)\", whose key has several columns in primaryKeys. "
                + "Only a single column can be filled; leave the table out."
        }
        if uuidKeys.contains("") {
            return "uuidKeys names a table \"\". Name the table, or schema.table."
        }
        if let dataDirectory, !dataDirectory.isFileURL || !dataDirectory.path().hasPrefix("/") {
            return "dataDirectory is no absolute file URL. Make it with URL(filePath:)."
        }
        for (name, limit) in [
            ("requestTimeout", requestTimeout), ("warmReadTimeout", warmReadTimeout),
        ] where limit <= .zero {
            return "\(name) is \(limit). Give a time above zero."
        }
        for name in headers.keys.sorted() {
            switch name.lowercasedASCII {
            case "authorization":
                return "headers sets Authorization. Give the token with accessToken."
            case "apikey":
                return "headers sets apikey. Give the key with supabaseKey."
            case "accept-profile", "content-profile":
                return "headers sets \(name). Name the schema with defaultSchema or schema(_:)."
            default:
                continue
            }
        }
        return nil
    }

    private var columnTypesProblem: String? {
        for (table, columns) in columnTypes.sorted(by: { $0.key < $1.key }) {
            if table.isEmpty {
                return "columnTypes names a table \"\". Name the table, or schema.table."
            }
            for (column, type) in columns.sorted(by: { $0.key < $1.key }) {
                if column.isEmpty {
                    return "columnTypes[\"\(table)\"] names a column \"\". Name the column."
                }
                if let problem = type.problem {
                    return "columnTypes[\"\(table)\"][\"\(column)\"] is \(problem). "
                        + "Give all labels once, in the order of the type's definition."
                }
            }
        }
        return nil
    }
}
