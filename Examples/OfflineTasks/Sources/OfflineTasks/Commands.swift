import Foundation
import SupabaseOffline

/// What the app can do; each command returns what it has to say.
struct Commands {
    let accounts: Accounts
    let clients: Clients

    init(_ invocation: Invocation) throws {
        accounts = Accounts(
            store: try AccountStore(in: invocation.directory),
            auth: AuthServer(server: invocation.server, key: invocation.key))
        clients = Clients(
            server: invocation.server, key: invocation.key, directory: invocation.directory,
            policy: invocation.policy, accounts: accounts)
    }

    init(_ clients: Clients) {
        accounts = clients.accounts
        self.clients = clients
    }

    func run(_ command: Invocation.Command) async throws -> String {
        switch command {
        case .help: Invocation.usage
        case .login(let email, let password): try await login(email, password)
        case .logout: try await logout()
        case .switchUser(let email): try await switchUser(to: email)
        case .whoami: whoami(now: Date())
        case .list(let options): try await list(options).text(now: Date())
        case .change(let change): try await self.change(change)
        case .queue(let command): try await queue(command, now: Date())
        }
    }

    private func login(_ email: String, _ password: String) async throws -> String {
        try await accounts.signIn(email: email, password: password)
        return lines("Signed in as \(email).", await word(to: accounts.store.present))
    }

    private func switchUser(to email: String) async throws -> String {
        let session = try accounts.switchUser(to: email)
        return lines("Switched to \(session.user.email).", await word(to: session))
    }

    private func logout() async throws -> String {
        guard let (session, failure) = try await accounts.signOut() else {
            return "Nobody is signed in."
        }
        let user = session.user
        let end =
            switch failure {
            case nil: "The session has ended on the server too."
            case .unreachable: "The server could not be reached: there the session goes on."
            case .refused(let status), .unexpected(let status):
                "The server answered \(status): there the session may go on."
            }
        let lists =
            clients.policy == .keepCache
            ? "The lists are kept on this device, for \(user.email) alone."
            : "The lists are gone from this device."
        let (unsent, trouble) = await tellOfSession()
        let writes = unsent.text(of: session).map { counts in
            "\(counts) They stay on this device until \(user.email) is back, and go to nobody else."
        }
        return lines(
            "Signed out \(user.email) on this device.", end, writes, trouble ?? lists)
    }

    private func whoami(now: Date) -> String {
        let present = accounts.store.present
        let others = accounts.store.all().map(\.user).filter { $0 != present?.user }.map(\.email)
        let kept = others.isEmpty ? nil : "Can be switched to: \(others.joined(separator: ", "))."
        guard let present else { return lines("Nobody is signed in.", kept) }
        return lines(
            "Signed in as \(present.user.email), \(present.userID).",
            present.isExpired(at: now)
                ? "The token has expired; the next request renews it."
                : "The token has not expired.",
            kept)
    }

    /// What is to be said to somebody who has come, if anything.
    private func word(to session: AuthSession?) async -> String? {
        let (unsent, trouble) = await tellOfSession()
        let writes = session.flatMap { unsent.text(of: $0) }
        return trouble ?? writes.map { "\($0) See pending and rejected." }
    }

    /// Tells the library who is present, and returns for whom writes are kept, or what hindered that.
    ///
    /// It is no failure of the command: nobody is shown another's lists meanwhile.
    private func tellOfSession() async -> (unsent: [UnsentWrites], trouble: String?) {
        do {
            return (try await clients.tellOfSession(), nil)
        } catch {
            return ([], "What becomes of the lists is decided with the next read: \(error)")
        }
    }

    private func lines(_ lines: String?...) -> String {
        lines.compactMap { $0 }.joined(separator: "\n")
    }
}

extension [UnsentWrites] {
    /// How many writes of somebody there are; nil if there are none.
    fileprivate func text(of session: AuthSession) -> String? {
        guard let writes = first(where: { $0.userID == session.userID }) else { return nil }
        let counts = [(writes.pending, "not sent yet"), (writes.rejected, "rejected")]
            .filter { $0.0 > 0 }.map { "\(counted($0, "write")) \($0 == 1 ? "is" : "are") \($1)" }
        return counts.isEmpty ? nil : counts.joined(separator: ", and ") + "."
    }
}
