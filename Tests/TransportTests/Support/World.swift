#if canImport(CCurl)
import Foundation
import OfflineCore
import TestSupport
@testable import Transport

/// Runs `body` with a server and a transport of its own.
func withServer(
    _ script: @escaping @Sendable (Peer) throws -> Void, options: CurlOptions = .direct,
    _ body: (LoopbackServer, CurlTransport) async throws -> Void
) async throws {
    let server = try LoopbackServer(script)
    let transport = CurlTransport(options)
    defer {
        transport.close()
        server.stop()
    }
    try await body(server, transport)
}

extension CurlOptions {
    /// Without the proxies of whoever runs the tests; a slow machine may idle for a while.
    static let direct = CurlOptions(usesProxies: false, idleBeforeWrite: 50)
}
#endif
