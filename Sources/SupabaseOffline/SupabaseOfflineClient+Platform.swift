public import FoundationEssentials

extension SupabaseOfflineClient {
    /// Creates a client that keeps its lists in LMDB and sends its requests over the platform's
    /// network.
    ///
    /// ```swift
    /// let client = try SupabaseOfflineClient(
    ///     supabaseURL: URL(string: "https://xyz.supabase.co")!,
    ///     supabaseKey: "sb_publishable_…",
    ///     config: .init(accessToken: { try await auth.session.accessToken }))
    /// ```
    ///
    /// - Parameters:
    ///   - supabaseURL: The address of the project.
    ///   - supabaseKey: The publishable key.
    ///   - config: The settings.
    /// - Throws: `OfflineError` with the reason `invalidConfiguration`, `databaseInUse`,
    ///   `storageUnavailable`, `storageFull` or `storageTooNew`.
    public convenience init(
        supabaseURL: URL, supabaseKey: String, config: Config = Config()
    ) throws(OfflineError) {
        // Before anything is made on the disk.
        _ = try config.requestSettings(url: supabaseURL, key: supabaseKey)
        var config = config
        let storage = try config.openStorage()
        #if canImport(Network)
        config.networkAvailability = config.networkAvailability ?? PathSignal.make
        #endif
        let transport = config.transport ?? PlatformTransport.make()
        do throws(OfflineError) {
            try self.init(
                supabaseURL: supabaseURL, supabaseKey: supabaseKey, config: config,
                storage: storage, transport: transport)
        } catch {
            transport.close()
            storage.close()
            throw error
        }
    }
}

extension SupabaseOfflineClient.Config {
    /// The app's own store, or LMDB in its data directory; what befalls it is noted.
    fileprivate mutating func openStorage() throws(OfflineError) -> any Storage {
        if let storage { return storage }
        let (storage, incidents) = try DataDirectory(dataDirectory).openStorage(log)
        openingIncidents = incidents
        return storage
    }
}
