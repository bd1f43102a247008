/// Owns what is known of the session: whose calls are, and whether an answer is still theirs.
///
/// Row-level security answers a request without the user's token with fewer rows, or none, and
/// status 200. Kept as the user's list, that answer would replace the user's rows with nothing. So
/// every request carries a ticket that says for whom it is sent, by the token that it carries, and
/// an answer is kept for that identity alone.
package actor SessionTrust {
    private let project: String
    private let source: (@Sendable () async throws -> String?)?
    private let identities: IdentityStore
    private let runtime: OfflineRuntime
    private let log: Log
    private var machine: SessionStateMachine

    /// Creates the trust of a client that has heard nothing yet.
    ///
    /// - Parameters:
    ///   - project: The host of the project.
    ///   - source: Gives the user's token; nil for a client without a session.
    ///   - last: Who was settled last, according to `identities`.
    ///   - identities: Where the last user is kept.
    ///   - runtime: Time and tasks.
    ///   - log: Where failures to keep the last user are told.
    package init(
        project: String, source: (@Sendable () async throws -> String?)?,
        last: IdentityStore.LastUser?, identities: IdentityStore, runtime: OfflineRuntime, log: Log
    ) {
        self.project = project
        self.source = source
        self.identities = identities
        self.runtime = runtime
        self.log = log
        machine = SessionStateMachine(last: last)
    }

    /// Asks the app for a token, without waiting for it.
    ///
    /// The app's closure runs in a task of its own: off this actor, and to its end even if nobody
    /// waits any more, since its answer tells everybody who the user is.
    package func ask() -> SessionQuestion {
        guard let source else { return SessionQuestion(answer: nil) }
        let number = machine.asked()
        return SessionQuestion(
            answer: runtime.task(name: "session.token") {
                let answer: SessionAnswer
                do {
                    answer = try await source().map { .token($0) } ?? .noToken
                } catch {
                    answer = .failed(error)
                }
                await self.heard(answer, to: number)
                return answer
            })
    }

    /// Whose a call is, and whether a request could go out for it.
    ///
    /// - Parameters:
    ///   - question: This call's question to the app; nil for a call that brings its own session,
    ///     and is nobody's that we know.
    ///   - limit: How long to wait for the answer; nil is as long as it takes.
    /// - Returns: The standing.
    package func standing(
        _ question: SessionQuestion?, within limit: Duration?
    ) async -> SessionStanding {
        guard let question else { return .known(nil) }
        guard let answer = question.answer else { return .known(identity(.visitor)) }
        guard let heard = await runtime.value(of: answer, within: limit) else {
            return .waiting(last: identity(machine.ownerWhileWaiting))
        }
        switch heard {
        case .token(let token): return .known(identity(TokenClaims(token: token)?.owner))
        case .noToken: return .known(identity(.visitor))
        case .failed(let error): return .withoutToken(last: identity(machine.owner), error)
        }
    }

    /// For whom a request goes out, and with which token.
    ///
    /// - Parameter question: This call's question to the app; nil for a call with its own session.
    /// - Returns: The ticket, to be shown again when the answer is there.
    /// - Throws: ``SessionError``, and nothing is to be sent.
    package func ticket(_ question: SessionQuestion?) async throws(SessionError) -> SessionTicket {
        guard let question else { return .ownSession }
        guard let answer = question.answer else {
            return SessionTicket(
                identity: identity(.visitor), token: nil, generation: machine.generation)
        }
        guard let heard = await runtime.value(of: answer, within: nil) else { throw .cancelled }
        let owner: Identity.Owner?
        let token: String?
        switch heard {
        case .token(let text): (owner, token) = (TokenClaims(token: text)?.owner, text)
        case .noToken: (owner, token) = (.visitor, nil)
        case .failed(let error): throw .noToken(error)
        }
        // The answer to a later question may have named somebody else meanwhile.
        guard owner == machine.owner else { throw .identityChanged }
        return SessionTicket(
            identity: identity(owner), token: token, generation: machine.generation)
    }

    /// Whether calls still are whose they were when the ticket was given out.
    package func holds(_ ticket: SessionTicket) -> Bool {
        ticket.isForOwnSession || ticket.generation == machine.generation
    }

    private func heard(_ answer: SessionAnswer, to question: Int) {
        let news: SessionStateMachine.Answer =
            switch answer {
            case .token(let token): .token(sub: TokenClaims(token: token)?.user)
            case .noToken: .noToken
            case .failed: .failed
            }
        switch machine.answered(question, news) {
        case .none:
            break
        case .keep(let user):
            _ = runtime.task(name: "session.keep") { [identities, project, log] in
                do throws(StorageError) {
                    try await identities.setLastUser(user, of: project)
                } catch {
                    log.warning("The last user could not be kept: \(error)")
                }
            }
        }
    }

    private func identity(_ owner: Identity.Owner?) -> Identity? {
        owner.map { Identity(project: project, owner: $0) }
    }
}

extension TokenClaims {
    /// Who is answered to a request with this token; nil if it names nobody.
    fileprivate var owner: Identity.Owner? { user.map { .user($0) } }
}

/// A question to the app's token source, under way or answered.
package struct SessionQuestion: Sendable {
    fileprivate let answer: Task<SessionAnswer, Never>?
}

private enum SessionAnswer: Sendable {
    case token(String)
    case noToken
    case failed(any Error)
}

/// Whose a call is.
package enum SessionStanding: Sendable {
    /// This identity's; nil if the token names nobody, and then nothing is kept for it.
    case known(Identity?)
    /// The last user's, whose token can't be had now for the app's own reason.
    case withoutToken(last: Identity?, any Error)
    /// The last user's until the app says who it is.
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

/// For whom a request is sent.
package struct SessionTicket: Sendable {
    /// Whose the answer is; nil if the token names nobody: then nothing is kept.
    package let identity: Identity?
    /// The token to send; nil for the publishable key alone.
    package let token: String?
    fileprivate let generation: Int?

    /// For a request that brings its own session: it's nobody's that we know.
    fileprivate static let ownSession = SessionTicket(identity: nil, token: nil, generation: nil)

    /// Whether the request brings its own session.
    package var isForOwnSession: Bool { generation == nil }

    /// What two tickets share that are for the same calls, sent with the same token.
    package struct ID: Hashable, Sendable {
        fileprivate let identity: Identity?
        fileprivate let token: String?
        fileprivate let generation: Int?
    }

    /// What tells this ticket from others.
    package var id: ID { ID(identity: identity, token: token, generation: generation) }
}

/// Why a request can't go out.
package enum SessionError: Error {
    /// The user's token can't be had, for the app's own reason.
    case noToken(any Error)
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
