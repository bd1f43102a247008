#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

extension SupabaseOfflineClient {
    /// How much a message matters.
    public enum LogLevel: Int, Hashable, Comparable, Sendable {
        /// Everything, rows and filter values included.
        case debug
        /// What the library does: tables, operations, counts.
        case info
        /// What went wrong and was mended.
        case warning
        /// What went wrong and could not be mended.
        case error

        /// Whether the left level matters less.
        public static func < (lhs: LogLevel, rhs: LogLevel) -> Bool { lhs.rawValue < rhs.rawValue }
    }
}

/// Where messages go.
///
/// From `info` on, a message names tables, operations, counts, statuses and kinds of errors; never
/// rows, filter values, tokens or paths of objects.
package struct Log: Sendable {
    private let level: SupabaseOfflineClient.LogLevel
    private let handler: @Sendable (SupabaseOfflineClient.LogLevel, String) -> Void

    package init(
        level: SupabaseOfflineClient.LogLevel,
        handler: @escaping @Sendable (SupabaseOfflineClient.LogLevel, String) -> Void
    ) {
        self.level = level
        self.handler = handler
    }

    package func debug(_ message: @autoclosure () -> String) { send(.debug, message) }
    package func info(_ message: @autoclosure () -> String) { send(.info, message) }
    package func warning(_ message: @autoclosure () -> String) { send(.warning, message) }
    package func error(_ message: @autoclosure () -> String) { send(.error, message) }

    private func send(_ level: SupabaseOfflineClient.LogLevel, _ message: () -> String) {
        if level >= self.level { handler(level, message()) }
    }
}

extension Log {
    /// Writes a message where the system keeps messages: Apple's unified log, or standard error.
    static func writeToPlatform(
        _ level: SupabaseOfflineClient.LogLevel, _ message: String
    ) {
        #if canImport(os)
        writeToUnifiedLog(level, message)
        #else
        writeToStandardError(level, message)
        #endif
    }

    /// Writes a message as one line, whole even if several threads write.
    static func writeToStandardError(
        _ level: SupabaseOfflineClient.LogLevel, _ message: String
    ) {
        let line = Bytes("SupabaseOffline \(level): \(message)\n".utf8)
        _ = unsafe line.withUnsafeBytes { bytes in
            unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}
