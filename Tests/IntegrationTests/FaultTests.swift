import Foundation
import SupabaseOffline
import Testing

/// What a server or a network can do wrong, played by the development server.
///
/// One at a time: a fault meets the requests of the next test as well.
@Suite(
    "A server that fails", .serialized,
    .enabled(if: TestServer.takesFaults, "only the development server takes faults"),
    .timeLimit(.minutes(2)))
struct FaultTests {
    /// A fault after which the device answers.
    static let outOfReach = [
        #""fault":"close""#, #""fault":"drop_before_commit""#, #""fault":"drop_after_commit""#,
        #""fault":"cut_headers""#, #""fault":"cut_body""#, #""fault":"cut_body","chunked":true"#,
        #""fault":"portal_page""#, #""fault":"portal_redirect""#, #""fault":"empty""#,
    ]

    @Test(arguments: outOfReach)
    func `that gives no usable answer is stood in for by the device`(_ fault: String) async throws {
        try await withWarmClient { client, server, warm in
            // More than once: a read on a kept-alive connection that breaks is sent again on a new one.
            try await server.fail(fault, table: "announcements", times: 9)
            let response = try await client.from("announcements").select().execute()
            #expect(response.isFromCache)
            #expect(response.data == warm.data)
            #expect(response.fetchedAt == warm.fetchedAt)
            // The process lives, and so does the connection to the server.
            try await server.clearFaults(table: "announcements")
            let after = try await client.from("announcements").select().execute()
            #expect(!after.isFromCache)
        }
    }

    @Test(arguments: outOfReach)
    func `that gives no usable answer leaves an error where the device has nothing`(
        _ fault: String
    ) async throws {
        try await withClient { client, server in
            try await server.fail(fault, table: "announcements")
            let error = await #expect(throws: OfflineError.self) {
                try await client.from("announcements").select().retry(enabled: false).execute()
            }
            guard case .connectivity? = error?.reason else {
                Issue.record("\(String(describing: error)) is another reason")
                return
            }
            try await server.clearFaults(table: "announcements")
        }
    }

    @Test func `that is busy is asked again, and never stood in for`() async throws {
        try await withWarmClient { client, server, _ in
            let unavailable = #""fault":"unavailable","retry_after":0"#
            try await server.fail(unavailable, table: "announcements")
            let second = try await client.from("announcements").select().execute()
            #expect(!second.isFromCache)
            try await server.fail(unavailable, table: "announcements", times: 4)
            let error = await #expect(throws: OfflineError.self) {
                try await client.from("announcements").select().execute()
            }
            guard case .server(let refusal)? = error?.reason else {
                Issue.record("\(String(describing: error)) is another reason")
                return
            }
            #expect(refusal.status == 503)
            try await server.clearFaults(table: "announcements")
        }
    }

    @Test func `that has an unknown error at its edge is asked again`() async throws {
        try await withWarmClient { client, server, _ in
            try await server.fail(#""fault":"edge_error""#, table: "announcements")
            let second = try await client.from("announcements").select().execute()
            #expect(!second.isFromCache)
        }
    }

    @Test(arguments: [
        (#""fault":"pool_timeout""#, 504), (#""fault":"rate_limited""#, 429),
        (#""fault":"expired""#, 401), (#""fault":"expired_v12""#, 401),
        (#""fault":"invalid_key""#, 401),
        (#""fault":"paused""#, 540),
    ])
    func `that refuses is not stood in for`(_ fault: String, _ status: Int) async throws {
        try await withWarmClient { client, server, warm in
            try await server.fail(fault, table: "announcements")
            let error = await #expect(throws: OfflineError.self) {
                try await client.from("announcements").select().execute()
            }
            guard case .server(let refusal)? = error?.reason else {
                Issue.record("\(String(describing: error)) is another reason")
                return
            }
            #expect(refusal.status == status)
            let kept = try await client.from("announcements").select(readStrategy: .cacheOnly)
                .execute()
            #expect(kept.data == warm.data)
            try await server.clearFaults(table: "announcements")
        }
    }

    @Test(arguments: ["{}", #""text""#, "null", "[1]"])
    func `that answers something else than rows is an error and keeps nothing`(
        _ body: String
    ) async throws {
        try await withWarmClient { client, server, warm in
            let text = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
            try await server.fail(#""fault":"answer","body":\#(text)"#, table: "announcements")
            let error = await #expect(throws: OfflineError.self) {
                try await client.from("announcements").select().execute()
            }
            #expect(error?.reason == .unexpectedAnswer(status: 200))
            let kept = try await client.from("announcements").select(readStrategy: .cacheOnly)
                .execute()
            #expect(kept.data == warm.data)
            try await server.clearFaults(table: "announcements")
        }
    }

    @Test func `that is slow is not waited for where the device can answer`() async throws {
        try await withWarmClient(configure: { $0.warmReadTimeout = .milliseconds(100) }) {
            client, server, warm in
            try await server.fail(#""fault":"delay","seconds":30"#, table: "announcements")
            let response = try await client.from("announcements").select().execute()
            #expect(response.isFromCache)
            #expect(response.data == warm.data)
            try await server.clearFaults(table: "announcements")
        }
    }

    /// Runs `body` with a client whose device has the list of announcements.
    private func withWarmClient(
        configure: (inout SupabaseOfflineClient.Config) -> Void = { _ in },
        _ body: (
            SupabaseOfflineClient, TestServer, _ warm: OfflineResponse<Void>
        ) async throws -> Void
    ) async throws {
        try await withClient(configure: configure) { client, server in
            try await server.clearFaults(table: "announcements")
            let warm = try await client.from("announcements").select().execute()
            try #require(!warm.isFromCache && warm.data.count > 2)
            try await body(client, server, warm)
        }
    }
}
