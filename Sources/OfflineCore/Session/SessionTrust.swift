/// Owns what is known of the session: whose calls are, and whether an answer is still theirs.
///
/// Row-level security answers a request without the user's token with fewer rows, or none, and
/// status 200. Kept as the user's list, that answer would replace the user's rows with nothing. So
/// every request carries a ticket that says for whom it is sent, by the token that it carries, and
/// an answer is kept for that identity alone.
package actor SessionTrust {
    /// How long a refused token waits for a state with another one.
    static let longestWaitForAnotherToken = Duration.seconds(10)

    private let project: String
    private let source: SessionSource
    private let runtime: OfflineRuntime
    private let log: Log
    private var machine: SessionStateMachine
    /// The token that was heard of last, and whose it is.
    private var newest: Token? {
        didSet { if oldValue?.text != newest?.text { tokens += 1 } }
    }
    /// How many tokens were heard of.
    private var tokens = 0
    private var renewal: (refused: String, task: Task<TokenAnswer, Never>)?
    private var keeper: SettlementKeeper
    private var watch: OwnedTask?
    /// Says "look again" with every word from the app.
    private nonisolated let news = StateRelay(0)
    private nonisolated let partings: StateRelay<Int>

    private struct Token {
        let text: String
        let owner: Identity.Owner?
    }

    /// Creates the trust of a client that has heard nothing yet.
    ///
    /// - Parameters:
    ///   - project: The host of the project.
    ///   - source: Where to hear who the user is.
    ///   - policy: What becomes of the lists of a user who has gone.
    ///   - last: Who was settled last, according to `identities`.
    ///   - identities: Where the last user is kept.
    ///   - numbers: The numbers of requests.
    ///   - runtime: Time and tasks.
    ///   - log: Where failures to keep the last user are told.
    package init(
        project: String, source: SessionSource, policy: SupabaseOfflineClient.SignOutPolicy,
        last: IdentityStore.LastUser?, identities: IdentityStore, numbers: RequestNumbers,
        runtime: OfflineRuntime, log: Log
    ) {
        self.project = project
        self.source = source
        self.runtime = runtime
        self.log = log
        keeper = SettlementKeeper(
            project: project, policy: policy, identities: identities, numbers: numbers,
            runtime: runtime, log: log)
        partings = keeper.departures
        machine = SessionStateMachine(last: last)
    }

    /// Says "look again" when the lists of a user who has gone are to go too; the first word comes
    /// at once.
    package nonisolated var departures: AsyncStream<Int> { partings.updates() }

    /// Listens to the app's states until they end, which leaves the last one in place.
    package func follow(_ states: AsyncStream<SessionState>) {
        watch = OwnedTask(
            runtime.task(name: "session.states") { [weak self] in
                for await state in states { await self?.heard(state) }
                guard !Task.isCancelled else { return }
                await self?.lostStates()
            })
    }

    /// Stops listening, and waits until the last user is kept.
    package func close() async {
        watch = nil
        news.finish()
        partings.finish()
        await keeper.saving?.value
    }
}

// MARK: Whose calls are

extension SessionTrust {
    /// Asks the app for a token, without waiting for it.
    ///
    /// The app's closure runs in a task of its own: off this actor, and to its end even if nobody
    /// waits any more, since its answer tells everybody who the user is.
    package func ask() -> SessionQuestion {
        guard let accessToken = source.accessToken else { return SessionQuestion(answer: nil) }
        switch source.authority {
        case .states where !machine.isSignedIn:
            return SessionQuestion(answer: nil)
        case .none, .states, .storedUser, .token:
            return SessionQuestion(answer: question(to: accessToken))
        }
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
        switch source.authority {
        case .none:
            return .known(identity(.visitor))
        case .states:
            return standing
        case .storedUser:
            return .known(identity(of: ownerByStoredUser()))
        case .token:
            guard let answer = question.answer else { return .known(identity(.visitor)) }
            guard let heard = await runtime.value(of: answer, within: limit) else {
                return .waiting(last: identity(machine.ownerWhileWaiting))
            }
            switch heard {
            case .token(_, let owner): return .known(identity(owner))
            case .noToken: return .known(identity(.visitor))
            case .failed(let error): return .withoutToken(last: identity(machine.owner), error)
            }
        }
    }

    /// Whose calls are now, as far as is known without asking for a token, and what tells that from
    /// what was known before.
    package var presence: SessionPresence {
        let owner: Identity.Owner? =
            switch source.authority {
            case .none: .visitor
            case .storedUser: ownerByStoredUser()
            case .states, .token: machine.owner
            }
        let isSettled = if case .none = source.authority { true } else { machine.isSettled }
        return SessionPresence(
            identity: identity(owner), isSettled: isSettled, settlement: machine.settlement,
            tokens: tokens)
    }

    /// Says "look again" with every word from the app; the first comes at once.
    package nonisolated var changes: AsyncStream<Int> { news.updates() }

    private var standing: SessionStanding {
        let identity = identity(machine.owner)
        switch machine.state {
        case .user, .visitor, .nameless: return .known(identity)
        case .restoring: return .waiting(last: identity)
        case .refreshFailed: return .withoutToken(last: identity, nil)
        }
    }

    /// For whom a request goes out, and with which token.
    ///
    /// - Parameter question: This call's question to the app; nil for a call with its own session.
    /// - Returns: The ticket, to be shown again when the answer is there.
    /// - Throws: ``SessionError``, and nothing is to be sent.
    package func ticket(_ question: SessionQuestion?) async throws(SessionError) -> SessionTicket {
        guard let question else { return ticket(.ownSession) }
        let heard: TokenAnswer?
        if let answer = question.answer {
            guard let value = await runtime.value(of: answer, within: nil) else {
                throw .cancelled
            }
            heard = value
        } else {
            heard = nil
        }
        switch source.authority {
        case .none: return ticket(.settled(identity(of: .visitor)))
        case .states: return try ticketByState(heard)
        case .storedUser, .token: return try ticketByToken(heard)
        }
    }

    /// A ticket for what nobody wrote, who was signed out then: it carries no token, whoever is there.
    package func visitorTicket() -> SessionTicket {
        ticket(.settled(identity(of: .visitor)))
    }

    private func ticketByState(
        _ heard: TokenAnswer?
    ) throws(SessionError) -> SessionTicket {
        switch machine.state {
        case .restoring: return ticket(.restoring(stored: identity(machine.owner)))
        case .visitor: return ticket(.settled(identity(of: .visitor)))
        case .nameless: return ticket(.nameless)
        case .refreshFailed: throw .noToken(nil)
        case .user(let user):
            // Who was asked and who the token is for must be who is signed in now.
            if case .token(let text, let owner)? = heard {
                guard owner == .user(user) else { throw .identityChanged }
                return ticket(.settled(identity(of: .user(user))), text)
            }
            guard let newest, newest.owner == .user(user) else { throw .identityChanged }
            return ticket(.settled(identity(of: .user(user))), newest.text)
        }
    }

    private func ticketByToken(
        _ heard: TokenAnswer?
    ) throws(SessionError) -> SessionTicket {
        let owner: Identity.Owner?
        let token: String?
        switch heard {
        case .token(let text, let whose): (owner, token) = (whose, text)
        case nil, .noToken(.untold), .noToken(.told(nil)): (owner, token) = (.visitor, nil)
        case .noToken(.told): throw .noToken(nil)
        case .failed(let error): throw .noToken(error)
        }
        // The answer to a later question may have named somebody else meanwhile.
        guard owner == machine.owner else { throw .identityChanged }
        return ticket(owner.map { .settled(identity(of: $0)) } ?? .nameless, token)
    }

    /// Whether calls still are whose they were when the ticket was given out.
    package func holds(_ ticket: SessionTicket) -> Bool {
        switch ticket.kind {
        case .ownSession, .restoring: return true
        case .settled, .nameless: break
        }
        if case .storedUser = source.authority {
            machine.saw(storedUser: source.storedUser.user)
        }
        return ticket.generation == machine.generation
    }

    /// Whether an identity's lists may be shown to whoever is there now.
    package func mayShow(_ shown: Identity) -> Bool {
        switch source.authority {
        case .none: return shown.owner == .visitor
        case .storedUser: return shown.owner == ownerByStoredUser()
        case .states, .token: return shown.owner == machine.owner
        }
    }

    private func ownerByStoredUser() -> Identity.Owner {
        let user = source.storedUser.user
        machine.saw(storedUser: user)
        return user.map { .user($0) } ?? .visitor
    }

    /// Whether an answer to a request with this ticket may be kept: it went out under a settled
    /// session that has not changed since.
    package func mayKeep(_ ticket: SessionTicket) -> Bool {
        guard ticket.identity != nil, holds(ticket) else { return false }
        if case .none = source.authority { return true }
        return machine.isSettled && ticket.settlement == machine.settlement
    }

    /// Whether the app has not said yet what becomes of the stored session.
    package var isRestoring: Bool {
        if case .restoring = machine.state { true } else { false }
    }

    /// Waits until the app has said what becomes of the stored session.
    ///
    /// - Parameter limit: How long to wait.
    package func waitWhileRestoring(within limit: Duration) async {
        await wait(within: limit) { !$0.isRestoring }
    }

    /// Waits until the app has said what is waited for.
    func wait(until isReached: @escaping @Sendable (SessionStateMachine) -> Bool) async {
        await wait(within: nil) { isReached($0.machine) }
    }

    private func ticket(_ kind: SessionTicket.Kind, _ token: String? = nil) -> SessionTicket {
        SessionTicket(
            kind: kind, token: token, generation: machine.generation,
            settlement: machine.settlement)
    }

    private func identity(of owner: Identity.Owner) -> Identity {
        Identity(project: project, owner: owner)
    }

    private func identity(_ owner: Identity.Owner?) -> Identity? {
        owner.map { identity(of: $0) }
    }
}

// MARK: Another token

extension SessionTrust {
    /// Replaces a token that the server no longer accepts, joining a renewal under way.
    ///
    /// However many requests were refused with a token, the app is asked for another one once.
    ///
    /// - Parameter refused: The ticket with the token that was refused.
    /// - Returns: A ticket with another token of the same user.
    /// - Throws: ``SessionError``: ``SessionError/noToken(_:)`` if there is no other token.
    package func ticket(
        replacing refused: SessionTicket
    ) async throws(SessionError) -> SessionTicket {
        guard let token = refused.token, holds(refused) else { throw .identityChanged }
        if let other = other(than: token) { return ticket(refused.kind, other) }
        let task = renewal?.refused == token ? renewal?.task : nil
        guard let answer = await runtime.value(of: task ?? renew(token), within: nil) else {
            throw .cancelled
        }
        guard holds(refused) else { throw .identityChanged }
        if let other = other(than: token) { return ticket(refused.kind, other) }
        if case .failed(let error) = answer { throw .noToken(error) }
        throw .noToken(nil)
    }

    /// A token of the present user's beside the refused one.
    private func other(than refused: String) -> String? {
        guard let newest, newest.owner == machine.owner, newest.text != refused else { return nil }
        return newest.text
    }

    private func renew(_ refused: String) -> Task<TokenAnswer, Never> {
        let task: Task<TokenAnswer, Never>
        if let accessToken = source.accessToken {
            let question = question(to: accessToken)
            task = runtime.task(name: "session.renew") {
                let answer = await question.value
                await self.ended(refused)
                return answer
            }
        } else {
            task = runtime.task(name: "session.renew") {
                await self.wait(within: Self.longestWaitForAnotherToken) {
                    !$0.machine.isSignedIn || $0.other(than: refused) != nil
                }
                await self.ended(refused)
                return .noToken(.untold)
            }
        }
        renewal = (refused, task)
        return task
    }

    private func ended(_ refused: String) {
        if renewal?.refused == refused { renewal = nil }
    }
}

// MARK: What the app says

extension SessionTrust {
    private func question(
        to accessToken: @escaping @Sendable () async throws -> String?
    ) -> Task<TokenAnswer, Never> {
        let number = machine.asked()
        let (before, generation) = (source.storedUser, machine.generation)
        return runtime.task(name: "session.token") { [source] in
            let answer = await source.answer(of: accessToken, askedUnder: before)
            return await self.heard(answer, to: number, askedIn: generation)
        }
    }

    /// Takes an answer of the token source.
    ///
    /// - Returns: The answer, with what the session knows of whose the token is.
    private func heard(
        _ answer: TokenAnswer, to question: Int, askedIn generation: Int
    ) -> TokenAnswer {
        defer { news.send(news.current + 1) }
        if case .states = source.authority {
            guard case .token(let text, let named) = answer else { return answer }
            // One that names nobody is the user's who has been signed in all the while.
            let owner = named ?? (generation == machine.generation ? machine.owner : nil)
            if owner == machine.owner { newest = Token(text: text, owner: owner) }
            return .token(text, owner: owner)
        }
        let stored = source.storedUser
        switch answer {
        case .token(let text, let owner):
            if case .told(let user?) = stored, owner != .user(user) {
                // The token of somebody who has gone since it was asked for.
                machine.saw(storedUser: user)
                return answer
            }
            let user: UserID? = if case .user(let id)? = owner { id } else { nil }
            keeper.perform(machine.answered(question, .token(of: user)))
            if owner == machine.owner { newest = Token(text: text, owner: owner) }
        case .noToken(let stored): keeper.perform(machine.answered(question, .noToken(stored)))
        case .failed: keeper.perform(machine.answered(question, .failed(stored)))
        }
        return answer
    }

    private func heard(_ state: SessionState) {
        if case .signedIn(let id, let text) = state {
            let user = TokenClaims(token: text)?.user ?? UserID(id)
            newest = Token(text: text, owner: .user(user))
        } else {
            newest = nil
        }
        keeper.perform(machine.changed(to: state))
        news.send(news.current + 1)
    }

    private func lostStates() {
        log.warning("sessionStates ended; the last state holds from now on.")
    }

    private func wait(
        within limit: Duration?, until isDone: @escaping @Sendable (isolated SessionTrust) -> Bool
    ) async {
        let news = news.updates()
        let arrival = runtime.task(name: "session.wait") { [weak self] in
            for await _ in news {
                guard let self, await !isDone(self) else { return }
            }
        }
        _ = await runtime.value(of: arrival, within: limit)
        arrival.cancel()
    }
}

extension SessionStateMachine {
    fileprivate var isSignedIn: Bool {
        if case .user = state { true } else { false }
    }
}
