#if canImport(CCurl)
import OfflineCore
import TestSupport
import Testing

@testable import Transport

@Suite("Over libcurl, a limit", .timeLimit(.minutes(5)))
struct CurlLimitTests {
    private func outcome(
        _ limits: HTTPRequest.Limits, from script: @escaping @Sendable (Peer) throws -> Void
    ) async throws -> Outcome {
        let whole: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try script(peer)
            peer.waitForEnd()
        }
        var outcome: Outcome?
        try await withServer(whole) { server, transport in
            outcome = await transport.outcome(of: HTTPRequest(url: server.url, limits: limits))
            // The connection goes too: nobody wants what would still come.
            await server.wait { $0.open.isEmpty }
        }
        return try #require(outcome)
    }

    private static let halfABody = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"

    @Test(
        arguments: [
            HTTPRequest.Limits(total: HTTPRequest.Limits.short),
            HTTPRequest.Limits(head: HTTPRequest.Limits.short),
            HTTPRequest.Limits(silence: HTTPRequest.Limits.short),
        ])
    func `ends the wait for an answer that never comes`(_ limits: HTTPRequest.Limits) async throws {
        let outcome = try await outcome(limits) { _ in }
        #expect(outcome == .failed(.unanswered, .timedOut))
    }

    @Test func `of silence ends a body that stops`() async throws {
        let outcome = try await outcome(.init(silence: HTTPRequest.Limits.short)) { peer in
            try peer.send(Self.halfABody)
        }
        #expect(outcome == .failed(.answeredBadly, .timedOut))
    }

    @Test func `of silence ends an upload that nobody takes`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            _ = try peer.readHead()
            while !peer.hasEnded() {}
        }
        try await withServer(script) { server, transport in
            let outcome = await transport.outcome(
                of: HTTPRequest(
                    method: "POST", url: server.url,
                    body: .bytes(Bytes(repeating: 7, count: 50_000_000)),
                    limits: .init(silence: HTTPRequest.Limits.short)))
            #expect(outcome == .failed(.unanswered, .timedOut))
        }
    }

    @Test func `of the whole ends an answer that drips for ever`() async throws {
        let limits = HTTPRequest.Limits(
            total: HTTPRequest.Limits.short, silence: .seconds(50))
        let outcome = try await outcome(limits) { peer in
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
            while !peer.endsSoon() { try peer.send("x") }
        }
        #expect(outcome == .failed(.answeredBadly, .timedOut))
    }

    @Test func `of the head ends one that drips for ever`() async throws {
        let limits = HTTPRequest.Limits(head: HTTPRequest.Limits.short, silence: .seconds(50))
        let outcome = try await outcome(limits) { peer in
            try peer.send("HTTP/1.1 200 OK\r\nA: ")
            while !peer.endsSoon() { try peer.send("x") }
        }
        #expect(outcome == .failed(.unanswered, .timedOut))
    }

    @Test func `of the head is none for the body`() async throws {
        let isLetThrough = Signal()
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try peer.send(Self.halfABody)
            isLetThrough.wait()
            try peer.send(String(repeating: "x", count: 96))
        }
        try await withServer(script) { server, transport in
            let limits = HTTPRequest.Limits(head: HTTPRequest.Limits.short)
            async let whole = transport.outcome(of: HTTPRequest(url: server.url, limits: limits))
            await server.wait { $0.requests.count == 1 }
            // Another request, begun later, has reached the same limit when this one is let go on.
            let silent = try LoopbackServer { $0.waitForEnd() }
            defer { silent.stop() }
            let other = await transport.outcome(of: HTTPRequest(url: silent.url, limits: limits))
            #expect(other == .failed(.unanswered, .timedOut))
            isLetThrough.send()
            let outcome = await whole
            #expect(outcome == .answer(200, "half" + String(repeating: "x", count: 96)))
        }
    }

    @Test func `holds while a connection is made`() async throws {
        try await withServer({ $0.waitForEnd() }) { server, transport in
            let request = HTTPRequest(
                method: "POST", url: "https://127.0.0.1:\(server.port)/", body: .text("row"),
                limits: .init(total: HTTPRequest.Limits.short))
            let outcome = await transport.outcome(of: request)
            #expect(outcome == .failed(.notSent, .timedOut))
        }
    }

    @Test func `of no time lets nothing leave`() async throws {
        try await withServer({ try $0.readRequest() }) { server, transport in
            let outcome = await transport.outcome(
                of: HTTPRequest(url: server.url, limits: .init(total: .zero)))
            #expect(outcome == .failed(.notSent, .timedOut))
            #expect(server.accepted == 0)
        }
    }

    @Test func `of exchanges leaves the next its turn as soon as one has ended`() async throws {
        let isLetThrough = Signal()
        let script: @Sendable (Peer) throws -> Void = { peer in
            while true {
                switch try peer.readRequest().path {
                case "/never": peer.waitForEnd()
                case "/later": isLetThrough.wait()
                default: break
                }
                try peer.answer(200, "done")
            }
        }
        try await withServer(script) { server, transport in
            await withTaskGroup(of: Void.self) { group in
                for _ in 1..<CurlWorker.limit {
                    group.addTask {
                        _ = await transport.outcome(of: HTTPRequest(url: server.url + "/never"))
                    }
                }
                async let later = transport.outcome(of: HTTPRequest(url: server.url + "/later"))
                await server.wait { $0.requests.count == CurlWorker.limit }
                async let next = transport.outcome(of: HTTPRequest(url: server.url + "/next"))
                while await transport.exchangeCount() <= CurlWorker.limit { await Task.yield() }
                isLetThrough.send()
                let outcomes = await [later, next]
                #expect(outcomes == [.answer(200, "done"), .answer(200, "done")])
                group.cancelAll()
            }
        }
    }

    @Test func `holds while a request waits for others`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            peer.waitForEnd()
        }
        try await withServer(script) { server, transport in
            await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<CurlWorker.limit {
                    group.addTask { await transport.outcome(of: HTTPRequest(url: server.url)) }
                }
                await server.wait { $0.requests.count == CurlWorker.limit }
                let outcome = await transport.outcome(
                    of: HTTPRequest(
                        method: "POST", url: server.url, body: .text("row"),
                        limits: .init(total: HTTPRequest.Limits.short)))
                #expect(outcome == .failed(.notSent, .timedOut))
                group.cancelAll()
                for await outcome in group {
                    #expect(outcome == .failed(.unanswered, .cancelled))
                }
            }
            #expect(server.requests.allSatisfy { $0.method == "GET" })
        }
    }
}
#endif
