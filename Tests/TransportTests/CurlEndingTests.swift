#if canImport(CCurl)
import OfflineCore
import TestSupport
import Testing

@testable import Transport

@Suite("Over libcurl, the end of an exchange", .timeLimit(.minutes(5)))
struct CurlEndingTests {
    /// Answers what asks for it, and lets everything else wait for ever.
    private static let reluctant: @Sendable (Peer) throws -> Void = { peer in
        while try peer.readRequest().path == "/answer" { try peer.answer(200, "here") }
        peer.waitForEnd()
    }

    @Test func `comes at once with the cancellation of its task`() async throws {
        try await withServer(Self.reluctant) { server, transport in
            let task = Task { await transport.outcome(of: HTTPRequest(url: server.url)) }
            await server.wait { $0.requests.count == 1 }
            task.cancel()
            let outcome = await task.value
            #expect(outcome == .failed(.unanswered, .cancelled))
            await server.wait { $0.open.isEmpty }
        }
    }

    @Test func `comes before it starts if the task was cancelled before`() async throws {
        try await withServer(Self.reluctant) { server, transport in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await transport.outcome(of: HTTPRequest(url: server.url))
            }
            let outcome = await task.value
            #expect(outcome == .failed(.notSent, .cancelled))
            #expect(server.accepted == 0)
        }
    }

    @Test func `leaves nothing behind in a storm of cancellations`() async throws {
        try await withServer(Self.reluctant) { server, transport in
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                for index in 0..<2000 {
                    // What is cancelled may be answered or wait for ever; the rest is answered.
                    let isCancelled = index % 2 == 0
                    let path = index % 4 == 0 ? "/never" : "/answer"
                    let patience = Int.random(in: 0..<200)
                    group.addTask {
                        let task = Task {
                            await transport.outcome(of: HTTPRequest(url: server.url + path))
                        }
                        if isCancelled {
                            for _ in 0..<patience { await Task.yield() }
                            task.cancel()
                        }
                        return await task.value
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let answered = outcomes.count { $0 == .answer(200, "here") }
            let cancelled = outcomes.count {
                if case .failed(_, .cancelled) = $0 { true } else { false }
            }
            #expect(answered + cancelled == 2000)
            #expect(answered >= 1000)
            #expect(cancelled >= 500)
            let left = await transport.exchangeCount()
            #expect(left == 0)
            let after = await transport.outcome(of: HTTPRequest(url: server.url + "/answer"))
            #expect(after == .answer(200, "here"))
            transport.close()
            await server.wait { $0.open.isEmpty }
        }
    }

    @Test func `comes with the closing of the transport`() async throws {
        try await withServer(Self.reluctant) { server, transport in
            await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<5 {
                    group.addTask { await transport.outcome(of: HTTPRequest(url: server.url)) }
                }
                await server.wait { $0.requests.count == 5 }
                transport.close()
                for await outcome in group { #expect(outcome == .failed(.unanswered, .closed)) }
            }
            let later = await transport.outcome(of: HTTPRequest(url: server.url))
            #expect(later == .failed(.notSent, .closed))
            await server.wait { $0.open.isEmpty }
            transport.close()
        }
    }

    @Test func `closes its connection when the transport is let go`() async throws {
        let server = try LoopbackServer(Self.reluctant)
        defer { server.stop() }
        var transport: CurlTransport? = CurlTransport(.direct)
        let outcome = await transport?.outcome(of: HTTPRequest(url: server.url + "/answer"))
        #expect(outcome == .answer(200, "here"))
        transport = nil
        await server.wait { $0.open.isEmpty }
    }

    @Test func `comes to many that start while the transport closes`() async throws {
        try await withServer(Self.reluctant) { server, transport in
            await withTaskGroup(of: Outcome.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        if index == 100 { transport.close() }
                        return await transport.outcome(
                            of: HTTPRequest(url: server.url + "/answer"))
                    }
                }
                for await outcome in group {
                    switch outcome {
                    case .answer(200, "here"), .failed(_, .closed): break
                    case .answer, .failed: Issue.record("ended as \(outcome)")
                    }
                }
            }
        }
    }

    @Test func `is the caller's fault if the request has no form`() async throws {
        try await withServer(Self.reluctant) { server, transport in
            for request in [
                HTTPRequest(url: server.url, headers: ["A": "b\r\nC: d"]),
                HTTPRequest(url: server.url + "/a b"), HTTPRequest(url: "ftp://127.0.0.1/"),
                HTTPRequest(url: "http://127.0.0.1:99999/"), HTTPRequest(url: "http://[::1/"),
            ] {
                let outcome = await transport.outcome(of: request)
                #expect(outcome == .failed(.notSent, .invalidRequest))
            }
            #expect(server.accepted == 0)
        }
    }
}
#endif
