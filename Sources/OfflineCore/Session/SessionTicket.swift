/// A question to the app's token source, under way or answered.
package struct SessionQuestion: Sendable {
    /// Nil where no token is to be asked for.
    let answer: Task<TokenAnswer, Never>?
}

/// What the app's token source answered.
enum TokenAnswer: Sendable {
    /// A token, and whose it is if not its own claims say so.
    case token(String, owner: Identity.Owner?)
    case noToken(StoredUser)
    case failed(any Error)
}

/// Whose a call is.
package enum SessionStanding: Sendable {
    /// This identity's; nil if the token names nobody, and then nothing is kept for it.
    case known(Identity?)
    /// The last user's, whose token can't be had now, for the app's own reason if it gives one.
    case withoutToken(last: Identity?, (any Error)?)
    /// This user's until the app says who it is.
    case waiting(last: Identity?)

    /// Whose lists may be shown.
    package var identity: Identity? {
        switch self {
        case .known(let identity), .withoutToken(let identity, _), .waiting(let identity): identity
        }
    }

    /// Whether a request can go out.
    package var canAsk: Bool {
        switch self {
        case .known, .waiting: true
        case .withoutToken: false
        }
    }

    /// The app's own reason why it can't.
    package var error: (any Error)? {
        if case .withoutToken(_, let error) = self { error } else { nil }
    }
}

/// Whose calls are at a moment.
package struct SessionPresence: Hashable, Sendable {
    /// Whose; nil if nobody knows, or if a token names nobody.
    package let identity: Identity?
    /// Whether the app has said so, rather than the last run.
    package let isSettled: Bool
    /// What changes with whose calls are, and with whether that is settled.
    fileprivate let settlement: Int
    /// How many tokens were heard of.
    fileprivate let tokens: Int

    init(identity: Identity?, isSettled: Bool, settlement: Int, tokens: Int) {
        self.identity = identity
        self.isSettled = isSettled
        self.settlement = settlement
        self.tokens = tokens
    }
}

/// For whom a request is sent.
package struct SessionTicket: Sendable {
    /// What is known of who it is for.
    enum Kind: Hashable {
        /// A settled identity.
        case settled(Identity)
        /// Somebody whom the token doesn't name.
        case nameless
        /// Whoever the session turns out to be; meanwhile this user's lists may be shown.
        case restoring(stored: Identity?)
        /// A request that brings its own session: it's nobody's that we know.
        case ownSession
    }

    let kind: Kind
    /// The token to send; nil for the publishable key alone.
    package let token: String?
    let generation: Int
    let settlement: Int

    /// Whose the answer is; nil if that is not settled: then nothing is kept.
    package var identity: Identity? {
        if case .settled(let identity) = kind { identity } else { nil }
    }

    /// Whose lists may be shown instead of an answer.
    package var shown: Identity? {
        switch kind {
        case .settled(let identity): identity
        case .restoring(let stored): stored
        case .nameless, .ownSession: nil
        }
    }

    /// Whether the request brings its own session.
    package var isForOwnSession: Bool { kind == .ownSession }

    /// Whether the session was not settled yet.
    package var isRestoring: Bool {
        if case .restoring = kind { true } else { false }
    }

    /// What two tickets share that are for the same calls, sent with the same token.
    package struct ID: Hashable, Sendable {
        fileprivate let kind: Kind
        fileprivate let token: String?
        fileprivate let settlement: Int
    }

    /// What tells this ticket from others.
    package var id: ID { ID(kind: kind, token: token, settlement: settlement) }
}

/// Why a request can't go out.
package enum SessionError: Error {
    /// The user's token can't be had, for the app's own reason if it gives one.
    case noToken((any Error)?)
    /// Another user, or nobody, is signed in than this call was for.
    case identityChanged
    /// The calling task was cancelled.
    case cancelled
}

// A token may reach no log.
extension SessionTicket.ID: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Nothing of what is in it.
    package var description: String { "a ticket's id" }
    /// The same as ``description``.
    package var debugDescription: String { description }
    /// A mirror that shows ``description`` alone.
    package var customMirror: Mirror { Mirror(self, children: ["id": description]) }
}

extension SessionTicket: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Whether it has a token, and no more.
    package var description: String { token == nil ? "without a token" : "with a token" }
    /// The same as ``description``.
    package var debugDescription: String { description }
    /// A mirror that shows ``description`` alone.
    package var customMirror: Mirror { Mirror(self, children: ["ticket": description]) }
}
