import Synchronization
import Testing

@testable import OfflineCore

@Suite("The log", .timeLimit(.minutes(5)))
struct LogTests {
    typealias Level = SupabaseOfflineClient.LogLevel

    @Test(arguments: [Level.debug, .info, .warning, .error])
    func `hands the app's handler what matters enough, and makes up nothing else`(
        _ level: Level
    ) {
        let handled = Lock<[Level]>([])
        var config = SupabaseOfflineClient.Config(logLevel: level)
        config.logHandler = { level, text in
            #expect(text == "\(level)")
            handled.withLock { $0.append(level) }
        }
        let log = config.log
        var made: [Level] = []
        func message(_ level: Level) -> String {
            made.append(level)
            return "\(level)"
        }
        log.debug(message(.debug))
        log.info(message(.info))
        log.warning(message(.warning))
        log.error(message(.error))
        let expected = [Level.debug, .info, .warning, .error].filter { $0 >= level }
        #expect(handled.withLock { $0 } == expected)
        #expect(made == expected)
    }

    #if !canImport(os)
    @Test func `goes to standard error, a line a message, where there is no handler`() async throws
    {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let log = SupabaseOfflineClient.Config().log
            log.info("too small a matter")
            log.warning("something was mended")
            log.error("something was not")
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(
            text.hasSuffix(
                "SupabaseOffline warning: something was mended\nSupabaseOffline error: something was not\n"
            ))
        #expect(!text.contains("too small"))
    }
    #endif
}
