/// Where a client hears who its user is; each part is the app's, and optional.
package struct SessionSource: Sendable {
    /// Gives the user's token.
    let accessToken: (@Sendable () async throws -> String?)?
    /// Names the stored user, at once.
    let currentUserID: (@Sendable () -> String?)?
    /// Tells every state of the session; where given, the authority.
    let states: (@Sendable () -> AsyncStream<SessionState>)?

    package init(
        accessToken: (@Sendable () async throws -> String?)? = nil,
        currentUserID: (@Sendable () -> String?)? = nil,
        states: (@Sendable () -> AsyncStream<SessionState>)? = nil
    ) {
        self.accessToken = accessToken
        self.currentUserID = currentUserID
        self.states = states
    }

    /// What is consulted to learn whose a call is.
    enum Authority {
        /// Nothing: the client has one identity.
        case none
        /// The newest of the states.
        case states
        /// The stored user, and then the token.
        case storedUser
        /// The token.
        case token
    }

    var authority: Authority {
        if states != nil { return .states }
        if currentUserID != nil { return .storedUser }
        return accessToken == nil ? .none : .token
    }

    /// Who is stored now, if the app tells.
    var storedUser: StoredUser {
        guard let currentUserID else { return .untold }
        return .told(currentUserID().flatMap { $0.isEmpty ? nil : UserID($0) })
    }

    /// Asks for a token, and says whose it is.
    ///
    /// - Parameters:
    ///   - accessToken: The app's closure.
    ///   - before: Who was stored when the question came up.
    /// - Returns: The token and whose it is, that there is none, or why it can't be had.
    func answer(
        of accessToken: @Sendable () async throws -> String?, askedUnder before: StoredUser
    ) async -> TokenAnswer {
        do {
            guard let token = try await accessToken() else { return .noToken(storedUser) }
            let after = storedUser
            // A token that names nobody is the stored user's, if there was no other.
            let user = TokenClaims(token: token)?.user ?? (before == after ? after.user : nil)
            return .token(token, owner: user.map { .user($0) })
        } catch {
            return .failed(error)
        }
    }
}

/// What an app says of its stored user.
enum StoredUser: Equatable, Sendable {
    /// It doesn't say.
    case untold
    /// This one, or none.
    case told(UserID?)

    /// The user; nil if there is none, and where the app doesn't tell.
    var user: UserID? {
        if case .told(let user) = self { user } else { nil }
    }
}
