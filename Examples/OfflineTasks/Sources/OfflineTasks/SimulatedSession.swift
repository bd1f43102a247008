import SupabaseOffline

/// A state of the session that is made up, to see what a read does in it.
enum SimulatedSession: Equatable {
    case restoring(Person)
    case signedIn(Person)
    case signedOut
    case refreshFailed(Person)

    /// Whose session is meant.
    enum Person: Equatable {
        /// Whoever is signed in.
        case present
        case nobody
        case account(email: String)
    }

    /// Understands `STATE`, `STATE:EMAIL` and `restoring:nobody`; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let person: Person =
            switch parts.dropFirst().first {
            case nil: .present
            case "nobody": .nobody
            case let email?: .account(email: String(email))
            }
        switch (parts.first, person) {
        case ("signedOut", .present): self = .signedOut
        case (_, .account(email: "")): return nil
        case ("restoring", _): self = .restoring(person)
        case (_, .nobody): return nil
        case ("signedIn", _): self = .signedIn(person)
        case ("refreshFailed", _): self = .refreshFailed(person)
        default: return nil
        }
    }

    /// The session that the state speaks of; nil if it speaks of none.
    func session(in store: AccountStore) throws(AccountError) -> AuthSession? {
        switch self {
        case .signedOut, .restoring(.nobody): return nil
        case .restoring(.present): return store.present
        case .restoring(let person), .signedIn(let person), .refreshFailed(let person):
            switch person {
            case .account(let email): return try store.session(of: email)
            case .present, .nobody:
                guard let present = store.present else { throw .nobody }
                return present
            }
        }
    }

    /// The state, in the library's words.
    func state(of session: AuthSession?) -> SessionState {
        switch (self, session) {
        case (.restoring, _): .restoring(storedUserID: session?.userID)
        case (.signedIn, let session?):
            .signedIn(userID: session.userID, accessToken: session.accessToken)
        case (.refreshFailed, let session?): .refreshFailed(userID: session.userID)
        case (.signedOut, _), (.signedIn, nil), (.refreshFailed, nil): .signedOut
        }
    }
}
