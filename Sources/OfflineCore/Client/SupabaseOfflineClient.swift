public import FoundationEssentials
import Synchronization

/// A client of a Supabase project whose reads work without the network.
///
/// Calls are spelled as in supabase-swift:
///
/// ```swift
/// let tasks = try await client.from("tasks").select().eq("done", value: false)
///     .execute([TaskRow].self)
/// if tasks.isFromCache { … }
/// ```
///
/// One data directory serves one client at a time. The client may be used from any task.
public final class SupabaseOfflineClient: Sendable {
    package let settings: RequestSettings
    package let session: SessionTrust
    package let connectivity: Connectivity
    package let reads: ReadEngine
    package let queue: ReplayQueue
    package let transport: any HTTPTransport
    package let runtime: OfflineRuntime
    package let log: Log
    /// What turns the app's values into JSON.
    let encoder: JSONEncoder
    /// What turns rows into the app's types; nil is ``RowDecoder``.
    let decoder: JSONDecoder?
    let responseTrust: ResponseTrust
    let openingIncidents: [Incident]
    let calls = CallGate()
    /// The one that ends this client, once it is to be closed.
    let closing = Lock<Task<Void, Never>?>(nil)
    let store: OfflineStore
    let defaultSchema: String

    /// Creates a client over a store and a transport of the caller's.
    ///
    /// Apps take the umbrella's `init(supabaseURL:supabaseKey:config:)`, which brings both.
    ///
    /// - Parameters:
    ///   - supabaseURL: The address of the project.
    ///   - supabaseKey: The publishable key.
    ///   - config: The settings.
    ///   - storage: Where lists are kept; opened with ``Keyspace/all``, and closed with the client.
    ///   - transport: What carries requests; closed with the client.
    /// - Throws: ``OfflineError`` with the reason `invalidConfiguration`, `storageTooNew`,
    ///   `storageFull` or `storageUnavailable`.
    public init(
        supabaseURL: URL, supabaseKey: String, config: Config = Config(),
        storage: any Storage, transport: any HTTPTransport
    ) throws(OfflineError) {
        settings = try config.requestSettings(url: supabaseURL, key: supabaseKey)
        runtime = config.runtime
        log = config.log
        encoder = config.encoder
        decoder = config.decoder
        defaultSchema = config.defaultSchema
        self.transport = transport
        let last: IdentityStore.LastUser?
        do throws(StorageError) {
            store = try OfflineStore(
                storage, cacheSize: config.cacheSize.limit, runtime: runtime, log: log)
            last = try store.identities.lastUser(of: settings.project)
        } catch {
            throw OfflineError(.init(opening: error), in: .init("open"), underlying: error)
        }
        let source = SessionSource(
            accessToken: config.accessToken, currentUserID: config.currentUserID,
            states: config.sessionStates)
        session = SessionTrust(
            project: settings.project, source: source, policy: config.signOutPolicy, last: last,
            identities: store.identities, numbers: store.numbers, runtime: runtime, log: log)
        connectivity = Connectivity(runtime: runtime, log: log)
        reads = ReadEngine(
            store: store, transport: transport, connectivity: connectivity, runtime: runtime,
            log: log)
        queue = ReplayQueue(
            store: store, session: session, connectivity: connectivity, reads: reads,
            transport: transport, settings: settings, isAutomatic: config.autoSync,
            runtime: runtime, log: log)
        responseTrust = config.responseTrust
        openingIncidents = config.openingIncidents
        if let signal = config.networkAvailability?() {
            _ = runtime.task(name: "connectivity.follow") { [connectivity] in
                await connectivity.follow(signal)
            }
        }
        follow(source)
        // A client that has nothing to send and nothing to listen to is given back with its last reference.
        if source.authority != .none || config.networkAvailability != nil || hasUnsentWrites {
            _ = runtime.task(name: "queue.open") { [weak queue] in await queue?.open() }
        }
    }

    private var hasUnsentWrites: Bool {
        // What can't be read now is looked for with the first write.
        !((try? store.queue.unsent()) ?? []).isEmpty
    }

    /// Listens to the app's session.
    ///
    /// A client without one has nothing to listen to.
    private func follow(_ source: SessionSource) {
        guard source.authority != .none else { return }
        _ = runtime.task(name: "session.follow") { [session, reads] in
            await reads.follow(session.departures)
            if let states = source.states?() { await session.follow(states) }
        }
    }

    /// A table of the default schema.
    public func from(_ table: String) -> PostgrestQueryBuilder {
        schema(defaultSchema).from(table)
    }

    /// Another schema than the default one.
    public func schema(_ schema: String) -> PostgrestSchema {
        PostgrestSchema(client: self, name: schema)
    }

    /// What is known of the network now.
    public var networkStatus: NetworkStatus { connectivity.status }
}

/// A schema of the project's database.
public struct PostgrestSchema: Sendable {
    let client: SupabaseOfflineClient
    let name: String

    /// A table of this schema; its rows are kept apart from those of a table of that name elsewhere.
    public func from(_ table: String) -> PostgrestQueryBuilder {
        PostgrestQueryBuilder(client: client, table: table, schema: name)
    }
}

extension SupabaseOfflineClient.Config {
    /// The settings of requests, once everything that can be wrong with a configuration is checked.
    ///
    /// - Throws: ``OfflineError`` with the reason `invalidConfiguration`.
    package func requestSettings(url: URL, key: String) throws(OfflineError) -> RequestSettings {
        func refusal(_ problem: String) -> OfflineError {
            OfflineError(.invalidConfiguration(problem), in: .init("open"))
        }
        if let problem { throw refusal(problem) }
        if key.isEmpty {
            throw refusal("supabaseKey is empty. Give the project's publishable key.")
        }
        guard let settings = RequestSettings(url: url, key: key, config: self) else {
            throw refusal(
                "supabaseURL is no address of a server. Give the project's URL, such as "
                    + "https://xyz.supabase.co, without a query.")
        }
        return settings
    }

    package var log: Log {
        Log(level: logLevel, handler: logHandler ?? { Log.writeToPlatform($0, $1) })
    }
}

extension OfflineError.Reason {
    /// What a failure of the store means to the one who opens it.
    package init(opening error: StorageError) {
        self =
            switch error {
            case .full: .storageFull
            case .inUse: .databaseInUse
            case .newerFormat: .storageTooNew
            case .closed: .closed
            case .corrupted(let what):
                .storageUnavailable("The store in the data directory is damaged: \(what).")
            case .invalidKey, .unknownKeyspace, .reentered, .unavailable, .suspended, .system:
                .storageUnavailable("The store in the data directory can't be opened: \(error).")
            }
    }

    /// What a failure of the store means to one who changes what is kept.
    init(writing error: StorageError) {
        self =
            switch error {
            case .closed: .closed
            case .full: .storageFull
            default:
                .storageUnavailable(
                    "The store on the device can't be written now: \(error). Nothing was changed; "
                        + "try again.")
            }
    }

    /// What a failure of the store means to one who reads from the device.
    init(reading error: StorageError) {
        self =
            error == .closed
            ? .closed
            : .storageUnavailable(
                "The store on the device can't be read now: \(error). Try again, or read with a "
                    + "strategy that asks the server.")
    }
}
