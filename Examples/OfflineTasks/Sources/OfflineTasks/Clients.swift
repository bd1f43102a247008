import Foundation
import SupabaseOffline

/// Makes the library's clients.
///
/// An app that goes on running has one, which sends by itself what it keeps (`autoSync`). Here every
/// command makes its own, and would end in the middle of that: so a change sends what was kept before
/// it and then itself, `sync` and `retry` send, and nothing else does.
struct Clients: Sendable {
    let server: URL
    let key: String
    let directory: URL
    let policy: SupabaseOfflineClient.SignOutPolicy
    let accounts: Accounts
    /// What carries the requests; nil is the platform's own.
    var makeTransport: (@Sendable () -> any HTTPTransport)?

    /// Lends a client of the present user.
    func withClient<R: Sendable>(
        isOffline: Bool, _ body: (SupabaseOfflineClient) async throws -> R
    ) async throws -> R {
        try await lend(
            try await make(isOffline: isOffline) { config in
                config.accessToken = { try await accounts.accessToken() }
                config.currentUserID = { accounts.store.present?.userID }
            }, to: body)
    }

    /// Lends a client whose session is in a made-up state.
    func withClient<R: Sendable>(
        _ simulated: SimulatedSession, isOffline: Bool,
        _ body: (SupabaseOfflineClient) async throws -> R
    ) async throws -> R {
        let session = try simulated.session(in: accounts.store)
        let held = HeldValue(simulated.state(of: session))
        let client = try await make(isOffline: isOffline) { config in
            config.sessionStates = held.updates
            if let session {
                // What the state says may have expired; this supplies a fresher one.
                config.accessToken = { try await accounts.accessToken(of: session) }
            }
        }
        await held.waitUntilHeard()
        return try await lend(client, to: body)
    }

    /// Lets the library hear who is present now, so that the lists of one who has gone go, or stay,
    /// by the policy.
    ///
    /// An app that goes on running leaves that to its next read. A command ends before, so it makes
    /// a read that hears of the session and then gets nowhere.
    ///
    /// - Returns: For whom writes are kept on this device, and how many.
    func tellOfSession() async throws -> [UnsentWrites] {
        let present = accounts.store.present
        let client = try await make(isOffline: true) { config in
            // Not renewed: it is sent nowhere, and an expired one names its user as well.
            config.accessToken = { present?.accessToken }
            config.currentUserID = { present?.userID }
        }
        return try await lend(client) { client in
            do {
                try await client.from("tasks").select("id", readStrategy: .networkOnly).execute()
            } catch let error as OfflineError {
                guard case .connectivity = error.reason else { throw error }
            }
            return try await client.unsentWrites
        }
    }

    private func make(
        isOffline: Bool, session: (inout SupabaseOfflineClient.Config) -> Void
    ) async throws -> SupabaseOfflineClient {
        var config = SupabaseOfflineClient.Config(
            dataDirectory: directory.appending(path: "data"), autoSync: false,
            signOutPolicy: policy,
            // Somebody waits for the command.
            requestTimeout: .seconds(15), transport: isOffline ? Tunnel() : makeTransport?())
        // What the device's own monitor would say in a tunnel.
        let signal = isOffline ? HeldValue(false) : nil
        config.networkAvailability = signal?.updates
        session(&config)
        let client = try SupabaseOfflineClient(
            supabaseURL: server, supabaseKey: key, config: config)
        await signal?.waitUntilHeard()
        return client
    }

    private func lend<R: Sendable>(
        _ client: SupabaseOfflineClient, to body: (SupabaseOfflineClient) async throws -> R
    ) async throws -> R {
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }
}
