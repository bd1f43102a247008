#if canImport(os)
import os

extension Log {
    private static let system = Logger(subsystem: "SupabaseOffline", category: "client")

    /// Writes a message to the unified log.
    ///
    /// From `info` on a message holds nothing that is anybody's business, and is readable there; at
    /// `debug` it can hold rows and values of filters, and is readable under a debugger alone.
    static func writeToUnifiedLog(
        _ level: SupabaseOfflineClient.LogLevel, _ message: String
    ) {
        switch level {
        case .debug: system.debug("\(message, privacy: .private)")
        case .info: system.info("\(message, privacy: .public)")
        case .warning: system.warning("\(message, privacy: .public)")
        case .error: system.error("\(message, privacy: .public)")
        }
    }
}
#endif
