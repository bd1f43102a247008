#if canImport(CCurl)
import OfflineCore
import TestSupport
import Testing

@testable import Transport

@Suite("Over libcurl, an encrypted connection", .timeLimit(.minutes(5)))
struct CurlTLSTests {
    private static let polite: @Sendable (Peer) throws -> Void = { peer in
        while true { try peer.answer(200, peer.readRequest().path) }
    }

    /// Runs `body` with a server behind encryption, and a transport that trusts it or doesn't.
    private func withBridge(
        protocols: [String] = [], isTrusted: Bool = true,
        _ script: @escaping @Sendable (Peer) throws -> Void,
        _ body: (TLSBridge, LoopbackServer, CurlTransport) async throws -> Void
    ) async throws {
        let server = try LoopbackServer(script)
        defer { server.stop() }
        try await withDirectory { url in
            let directory = url.systemPath
            let bridge = try await TLSBridge.start(
                to: server, protocols: protocols, directory: directory)
            defer { bridge.stop() }
            var options = CurlOptions.direct
            options.certificateFile = isTrusted ? bridge.certificate : nil
            let transport = CurlTransport(options)
            defer { transport.close() }
            try await body(bridge, server, transport)
        }
    }

    @Test func `is used again`() async throws {
        try await withBridge(Self.polite) { bridge, server, transport in
            for path in ["/1", "/2", "/3"] {
                let outcome = await transport.outcome(of: HTTPRequest(url: bridge.url + path))
                #expect(outcome == .answer(200, path))
            }
            #expect(server.accepted == 1)
        }
    }

    @Test func `with a certificate that nobody vouches for is refused`() async throws {
        try await withBridge(isTrusted: false, Self.polite) { bridge, server, transport in
            let outcome = await transport.outcome(
                of: HTTPRequest(method: "POST", url: bridge.url, body: .text("row")))
            #expect(outcome == .failed(.notSent, .insecure))
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `to another name than the certificate's is refused`() async throws {
        try await withBridge(Self.polite) { bridge, server, transport in
            let outcome = await transport.outcome(
                of: HTTPRequest(url: "https://localhost:\(bridge.port)/"))
            #expect(outcome == .failed(.notSent, .insecure))
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `can't be had with a server that speaks in the clear`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            _ = try peer.read(5)
            try peer.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        }
        try await withServer(script) { server, transport in
            let outcome = await transport.outcome(
                of: HTTPRequest(
                    method: "POST", url: "https://127.0.0.1:\(server.port)/", body: .text("row")))
            #expect(outcome == .failed(.notSent, .insecure))
        }
    }

    @Test func `was expected by a server that is spoken to in the clear`() async throws {
        try await withBridge(Self.polite) { bridge, server, transport in
            let outcome = await transport.outcome(
                of: HTTPRequest(url: "http://127.0.0.1:\(bridge.port)/"))
            #expect(outcome == .failed(.unanswered, .connectionLost))
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `that breaks during an upload doesn't end the process`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            _ = try peer.readHead()
            peer.reset()
        }
        try await withBridge(script) { bridge, server, transport in
            for _ in 0..<5 {
                let outcome = await transport.outcome(
                    of: HTTPRequest(
                        method: "POST", url: bridge.url,
                        body: .bytes(Bytes(repeating: 7, count: 5_000_000))))
                #expect(outcome == .failed(.unanswered, .connectionLost))
            }
        }
    }

    @Test func `carries HTTP/2 where the server speaks it`() async throws {
        try await withBridge(protocols: ["h2"], HTTP2Script.answerAll) {
            bridge, server, transport in
            for path in ["/1", "/2"] {
                let answer = try await transport.send(HTTPRequest(url: bridge.url + path))
                #expect(answer.status == 200)
                #expect(answer.body == Bytes("over HTTP/2".utf8))
            }
            #expect(server.accepted == 1)
        }
    }

    @Test func `of HTTP/2 is shared by all, and nobody waits for another's answer`() async throws {
        let script = HTTP2Script.answerAllButFirst
        try await withBridge(protocols: ["h2"], script) { bridge, server, transport in
            await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<20 {
                    group.addTask { await transport.outcome(of: HTTPRequest(url: bridge.url)) }
                }
                for _ in 1..<20 {
                    let outcome = await group.next()
                    #expect(outcome == .answer(200, "over HTTP/2"))
                }
                group.cancelAll()
                let last = await group.next()
                #expect(last == .failed(.unanswered, .cancelled))
            }
            #expect(server.accepted == 1)
            let after = await transport.outcome(of: HTTPRequest(url: bridge.url))
            #expect(after == .answer(200, "over HTTP/2"))
            #expect(server.accepted == 1)
        }
    }

    @Test func `of HTTP/2 that closes after a write has seen it once`() async throws {
        try await withBridge(
            protocols: ["h2"], HTTP2Script.closeAfterSecond
        ) { bridge, server, transport in
            _ = try await transport.send(HTTPRequest(url: bridge.url))
            let outcome = await transport.outcome(
                of: HTTPRequest(method: "DELETE", url: bridge.url))
            #expect(outcome == .failed(.unanswered, .connectionLost))
            #expect(server.accepted == 1)
            #expect(server.requests.count == 2)
        }
    }
}

/// A server of HTTP/2, as far as these tests need one: it reads frames and answers with fixed ones.
private enum HTTP2Script {
    static let answerAll: @Sendable (Peer) throws -> Void = { peer in
        try begin(peer)
        while true { try answer(readRequest(peer), peer) }
    }

    static let answerAllButFirst: @Sendable (Peer) throws -> Void = { peer in
        try begin(peer)
        _ = try readRequest(peer)
        while true { try answer(readRequest(peer), peer) }
    }

    static let closeAfterSecond: @Sendable (Peer) throws -> Void = { peer in
        try begin(peer)
        try answer(readRequest(peer), peer)
        _ = try readRequest(peer)
    }

    private static func begin(_ peer: Peer) throws {
        _ = try peer.read("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count)
        try peer.send(frame(type: 4, flags: 0, stream: 0, []))
    }

    /// Reads frames up to the next HEADERS, acknowledging settings; returns its stream.
    private static func readRequest(_ peer: Peer) throws -> UInt8 {
        while true {
            let head = try peer.read(9)
            let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
            _ = try peer.read(length)
            if head[3] == 4 && head[4] & 1 == 0 {
                try peer.send(frame(type: 4, flags: 1, stream: 0, []))
            }
            if head[3] == 1 {
                peer.note(Peer.Request(method: "", path: "", lines: [], body: []))
                return head[8]
            }
        }
    }

    private static func answer(_ stream: UInt8, _ peer: Peer) throws {
        // The status 200 is the eighth entry of the static table (RFC 7541, appendix A).
        try peer.send(frame(type: 1, flags: 4, stream: stream, [0x88]))
        try peer.send(frame(type: 0, flags: 1, stream: stream, Bytes("over HTTP/2".utf8)))
    }

    private static func frame(type: UInt8, flags: UInt8, stream: UInt8, _ body: Bytes) -> Bytes {
        [0, 0, UInt8(body.count), type, flags, 0, 0, 0, stream] + body
    }
}
#endif
