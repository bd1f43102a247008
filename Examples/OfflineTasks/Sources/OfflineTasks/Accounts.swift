import Foundation

/// The users of this device: signs them in and out, and gives the library their tokens.
struct Accounts: Sendable {
    let store: AccountStore
    let auth: AuthServer

    func signIn(email: String, password: String) async throws {
        try store.add(try await auth.signIn(email: email, password: password))
    }

    /// Makes a user present who has signed in before; the network is not needed.
    func switchUser(to email: String) throws -> AuthSession {
        let session = try store.session(of: email)
        try store.makePresent(session)
        return session
    }

    /// Forgets the present session, here and then on the server.
    ///
    /// - Returns: Whose session it was, and why it was not ended on the server, if so; nil if
    ///   nobody is signed in.
    func signOut() async throws -> (session: AuthSession, failure: AuthError?)? {
        guard let session = store.present else { return nil }
        // Here first: whoever signs out without a network is signed out.
        try store.removePresent()
        do throws(AuthError) {
            try await auth.end(session)
            return (session, nil)
        } catch {
            return (session, error)
        }
    }

    /// The present user's token: a fresh one if the old one has expired, nil if nobody is signed in.
    ///
    /// Throws if it can't be renewed now, so that the library knows that the user is still the same.
    func accessToken() async throws -> String? {
        guard let present = store.present else { return nil }
        return try await accessToken(of: present)
    }

    func accessToken(of session: AuthSession) async throws -> String {
        guard session.isExpired(at: Date()) else { return session.accessToken }
        let renewed = try await auth.renew(session)
        try store.replace(with: renewed)
        return renewed.accessToken
    }
}
