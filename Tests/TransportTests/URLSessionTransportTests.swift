#if canImport(CCurl)
import Foundation
import OfflineCore
import TestSupport
import Testing

@testable import Transport

// On Linux URLSession is fit for servers that behave, so these do.
@Suite("Over URLSession", .timeLimit(.minutes(5)))
struct URLSessionTransportTests {
    private static let polite: @Sendable (Peer) throws -> Void = { peer in
        while true {
            let request = try peer.readRequest()
            guard request.method != "HEAD" else {
                try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
                continue
            }
            let body = String(decoding: request.body.prefix(9), as: UTF8.self)
            try peer.answer(
                request.path == "/missing" ? 404 : 200, "\(request.method) \(body)",
                fields: "x-field: value")
        }
    }

    private func withServer(
        _ script: @escaping @Sendable (Peer) throws -> Void = polite,
        _ body: (LoopbackServer, URLSessionTransport) async throws -> Void
    ) async throws {
        let server = try LoopbackServer(script)
        let transport = URLSessionTransport()
        defer {
            transport.close()
            server.stop()
        }
        try await body(server, transport)
    }

    @Test(
        arguments: [
            ("GET", .none, "/there", 200, "GET "), ("GET", .none, "/missing", 404, "GET "),
            ("POST", .text("row"), "/there", 200, "POST row"),
            ("POST", .none, "/there", 200, "POST "), ("PATCH", .text("row"), "/", 200, "PATCH row"),
            ("DELETE", .none, "/there", 200, "DELETE "), ("HEAD", .none, "/there", 200, ""),
        ] as [(String, HTTPRequest.Body, String, Int, String)])
    func `every method is answered`(
        _ method: String, _ body: HTTPRequest.Body, _ path: String, _ status: Int, _ text: String
    ) async throws {
        try await withServer { server, transport in
            let answer = try await transport.send(
                HTTPRequest(
                    method: method, url: server.url + path,
                    headers: ["apikey": "key", "Content-Type": "application/json"], body: body,
                    limits: .init(total: .seconds(50), head: .seconds(50), silence: .seconds(50))))
            #expect(answer.status == status)
            #expect(answer.body == Bytes(text.utf8))
            if method != "HEAD" { #expect(answer.headers["X-Field"] == "value") }
            #expect(server.requests.map { $0.value("apikey") } == ["key"])
        }
    }

    @Test func `a file takes an answer, for its owner alone`() async throws {
        try await withDirectory { url in
            let directory = url.systemPath
            try await withServer { server, transport in
                let path = directory + "/new"
                let answer = try await transport.download(
                    HTTPRequest(url: server.url), toFile: path)
                #expect(answer.status == 200)
                #expect(answer.body.isEmpty)
                #expect(FileManager.default.contents(atPath: path) == Data("GET ".utf8))
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test func `a file is sent`() async throws {
        try await withDirectory { url in
            let directory = url.systemPath
            let path = directory + "/upload"
            let bytes = Bytes.pattern(1_000_000)
            try Data(bytes).write(to: URL(filePath: path))
            try await withServer { server, transport in
                let answer = try await transport.send(
                    HTTPRequest(method: "POST", url: server.url, body: .file(path: path)))
                #expect(answer.status == 200)
                #expect(server.requests.first?.body.holdsSame(as: bytes) == true)
            }
        }
    }

    @Test func `a file that isn't there is not sent`() async throws {
        try await withServer { server, transport in
            let outcome = await transport.outcome(
                of: HTTPRequest(method: "POST", url: server.url, body: .file(path: "/no/such")))
            #expect(outcome == .failed(.notSent, .file))
            #expect(server.accepted == 0)
        }
    }

    @Test func `a redirect is handed over`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            while true {
                try peer.readRequest()
                try peer.answer(302, "elsewhere", fields: "Location: /other")
            }
        }
        try await withServer(script) { server, transport in
            let answer = try await transport.send(HTTPRequest(url: server.url))
            #expect(answer.status == 302)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a limit and a cancellation let the caller go`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            peer.waitForEnd()
        }
        try await withServer(script) { server, transport in
            let limited = await transport.outcome(
                of: HTTPRequest(
                    url: server.url, limits: .init(total: HTTPRequest.Limits.short)))
            #expect(limited == .failed(.unanswered, .timedOut))
            let task = Task { await transport.outcome(of: HTTPRequest(url: server.url)) }
            await server.wait { $0.requests.count == 2 }
            task.cancel()
            let cancelled = await task.value
            #expect(cancelled == .failed(.unanswered, .cancelled))
        }
    }

    @Test func `a closed transport takes nothing more`() async throws {
        try await withServer { server, transport in
            transport.close()
            let outcome = await transport.outcome(of: HTTPRequest(url: server.url))
            #expect(outcome == .failed(.notSent, .closed))
        }
    }

    @Test func `the platform's transport works`() async throws {
        try await withServer { server, _ in
            let transport = PlatformTransport.make()
            defer { transport.close() }
            let refused = await transport.outcome(of: HTTPRequest(url: "ftp://127.0.0.1/"))
            #expect(refused == .failed(.notSent, .invalidRequest))
        }
    }
}
#endif
