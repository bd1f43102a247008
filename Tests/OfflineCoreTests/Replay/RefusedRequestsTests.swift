import FoundationEssentials
import OfflineTesting
import StorageMemory
import Synchronization
import Testing

@testable import OfflineCore

/// A write that a server refuses in the same words for ten minutes: how often it is asked.
@Suite("A write that is refused for ten minutes", .timeLimit(.minutes(5)))
struct RefusedRequestsTests {
    /// A server that refuses everything in the same words.
    private final class RefusingServer: HTTPTransport {
        private let response: HTTPResponse
        private let count = Lock(0)

        init(_ error: PostgrestError) {
            let code = error.code.map { #""code":"\#($0)","# } ?? ""
            response = HTTPResponse(
                status: error.status, headers: ["Content-Type": "application/json"],
                body: ContiguousArray(#"{\#(code)"message":"m"}"#.utf8))
        }

        var requests: Int { count.withLock { $0 } }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            count.withLock { $0 += 1 }
            return response
        }

        func download(
            _ request: HTTPRequest, toFile path: String
        ) async throws(TransportError) -> HTTPResponse {
            throw TransportError(.notSent, .file)
        }

        func close() {}
    }

    @Test(
        arguments: RefusalClassTests.ofTheDatabase + RefusalClassTests.ofPostgREST
            + RefusalClassTests.ofFunctions + RefusalClassTests.withoutCode)
    func `causes as many requests as its class says`(_ example: RefusalClassTests.Example) throws {
        try expectRequests(for: example.error, example.refusalClass)
    }

    @Test(
        .enabled(if: Vectors.areThere, Vectors.absence), arguments: PostgrestErrorVectors.all)
    func `causes as many requests as the class of every known error says`(
        _ vector: PostgrestErrorVectors.Vector
    ) throws {
        for code in vector.codes
        where !PostgrestErrorVectors.hasRowOfItsOwn(code, besides: vector) {
            guard let refusalClass = RefusalClass(rawValue: vector.queueClass) else { continue }
            for status in vector.statuses {
                try expectRequests(
                    for: PostgrestError(status: status, code: code, message: "m"), refusalClass)
            }
        }
    }

    private func expectRequests(
        for error: PostgrestError, _ refusalClass: RefusalClass
    ) throws {
        let server = RefusingServer(error)
        let (requests, isLeft) = try run(against: server)
        let expected: ClosedRange<Int>
        switch refusalClass {
        // At 0, 1, 3, 7, 15, 31 and 63 seconds, then every minute, and each a little later.
        case .retry where error.code == "57014": expected = 3...3
        case .retry: expected = 13...16
        // No token was sent, so none is to be renewed: after 5, 15 and 60 seconds and five minutes.
        case .auth: expected = 5...5
        case .reload: expected = 4...4
        case .hold: expected = 2...2
        case .conflict, .reject: expected = 1...1
        }
        #expect(expected.contains(requests), "\(error): \(requests) requests")
        let isGivenUp =
            [.reload, .conflict, .reject].contains(refusalClass) || error.code == "57014"
        #expect(isLeft != isGivenUp, "\(error)")
    }

    private func run(against server: RefusingServer) throws -> (requests: Int, isLeft: Bool) {
        try SeededExecutor(seed: 1).run { runtime in
            var config = SupabaseOfflineClient.Config(logLevel: .error)
            config.runtime = runtime
            guard
                let client = try? SupabaseOfflineClient(
                    supabaseURL: .example, supabaseKey: "publishable", config: config,
                    storage: MemoryStorage(keyspaces: Keyspace.all), transport: server)
            else { return (0, false) }
            _ = try? await client.from("tasks").insert(["id": 1]).execute()
            try? await runtime.clock.sleep(for: .seconds(599))
            let (requests, left) = (server.requests, client.currentSyncStatus.pendingCount)
            await client.close()
            return (requests, left > 0)
        }
    }
}
