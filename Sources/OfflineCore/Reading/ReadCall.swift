import FoundationEssentials

/// One read, from the question whose it is to its answer.
///
/// It owns nothing: the session, the network and the lists each have their actor, and what is to be
/// done is decided by ``ReadPlan``, ``RetrySchedule`` and ``ServerAnswer``.
struct ReadCall: Sendable {
    /// How long a read that the device could answer waits to hear who the user is.
    static let longestWaitForSession = Duration.milliseconds(300)
    /// The pauses between requests while a session is being restored.
    static let pausesWhileRestoring: [Duration] = [
        .milliseconds(300), .milliseconds(900), .milliseconds(2_400),
    ]

    private let client: SupabaseOfflineClient
    private let request: PostgrestRequest
    private let strategy: ReadStrategy
    private let context: OfflineError.Context
    /// What the list is kept under; nil for an answer that is never kept.
    private let key: ListKey?

    init(_ request: PostgrestRequest, _ strategy: ReadStrategy, client: SupabaseOfflineClient) {
        self.client = client
        self.request = request
        self.strategy = strategy
        context = client.settings.context(request)
        key = request.shape == .list ? ListKey(request) : nil
    }

    /// Reads.
    ///
    /// It runs off the caller's actor: an answer of some megabytes takes milliseconds to look
    /// through.
    ///
    /// - Throws: ``OfflineError``, or `CancellationError` if the calling task is cancelled.
    @concurrent
    func run() async throws -> ReadAnswer {
        if let problem = request.problem ?? strategy.problem {
            throw OfflineError(.invalidRequest(problem), in: context)
        }
        guard client.calls.enter() else { throw OfflineError(.closed, in: context) }
        defer { client.calls.leave() }
        await client.store.suspension.wait()
        try Task.checkCancellation()
        let question = request.hasOwnSession ? nil : await client.session.ask()
        let standing = await client.session.standing(question, within: limitForSession)
        try Task.checkCancellation()
        // Its rows are wanted only where they may be the answer.
        let (list, failure) = isDeviceFirst ? await list(of: standing.identity) : (nil, nil)
        let age = isDeviceFirst ? list?.age : await age(of: standing.identity)
        try Task.checkCancellation()
        let plan = ReadPlan(
            strategy.source, cached: cached(age), canAsk: standing.canAsk,
            isKnownDown: client.connectivity.status == .unavailable,
            isRetried: request.isRetried && request.isSafe)
        client.log.debug("Read \(request.address): \(strategy.source), \(plan)")
        switch plan {
        case .serve:
            guard let list, let owner = standing.identity else {
                preconditionFailure("only a list that is there is served")
            }
            guard await client.session.mayShow(owner) else {
                throw OfflineError(.identityChanged, in: context)
            }
            return serve(list)
        case .miss:
            throw OfflineError(
                failure.map { .init(reading: $0) } ?? .cacheMiss, in: context, underlying: failure)
        case .expired:
            throw OfflineError(.sessionExpired, in: context, underlying: standing.error)
        case .ask(let retries, let isWarm):
            do {
                return try await fetch(question, RetrySchedule(retries), isWarm: isWarm)
            } catch let error as OfflineError where error.reason == .sessionExpired {
                // The token could not be had after all, and a list that is stale is better than none.
                guard strategy.source == .cacheFirst, isWarm, let list,
                    let owner = standing.identity, await client.session.mayShow(owner)
                else { throw error }
                return serve(list)
            }
        }
    }
}

// MARK: From the server

extension ReadCall {
    /// Asks the server, again where the schedule says so, and the device at last if it is warm.
    private func fetch(
        _ question: SessionQuestion?, _ schedule: RetrySchedule, isWarm: Bool
    ) async throws -> ReadAnswer {
        var (ticket, schedule) = (try await settledTicketIfUnsafe(question), schedule)
        var (pauses, isRenewed) = (Self.pausesWhileRestoring[...], false)
        while true {
            let (flight, landing) = try await fly(ticket, schedule.retries, isWarm: isWarm)
            client.log.debug("Answer to \(request.address): \(landing.logText)")
            guard await client.session.holds(ticket) else {
                throw OfflineError(.identityChanged, in: context)
            }
            if ticket.isRestoring, landing.answer.isServersWord {
                // Row-level security hides rows from nobody, so this is not the answer yet.
                if await client.session.isRestoring {
                    guard let pause = pauses.popFirst() else {
                        client.log.warning(
                            "select \(context.table ?? request.target.name): the session did not "
                                + "settle in time, so this is what anybody is answered")
                        return try await answer(landing, flight.sequence, ticket)
                    }
                    await client.session.waitWhileRestoring(within: pause)
                    try Task.checkCancellation()
                }
            } else if landing.answer.refusesToken, ticket.token != nil, !isRenewed {
                isRenewed = true
                ticket = try await self.ticket(replacing: ticket, refusedWith: landing.answer)
                continue
            } else if case .failure(_, let failure?) = landing.answer,
                let wait = schedule.wait(after: failure)
            {
                try await client.runtime.clock.sleep(for: wait)
            } else if isWarm, case .failure(_, .outOfReach) = landing.answer,
                let shown = ticket.shown
            {
                let list = await list(of: shown).list
                try Task.checkCancellation()
                // Who was being restored may have turned out to be somebody else, who is asked for;
                // and the store may have been away for long.
                if await client.session.mayShow(shown) {
                    guard let list, cached(list.age) != .tooOld else {
                        return try await answer(landing, flight.sequence, ticket)
                    }
                    return serve(list)
                }
            } else {
                return try await answer(landing, flight.sequence, ticket)
            }
            // The token may have been renewed, and the user changed, during the wait.
            let next = try await self.ticket(ticket.isForOwnSession ? nil : client.session.ask())
            guard ticket.isRestoring || next.identity == ticket.identity else {
                throw OfflineError(.identityChanged, in: context)
            }
            ticket = next
        }
    }

    /// What the app is told of an answer; a list is handed to the store first.
    private func answer(
        _ landing: Flight.Landing, _ sequence: UInt64, _ ticket: SessionTicket
    ) async throws -> ReadAnswer {
        switch landing.answer {
        case .list(let directory):
            return await keep(landing, directory, sequence, for: ticket)
        case .other:
            if !request.isSafe { await client.reads.closeBoarding() }
            return ReadAnswer(landing.response)
        case .noRow:
            return ReadAnswer(landing.response, body: Bytes("null".utf8))
        case .failure(let reason, _):
            throw OfflineError(reason, in: context)
        }
    }

    /// Sends the request, or waits for the same one that somebody else has sent.
    private func fly(
        _ ticket: SessionTicket, _ retries: Int, isWarm: Bool
    ) async throws -> (Flight, Flight.Landing) {
        let exchange = client.settings.exchange(
            request, token: ticket.token, retries: retries, isWarm: isWarm)
        let columns = client.settings.keyColumns(of: request)
        let key = isShared ? Flight.Key(request, ticket, isWarm: isWarm) : nil
        var isFirst = true
        while true {
            let (flight, isJoined) = await client.reads.board(
                key, exchange, shape: request.shape, columns: columns)
            guard let landing = await client.runtime.value(of: flight.landing, within: nil) else {
                await client.reads.leave(flight, key)
                throw CancellationError()
            }
            // Whoever joined late has not had the time that is theirs. The next flight begins now,
            // so it is enough, and nobody waits the longer the more there are who wait.
            let hadLessTime = isJoined && isFirst && !isWarm
            guard hadLessTime, landing.answer.isTimeout else { return (flight, landing) }
            isFirst = false
        }
    }

    /// Whether others who ask the same may have this answer too.
    private var isShared: Bool {
        guard case .table = request.target else { return false }
        return request.isSafe && !request.hasOwnSession
    }

    /// A ticket; for a request that may change something, one of a settled session.
    ///
    /// A read can be sent for nobody and then again; what changes something is sent once.
    private func settledTicketIfUnsafe(
        _ question: SessionQuestion?
    ) async throws -> SessionTicket {
        let first = try await ticket(question)
        guard first.isRestoring, !request.isSafe else { return first }
        let limit = Self.pausesWhileRestoring.reduce(.zero, +)
        await client.session.waitWhileRestoring(within: limit)
        try Task.checkCancellation()
        let ticket = try await ticket(client.session.ask())
        guard !ticket.isRestoring else { throw OfflineError(.sessionNotSettled, in: context) }
        return ticket
    }

    private func ticket(_ question: SessionQuestion?) async throws -> SessionTicket {
        do throws(SessionError) {
            return try await client.session.ticket(question)
        } catch {
            throw error.seenByApp(in: context)
        }
    }

    /// Whether a list may replace what the device has.
    private func mayKeep(_ directory: RowDirectory, for ticket: SessionTicket) async -> Bool {
        let isTrusted: Bool
        switch client.responseTrust {
        case .settledSession: isTrusted = true
        case .authenticatedSessionOnly: isTrusted = ticket.token != nil || directory.count > 0
        }
        guard isTrusted else { return false }
        return await client.session.mayKeep(ticket)
    }

    private func ticket(
        replacing refused: SessionTicket, refusedWith answer: ServerAnswer
    ) async throws -> SessionTicket {
        do throws(SessionError) {
            return try await client.session.ticket(replacing: refused)
        } catch {
            throw error.seenByApp(in: context, refusedWith: answer.refusal)
        }
    }

    /// Hands a list to the store and returns it without waiting.
    private func keep(
        _ landing: Flight.Landing, _ directory: RowDirectory, _ sequence: UInt64,
        for ticket: SessionTicket
    ) async -> ReadAnswer {
        let list = StoredList(
            body: landing.response.body, fetchedAt: landing.fetchedAt, sequence: sequence)
        if let key, let identity = ticket.identity, await mayKeep(directory, for: ticket) {
            await client.reads.keep(list, directory, as: key, of: identity)
        }
        return ReadAnswer(
            body: list.body, status: landing.response.status, count: nil, isFromCache: false,
            fetchedAt: list.age.fetchedAt.date)
    }
}

extension SessionError {
    /// What a call throws to the app.
    fileprivate func seenByApp(
        in context: OfflineError.Context, refusedWith refusal: PostgrestError? = nil
    ) -> any Error {
        switch self {
        case .noToken(let cause):
            OfflineError(.sessionExpired, in: context, underlying: cause ?? refusal)
        case .identityChanged: OfflineError(.identityChanged, in: context)
        case .cancelled: CancellationError()
        }
    }
}

// MARK: From the device

extension ReadCall {
    /// Whether the device is looked at before the server is asked.
    private var isDeviceFirst: Bool {
        switch strategy.source {
        case .cacheOnly, .cacheFirst: true
        case .networkFirst, .networkOnly: false
        }
    }

    private var limitForSession: Duration? {
        isDeviceFirst ? Self.longestWaitForSession : nil
    }

    private func age(of identity: Identity?) async -> StoredList.Age? {
        guard let key, let identity else { return nil }
        return await client.reads.age(key, of: identity)
    }

    /// The list that the device has, and why it could not be looked for, if so.
    private func list(of identity: Identity?) async -> (list: StoredList?, failure: StorageError?) {
        guard let key, let identity else { return (nil, nil) }
        do throws(StorageError) {
            return (try await client.reads.list(key, of: identity), nil)
        } catch {
            return (nil, error)
        }
    }

    private func cached(_ age: StoredList.Age?) -> ReadPlan.Cached {
        guard let age else { return .none }
        let now = Timestamp(client.runtime.wallClock())
        return age.isWithin(strategy.maxAge, at: now) ? .usable(isStale: age.isStale) : .tooOld
    }

    private func serve(_ list: StoredList) -> ReadAnswer {
        client.log.info("select \(context.table ?? request.target.name): answered from the device")
        return ReadAnswer(
            body: list.body, status: 200, count: nil, isFromCache: true,
            fetchedAt: list.age.fetchedAt.date, isStale: list.age.isStale)
    }
}
