public import OfflineCore
import StorageMemory

extension SupabaseOfflineClient.Config {
    /// Settings for tests of an app: everything is kept in memory, and time is the test's.
    ///
    /// The network is unknown, whatever the machine's is, unless a ``ConnectivitySwitch`` says more.
    ///
    /// ```swift
    /// let network = ScriptedTransport()
    /// var config = SupabaseOfflineClient.Config.inMemory(transport: network)
    /// config.accessToken = { token }
    /// ```
    ///
    /// - Parameters:
    ///   - clock: Moves when the test moves it.
    ///   - transport: Answers the client's requests.
    /// - Returns: The settings, to be changed where the test needs it.
    public static func inMemory(
        clock: ManualClock = ManualClock(), transport: any HTTPTransport = ScriptedTransport()
    ) -> SupabaseOfflineClient.Config {
        var config = SupabaseOfflineClient.Config(
            storage: MemoryStorage(keyspaces: Keyspace.all), transport: transport)
        // Never says a word, and never ends.
        config.networkAvailability = { AsyncStream { _ in } }
        config.runtime = .manual(clock)
        return config
    }
}
