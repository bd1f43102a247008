#if canImport(CCurl)
import OfflineCore
import TestSupport
import Testing

@testable import Transport

@Suite("Over libcurl, an answer", .timeLimit(.minutes(5)))
struct CurlAnswerTests {
    /// Reads requests and answers them until the client goes.
    private static let polite: @Sendable (Peer) throws -> Void = { peer in
        while true {
            let request = try peer.readRequest()
            try peer.answer(
                200, "\(request.method) \(String(decoding: request.body.prefix(9), as: UTF8.self))")
        }
    }

    @Test(
        arguments: [
            ("GET", .none, "GET ", nil), ("POST", .text("row"), "POST row", "3"),
            ("PATCH", .text("row"), "PATCH row", "3"), ("PUT", .text("row"), "PUT row", "3"),
            ("DELETE", .text("row"), "DELETE row", "3"), ("DELETE", .none, "DELETE ", nil),
            ("POST", .none, "POST ", "0"), ("POST", .bytes([]), "POST ", "0"),
            ("PATCH", .none, "PATCH ", "0"), ("OPTIONS", .none, "OPTIONS ", nil),
        ] as [(String, HTTPRequest.Body, String, String?)])
    func `comes to every method, with and without a body`(
        _ method: String, _ body: HTTPRequest.Body, _ answer: String, _ length: String?
    ) async throws {
        try await withServer(Self.polite) { server, transport in
            let request = HTTPRequest(method: method, url: server.url + "/x", body: body)
            let outcome = await transport.outcome(of: request)
            #expect(outcome == .answer(200, answer))
            #expect(server.requests.map { $0.value("Content-Length") } == [length])
        }
    }

    @Test func `to HEAD has the length of a body and none`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            while try peer.readRequest().method == "HEAD" {
                try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 42\r\n\r\n")
            }
        }
        try await withServer(script) { server, transport in
            for _ in 0..<2 {
                let answer = try await transport.send(HTTPRequest(method: "HEAD", url: server.url))
                #expect(answer.status == 200)
                #expect(answer.body.isEmpty)
                #expect(answer.headers["content-length"] == "42")
            }
            #expect(server.accepted == 1)
        }
    }

    @Test func `finds the request as it was given, and nothing that was not asked for`()
        async throws
    {
        try await withServer(Self.polite) { server, transport in
            let path = "/a/../b?select=*&name=eq.%C3%BC&tags=cs.{x,\"y\"}"
            let big = Bytes.pattern(2 << 20)
            _ = try await transport.send(
                HTTPRequest(
                    method: "POST", url: server.url + path + "#fragment",
                    headers: ["apikey": "key", "Prefer": "a", "prefer": "b", "Empty": ""],
                    body: .bytes(big)))
            let request = try #require(server.requests.first)
            #expect(request.path == path)
            #expect(request.body.holdsSame(as: big))
            let names = request.lines.map { $0.prefix { $0 != ":" } }
            #expect(
                names == [
                    "Host", "Accept", "apikey", "Prefer", "prefer", "Empty", "Accept-Encoding",
                    "Content-Length",
                ])
        }
    }

    @Test func `keeps its status, its fields and its body`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try peer.answer(409, "{}", fields: "Content-Range: */0", "x-a: 1", "X-A: 2")
        }
        try await withServer(script) { server, transport in
            let answer = try await transport.send(HTTPRequest(url: server.url))
            #expect(answer.status == 409)
            #expect(answer.body == Bytes("{}".utf8))
            #expect(answer.headers["CONTENT-RANGE"] == "*/0")
            #expect(answer.headers.values(for: "X-a") == ["1", "2"])
            #expect(answer.timeSinceHead >= .zero)
        }
    }

    @Test func `to one request after another comes over one connection`() async throws {
        try await withServer(Self.polite) { server, transport in
            for method in ["GET", "POST", "GET", "PATCH", "DELETE", "GET"] {
                let request = HTTPRequest(
                    method: method, url: server.url, body: method == "GET" ? .none : .text("x"))
                _ = try await transport.send(request)
            }
            #expect(server.accepted == 1)
            #expect(server.requests.count == 6)
        }
    }

    @Test func `is decompressed`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: "
            try peer.send(Bytes("\(head)\(Self.compressed.count)\r\n\r\n".utf8) + Self.compressed)
        }
        try await withServer(script) { server, transport in
            let outcome = await transport.outcome(of: HTTPRequest(url: server.url))
            #expect(outcome == .answer(200, "rows and rows and rows and rows"))
        }
    }

    @Test func `follows interim answers`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try peer.send("HTTP/1.1 100 Continue\r\n\r\n")
            try peer.send("HTTP/1.1 103 Early Hints\r\nLink: early\r\n\r\n")
            try peer.answer(201, "made", fields: "Location: here")
        }
        try await withServer(script) { server, transport in
            let answer = try await transport.send(
                HTTPRequest(method: "POST", url: server.url, body: .text("row")))
            #expect(answer.status == 201)
            #expect(answer.headers["location"] == "here")
            #expect(answer.headers["link"] == nil)
            #expect(answer.body == Bytes("made".utf8))
        }
    }

    @Test func `may come in chunks, with a trailer`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            try peer.send("3\r\nabc\r\n2\r\nde\r\n0\r\nSum: 5\r\n\r\n")
            peer.waitForEnd()
        }
        try await withServer(script) { server, transport in
            let answer = try await transport.send(HTTPRequest(url: server.url))
            #expect(answer.body == Bytes("abcde".utf8))
            #expect(answer.headers["sum"] == nil)
        }
    }

    @Test func `may end with its connection`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try peer.send("HTTP/1.0 200 OK\r\n\r\nall of it")
        }
        try await withServer(script) { server, transport in
            let outcome = await transport.outcome(of: HTTPRequest(url: server.url))
            #expect(outcome == .answer(200, "all of it"))
        }
    }

    @Test func `may be large`() async throws {
        let large = Bytes.pattern(10_000_000)
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(large.count)\r\n\r\n")
            try peer.send(large)
        }
        try await withServer(script) { server, transport in
            let answer = try await transport.send(HTTPRequest(url: server.url))
            #expect(answer.body.holdsSame(as: large))
        }
    }

    @Test func `comes to each of more requests than are carried at once`() async throws {
        try await withServer(Self.polite) { server, transport in
            let answers = await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<(3 * CurlWorker.limit) {
                    group.addTask { await transport.outcome(of: HTTPRequest(url: server.url)) }
                }
                return await group.reduce(into: 0) { $0 += $1 == .answer(200, "GET ") ? 1 : 0 }
            }
            #expect(answers == 3 * CurlWorker.limit)
            #expect(server.accepted <= CurlWorker.limit)
        }
    }

    /// "rows and rows and rows and rows", by gzip.
    static let compressed: Bytes = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 202, 47, 47, 86, 72, 204, 75, 81, 40, 194, 202, 0, 0,
        28, 245, 241, 67, 31, 0, 0, 0,
    ]
}
#endif
