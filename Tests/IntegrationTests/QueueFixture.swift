import Foundation
import SupabaseOffline
import Testing

/// A table that a test makes for itself, so that it may let it fail.
struct OwnTable: Sendable {
    let server: TestServer
    let user: TestUser
    let name: String

    /// Runs `body` with a table that belongs to a new user, and a client of theirs.
    ///
    /// - Parameters:
    ///   - columns: The definition of its columns, beside `user_id`.
    ///   - body: The test.
    /// - Throws: What the test throws, or that there is no server.
    static func with(
        _ columns: String,
        _ body: (SupabaseOfflineClient, Detour, OwnTable) async throws -> Void
    ) async throws {
        let server = try #require(TestServer.current)
        let user = try await server.makeUser()
        let table = OwnTable(
            server: server, user: user, name: "queued_\(UInt64.random(in: 0...UInt64.max))")
        try await server.sql(
            """
            create table public.\(table.name) (\(columns),
              user_id uuid not null default auth.uid() references auth.users);
            alter table public.\(table.name) enable row level security;
            create policy own on public.\(table.name) for all to authenticated
              using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
            """)
        try await server.reload()
        try await withQueue(of: user) { client, network in
            try await body(client, network, table)
        }
        try await server.clearFaults(table: table.name)
        try await server.sql("drop table public.\(table.name)")
    }

    func fail(_ fault: String, times: Int? = 1) async throws {
        try await server.fail(fault, table: name, times: times)
    }

    /// What a query over the table gives, whose name in it is `t`.
    func sql(_ query: String) async throws -> String {
        try await server.sql("with t as (select * from public.\(name)) \(query)")
            .trimmingCharacters(in: .newlines)
    }
}

/// Runs `body` with a client of a user that sends what it keeps when the test says so.
func withQueue(
    of user: TestUser, _ body: (SupabaseOfflineClient, Detour) async throws -> Void
) async throws {
    let network = Detour()
    try await withClient(
        tokens: Tokens(try await user.token()),
        configure: {
            $0.transport = network
            $0.autoSync = false
        }
    ) { client, _ in
        // Who the user is, is known from the start.
        try await client.from("tasks").select("id").execute()
        try await body(client, network)
    }
}

extension SupabaseOfflineClient {
    /// The writes that were rejected.
    var rejections: [RejectedMutation] {
        get async { await rejectedMutations.first { _ in true } ?? [] }
    }

    /// Sends what is kept until nothing is left, or nothing more comes of it.
    func drain() async throws {
        for _ in 0..<8 {
            if try await syncPendingMutations().left == 0 { return }
        }
        Issue.record("the queue is not empty: \(currentSyncStatus)")
    }
}

extension WriteOutcome {
    /// The write that is kept; a test that needs one fails without.
    func kept() throws -> PendingMutation { try #require(mutation, "it was sent") }
}
