#if canImport(CCurl)
import OfflineCore
import TestSupport
import Testing

@testable import Transport

@Suite("Over libcurl, a server that misbehaves", .timeLimit(.minutes(5)))
struct MisbehavingServerTests {
    /// What a server does with its first request, and what its client makes of it.
    private func expect(
        _ outcome: Outcome, of request: HTTPRequest = HTTPRequest(url: ""),
        location: SourceLocation = #_sourceLocation,
        from script: @escaping @Sendable (Peer) throws -> Void
    ) async throws {
        let whole: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try script(peer)
        }
        try await withServer(whole) { server, transport in
            var request = request
            request.url = server.url + "/path"
            let found = await transport.outcome(of: request)
            #expect(found == outcome, sourceLocation: location)
            #expect(server.requests.count == 1, sourceLocation: location)
            let left = await transport.exchangeCount()
            #expect(left == 0, sourceLocation: location)
        }
    }

    private static let post = HTTPRequest(method: "POST", url: "", body: .text("row"))

    @Test func `that is not there can't be connected to`() async {
        let transport = CurlTransport(.direct)
        // Port 1 belongs to a service that nobody runs any more.
        let outcome = await transport.outcome(of: HTTPRequest(url: "http://127.0.0.1:1/"))
        #expect(outcome == .failed(.notSent, .cannotConnect))
    }

    @Test func `whose name nobody knows is not found`() async {
        let transport = CurlTransport(.direct)
        let outcome = await transport.outcome(of: HTTPRequest(url: "http://nobody.invalid/"))
        #expect(outcome == .failed(.notSent, .hostNotFound))
    }

    @Test(arguments: [HTTPRequest(url: ""), post])
    func `and resets before the head gives no answer`(_ request: HTTPRequest) async throws {
        try await expect(.failed(.unanswered, .connectionLost), of: request) { $0.reset() }
    }

    @Test(arguments: [HTTPRequest(url: ""), post])
    func `and closes before the head gives no answer`(_ request: HTTPRequest) async throws {
        try await expect(.failed(.unanswered, .connectionLost), of: request) { _ in }
    }

    @Test(
        arguments: [
            "HTT", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
            "HTTP/1.1 204 No Content\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\n",
        ], [false, true])
    func `and ends in the middle of the head gives no answer`(
        _ text: String, _ isReset: Bool
    ) async throws {
        try await expect(.failed(.unanswered, .connectionLost), of: Self.post) { peer in
            try peer.send(text)
            if isReset { peer.reset() }
        }
    }

    @Test func `and cuts a body of known length answers badly`() async throws {
        try await expect(.failed(.answeredBadly, .cutShort)) { peer in
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1, 2")
        }
    }

    @Test(arguments: ["", "5\r\n", "5\r\n[1", "5\r\n[1, 2\r\n", "5\r\n[1, 2\r\n0\r\n"])
    func `and cuts a body in chunks answers badly`(_ text: String) async throws {
        try await expect(.failed(.answeredBadly, .cutShort)) { peer in
            try peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + text)
        }
    }

    @Test(arguments: ["Content-Length: 100", "Transfer-Encoding: chunked", "Connection: close"])
    func `and resets in the body has broken the connection`(_ field: String) async throws {
        let isLetThrough = Signal()
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try peer.send("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n5\r\n[1, 2")
            // A reset would take back what the client has not read yet.
            isLetThrough.wait()
            peer.reset()
        }
        try await withServer(script) { server, transport in
            try await withDirectory { url in
                let directory = url.systemPath
                let path = directory + "/body"
                async let outcome = transport.outcome(
                    of: HTTPRequest(url: server.url), toFile: path)
                await waitForFile(path, length: 1)
                isLetThrough.send()
                let found = await outcome
                #expect(found == .failed(.answeredBadly, .connectionLost))
            }
        }
    }

    @Test(
        arguments: [
            "\u{0}\u{1}\u{2}\u{3}", "SSH-2.0-OpenSSH_9.2p1\r\n", "<html>It works</html>\r\n",
            "[1, 2, 3]", "\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \u{0}\r\n\r\n",
        ])
    func `and talks no HTTP gives no answer`(_ text: String) async throws {
        try await expect(.failed(.unanswered, .malformed), of: Self.post) { peer in
            try peer.send(text)
        }
    }

    @Test func `and sends headers without end gives no answer`() async throws {
        try await expect(.failed(.unanswered, .malformed)) { peer in
            try peer.send("HTTP/1.1 200 OK\r\n")
            let line = "A: \(String(repeating: "a", count: 1000))\r\n"
            while true { try peer.send(line) }
        }
    }

    @Test func `and compresses badly answers badly`() async throws {
        try await expect(.failed(.answeredBadly, .malformed)) { peer in
            try peer.answer(200, "this was never compressed", fields: "Content-Encoding: gzip")
        }
    }

    @Test func `and leaves out the end of what it compressed answers badly`() async throws {
        for count in 1..<CurlAnswerTests.compressed.count {
            let part = CurlAnswerTests.compressed.prefix(count)
            try await expect(.failed(.answeredBadly, .malformed)) { peer in
                let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: "
                try peer.send(Bytes("\(head)\(count)\r\n\r\n".utf8) + part)
            }
        }
    }

    @Test func `and adds something to what it compressed answers badly`() async throws {
        let bytes = CurlAnswerTests.compressed + Bytes("more".utf8)
        try await expect(.failed(.answeredBadly, .malformed)) { peer in
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: "
            try peer.send(Bytes("\(head)\(bytes.count)\r\n\r\n".utf8) + bytes)
        }
    }

    @Test func `and compresses in a way nobody knows answers badly`() async throws {
        try await expect(.failed(.answeredBadly, .malformed)) { peer in
            try peer.answer(200, "??", fields: "Content-Encoding: own")
        }
    }

    @Test func `and redirects without end is not followed`() async throws {
        try await expect(.answer(302, "elsewhere")) { peer in
            try peer.answer(302, "elsewhere", fields: "Location: /path")
            while true {
                try peer.readRequest()
                try peer.answer(302, "elsewhere", fields: "Location: /path")
            }
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `and redirects to another host learns no token for it`(_ status: Int) async throws {
        let other = try LoopbackServer { try $0.readRequest() }
        defer { other.stop() }
        let request = HTTPRequest(
            method: "POST", url: "", headers: ["Authorization": "Bearer token"], body: .text("row"))
        try await expect(.answer(status, ""), of: request) { peer in
            try peer.answer(status, fields: "Location: \(other.url)/")
        }
        #expect(other.accepted == 0)
    }

    @Test func `and answers before the whole request came is heard`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            _ = try peer.readHead()
            try peer.answer(413, "too large", fields: "Connection: close")
            peer.waitForEnd()
        }
        try await withServer(script) { server, transport in
            let large = HTTPRequest.Body.bytes(Bytes(repeating: 7, count: 50_000_000))
            let outcome = await transport.outcome(
                of: HTTPRequest(method: "POST", url: server.url, body: large))
            #expect(outcome == .answer(413, "too large"))
        }
    }
}
#endif
