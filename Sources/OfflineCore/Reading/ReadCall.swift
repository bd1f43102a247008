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
    private let tickets: CallTickets
    /// What the list is kept under; nil for an answer that is never kept.
    private let key: ListKey?
    private let facts: TableFacts

    init(_ request: PostgrestRequest, _ strategy: ReadStrategy, client: SupabaseOfflineClient) {
        self.client = client
        self.request = request
        self.strategy = strategy
        context = client.settings.context(request)
        tickets = CallTickets(session: client.session, context: context)
        key = request.shape == .list ? ListKey(request) : nil
        facts = client.settings.facts(of: request)
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
        let age = isDeviceFirst ? list?.list.age : await age(of: standing.identity)
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
            let answer = await serve(list, of: owner)
            guard await client.session.mayShow(owner) else {
                throw OfflineError(.identityChanged, in: context)
            }
            return answer
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
                    let owner = standing.identity
                else { throw error }
                let answer = await serve(list, of: owner)
                guard await client.session.mayShow(owner) else { throw error }
                return answer
            }
        }
    }
}

// MARK: From the server

extension ReadCall {
    /// What is to be done about an answer.
    private enum Step {
        case end(ReadAnswer)
        /// Ask with this ticket.
        case again(SessionTicket)
    }

    /// Where a read stands between its requests.
    private struct Progress {
        var schedule: RetrySchedule
        var pauses = ReadCall.pausesWhileRestoring[...]
        /// Whether the token was renewed.
        var isRenewed = false
        let isWarm: Bool
    }

    /// Asks the server, again where the schedule says so, and the device at last if it is warm.
    private func fetch(
        _ question: SessionQuestion?, _ schedule: RetrySchedule, isWarm: Bool
    ) async throws -> ReadAnswer {
        var ticket =
            request.isSafe
            ? try await tickets.ticket(question) : try await tickets.settledTicket(question)
        var progress = Progress(schedule: schedule, isWarm: isWarm)
        while true {
            let (flight, landing) = try await fly(
                ticket, progress.schedule.retries, isWarm: isWarm)
            let step: Step
            do {
                step = try await self.step(after: landing, flight.sequence, ticket, &progress)
            } catch {
                await client.reads.leave(flight)
                throw error
            }
            await client.reads.leave(flight)
            switch step {
            case .end(let answer): return answer
            case .again(let next): ticket = next
            }
        }
    }

    private func step(
        after landing: Flight.Landing, _ sequence: UInt64, _ ticket: SessionTicket,
        _ progress: inout Progress
    ) async throws -> Step {
        client.log.debug("Answer to \(request.address): \(landing.response.logText)")
        guard await client.session.holds(ticket) else {
            throw OfflineError(.identityChanged, in: context)
        }
        if ticket.isRestoring, landing.answer.isServersWord {
            // Row-level security hides rows from nobody, so this is not the answer yet.
            if await client.session.isRestoring {
                guard let pause = progress.pauses.popFirst() else {
                    client.log.warning(
                        "select \(context.table ?? request.target.name): the session did not "
                            + "settle in time, so this is what anybody is answered")
                    return .end(try await answer(landing, sequence, ticket))
                }
                await client.session.waitWhileRestoring(within: pause)
                try Task.checkCancellation()
            }
        } else if landing.answer.refusesToken, ticket.token != nil, !progress.isRenewed {
            progress.isRenewed = true
            return .again(try await tickets.ticket(replacing: ticket, refusedWith: landing.answer))
        } else if case .failure(_, let failure?) = landing.answer,
            let wait = progress.schedule.wait(after: failure)
        {
            try await client.runtime.clock.sleep(for: wait)
        } else if progress.isWarm, case .failure(_, .outOfReach) = landing.answer,
            let shown = ticket.shown
        {
            var served: ReadAnswer?
            if let list = await list(of: shown).list, cached(list.list.age) != .tooOld {
                served = await serve(list, of: shown)
            }
            try Task.checkCancellation()
            // Who was being restored may have turned out to be somebody else, who is asked for; and
            // the store may have been away for long.
            if await client.session.mayShow(shown) {
                if let served { return .end(served) }
                return .end(try await answer(landing, sequence, ticket))
            }
        } else {
            return .end(try await answer(landing, sequence, ticket))
        }
        // The token may have been renewed, and the user changed, during the wait.
        let next = try await tickets.ticket(ticket.isForOwnSession ? nil : client.session.ask())
        guard ticket.isRestoring || next.identity == ticket.identity else {
            throw OfflineError(.identityChanged, in: context)
        }
        return .again(next)
    }

    /// What the app is told of an answer; a list is handed to the store first.
    private func answer(
        _ landing: Flight.Landing, _ sequence: UInt64, _ ticket: SessionTicket
    ) async throws -> ReadAnswer {
        switch landing.answer {
        case .list(let directory):
            let answer = await keep(landing, directory, sequence, for: ticket)
            // Nothing was waited for with an answer that is nobody's, and the session may be settled by now.
            if ticket.identity != nil, await !client.session.holds(ticket) {
                throw OfflineError(.identityChanged, in: context)
            }
            return answer
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
                key, exchange, shape: request.shape, of: self.key?.table, columns: columns)
            guard let landing = await client.runtime.value(of: flight.landing, within: nil) else {
                await client.reads.leave(flight)
                throw CancellationError()
            }
            // Whoever joined late has not had the time that is theirs. The next flight begins now,
            // so it is enough, and nobody waits the longer the more there are who wait.
            let hadLessTime = isJoined && isFirst && !isWarm
            guard hadLessTime, landing.answer.isTimeout else { return (flight, landing) }
            await client.reads.leave(flight)
            isFirst = false
        }
    }

    /// Whether others who ask the same may have this answer too.
    private var isShared: Bool {
        guard case .table = request.target else { return false }
        return request.isSafe && !request.hasOwnSession
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

    /// Hands a list to the store and returns it without waiting.
    ///
    /// What the server accepted since the request was sent is laid over the answer, which may be of
    /// before; should somebody else have written since, the answer shows too little then, so it is stale.
    private func keep(
        _ landing: Flight.Landing, _ directory: RowDirectory, _ sequence: UInt64,
        for ticket: SessionTicket
    ) async -> ReadAnswer {
        // What another client wrote, while the store was given back to it, nobody here knows.
        var list = StoredList(
            body: landing.response.body, fetchedAt: landing.fetchedAt, sequence: sequence,
            isStale: client.store.numbers.areOthersBehind(sequence))
        var shown: PendingOverlay.Shown?
        if let key, let identity = ticket.identity {
            // Before it is asked what was accepted meanwhile: what leaves the queue until then is told
            // by that.
            let pending = await client.reads.pending(to: key.table, of: identity, facts)
            let mayKeep = await mayKeep(directory, for: ticket)
            var kept = directory
            var writes: [AcceptedWrite] = []
            var isDone = false
            while !isDone {
                let accepted = await client.reads.writes(
                    since: sequence, to: key.table, of: identity)
                if accepted.count > writes.count {
                    writes = accepted
                    (list, kept) = lay(writes, over: list, landing.response.body, directory, key)
                }
                guard mayKeep else { break }
                isDone = await client.reads.keep(
                    list, kept, as: key, of: identity, including: writes.count)
            }
            shown = await lay(pending ?? [], over: list, kept, key, identity)
            // Nobody knows what the user has written since.
            if pending == nil { list = list.markedStale }
        }
        return ReadAnswer(
            list, shown, status: landing.response.status, isFromCache: false)
    }

    /// Lays the writes in the queue over a list; nil if there are none.
    private func lay(
        _ pending: [AcceptedWrite.Change], over list: StoredList, _ directory: RowDirectory?,
        _ key: ListKey, _ identity: Identity
    ) async -> PendingOverlay.Shown? {
        guard !pending.isEmpty else { return nil }
        let scanned = try? RowDirectory(
            scanning: list.body.span, columns: client.settings.keyColumns(of: request))
        guard let directory = directory ?? scanned else { return nil }
        let known = await client.reads.knownRows(of: key.table, facts, of: identity)
        return PendingOverlay(key, facts, known).applying(pending, to: list, directory)
    }

    private func lay(
        _ writes: [AcceptedWrite], over list: StoredList, _ body: Bytes,
        _ directory: RowDirectory, _ key: ListKey
    ) -> (StoredList, RowDirectory) {
        let folded = ListFold(key, facts).folding(
            writes, into: FoldedList(body: body), directory)
        let changed = StoredList(
            body: folded.body, fetchedAt: list.age.fetchedAt, sequence: list.sequence,
            isStale: list.age.isStale || folded.isStale || folded.isChanged, ownRows: folded.ownRows
        )
        let columns = client.settings.keyColumns(of: request)
        guard folded.isChanged,
            let scanned = try? RowDirectory(scanning: folded.body.span, columns: columns)
        else { return (changed, directory) }
        return (changed, scanned)
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
    private func list(
        of identity: Identity?
    ) async -> (list: ListReading?, failure: StorageError?) {
        guard let key, let identity else { return (nil, nil) }
        do throws(StorageError) {
            return (try await client.reads.list(key, of: identity, facts), nil)
        } catch {
            return (nil, error)
        }
    }

    private func cached(_ age: StoredList.Age?) -> ReadPlan.Cached {
        guard let age else { return .none }
        let now = Timestamp(client.runtime.wallClock())
        return age.isWithin(strategy.maxAge, at: now) ? .usable(isStale: age.isStale) : .tooOld
    }

    private func serve(_ reading: ListReading, of identity: Identity) async -> ReadAnswer {
        client.log.info("select \(context.table ?? request.target.name): answered from the device")
        var shown: PendingOverlay.Shown?
        if let key {
            shown = await lay(reading.changes, over: reading.list, reading.directory, key, identity)
        }
        return ReadAnswer(reading.list, shown, status: 200, isFromCache: true)
    }
}

extension ReadAnswer {
    /// A list, or what the writes in the queue have made of it.
    fileprivate init(
        _ list: StoredList, _ shown: PendingOverlay.Shown?, status: Int, isFromCache: Bool
    ) {
        self.init(
            body: shown?.body ?? list.body, status: status, count: nil, isFromCache: isFromCache,
            fetchedAt: list.age.fetchedAt.date,
            isStale: list.age.isStale || shown?.isStale == true,
            ownRows: shown?.ownRows ?? list.ownRows,
            hasPendingMutations: shown?.isPending ?? false)
    }
}
