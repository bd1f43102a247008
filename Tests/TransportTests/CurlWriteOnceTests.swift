#if canImport(CCurl)
import OfflineCore
import TestSupport
import Testing

@testable import Transport

@Suite("Over libcurl, a used connection that closes", .timeLimit(.minutes(5)))
struct CurlWriteOnceTests {
    /// Answers what reads; closes the connection after reading anything else, or resets it.
    private static func closing(after path: String, isReset: Bool = false)
        -> @Sendable (Peer) throws -> Void
    {
        { peer in
            while true {
                let request = try peer.readRequest()
                // A second attempt gets its answer, so that nothing keeps it from being made.
                guard request.path != path || peer.index > 0 else { break }
                try peer.answer(200, "read")
            }
            if isReset { peer.reset() }
        }
    }

    static let writes: [HTTPRequest] = [
        HTTPRequest(method: "POST", url: "", body: .text("row")),
        HTTPRequest(method: "POST", url: ""),
        HTTPRequest(method: "POST", url: "", body: .bytes(Bytes(repeating: 7, count: 1 << 20))),
        HTTPRequest(method: "PATCH", url: "", body: .text("row")),
        HTTPRequest(method: "PUT", url: "", body: .text("row")),
        HTTPRequest(method: "DELETE", url: ""),
    ]

    @Test(arguments: writes, [false, true])
    func `after reading a write never sees it twice`(
        _ write: HTTPRequest, _ isReset: Bool
    ) async throws {
        try await withServer(Self.closing(after: "/write", isReset: isReset)) { server, transport in
            let first = await transport.outcome(of: HTTPRequest(url: server.url + "/read"))
            #expect(first == .answer(200, "read"))
            var write = write
            write.url = server.url + "/write"
            let outcome = await transport.outcome(of: write)
            #expect(outcome == .failed(.unanswered, .connectionLost))
            #expect(server.requests.count { $0.path == "/write" } == 1)
            #expect(server.accepted == 1)
        }
    }

    @Test(arguments: [false, true])
    func `after reading a write has a transport that works`(_ isReset: Bool) async throws {
        try await withServer(Self.closing(after: "/write", isReset: isReset)) { server, transport in
            let write = HTTPRequest(method: "POST", url: server.url + "/write", body: .text("row"))
            _ = await transport.outcome(of: HTTPRequest(url: server.url))
            _ = await transport.outcome(of: write)
            let again = await transport.outcome(of: write)
            #expect(again == .answer(200, "read"))
        }
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS"])
    func `after reading a read gets it again, on another connection`(_ method: String) async throws
    {
        try await withServer(Self.closing(after: "/again")) { server, transport in
            _ = await transport.outcome(of: HTTPRequest(url: server.url))
            let answer = try await transport.send(
                HTTPRequest(method: method, url: server.url + "/again"))
            #expect(answer.status == 200)
            #expect(server.requests.count { $0.path == "/again" } == 2)
            #expect(server.accepted == 2)
        }
    }

    @Test func `before a write is not used for it`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            let request = try peer.readRequest()
            try peer.answer(200, request.path)
        }
        try await withServer(script) { server, transport in
            _ = await transport.outcome(of: HTTPRequest(url: server.url + "/first"))
            await server.wait { $0.open.isEmpty }
            let outcome = await transport.outcome(
                of: HTTPRequest(method: "POST", url: server.url + "/write", body: .text("row")))
            #expect(outcome == .answer(200, "/write"))
            #expect(server.accepted == 2)
        }
    }

    @Test func `is no danger where libcurl doesn't tell when it sends`() async throws {
        var old = CurlOptions.direct
        old.watchesSending = false
        let script: @Sendable (Peer) throws -> Void = { peer in
            while try peer.readRequest().path != "/write" { try peer.answer(200, "read") }
        }
        try await withServer(script, options: old) { server, transport in
            _ = await transport.outcome(of: HTTPRequest(url: server.url))
            // Without a body, since libcurl has nothing to read again that could keep it back.
            let outcome = await transport.outcome(
                of: HTTPRequest(method: "DELETE", url: server.url + "/write"))
            #expect(outcome == .failed(.unanswered, .connectionLost))
            #expect(server.requests.count { $0.path == "/write" } == 1)
            let refused = await transport.outcome(
                of: HTTPRequest(method: "POST", url: "http://127.0.0.1:1/", body: .text("row")))
            #expect(refused == .failed(.notSent, .cannotConnect))
        }
    }
}
#endif
