import FoundationEssentials

/// One write of the app's, from the question whose it is to the moment at which it is sent or kept.
///
/// Once it is kept, or its request has left, it goes its way whether or not its caller still waits.
struct WriteCall: Sendable {
    private let client: SupabaseOfflineClient
    private let request: PostgrestRequest
    private let options: WriteOptions
    private let context: OfflineError.Context
    private let tickets: CallTickets

    init(_ request: PostgrestRequest, _ options: WriteOptions, client: SupabaseOfflineClient) {
        self.client = client
        self.request = request
        self.options = options
        context = client.settings.context(request)
        tickets = CallTickets(session: client.session, context: context)
    }

    /// What the write does, checked and understood.
    private struct Plan {
        let request: PostgrestRequest
        let operation: MutationOperation
        /// Nil for a function.
        let rows: PlannedWrite?
        /// Why it can't be kept; nil if it can.
        let obstacle: NotQueueable?

        /// What it does, as it is sent without being kept.
        var direct: ReplayPlan { rows.map { .rows($0) } ?? .function(invalidating: []) }
    }

    /// Writes.
    ///
    /// - Returns: The server's answer, if it has accepted the write; or the write, if it is kept.
    /// - Throws: ``OfflineError``, or `CancellationError` if the calling task is cancelled before the
    ///   write is kept or its request has left.
    @concurrent
    func run() async throws -> WriteOutcome<HTTPResponse> {
        let plan = try plan()
        guard client.calls.enter() else { throw OfflineError(.closed, in: context) }
        defer { client.calls.leave() }
        await client.store.suspension.wait()
        try Task.checkCancellation()
        if plan.rows?.isEmpty == true {
            return .sent(answer: HTTPResponse(status: 201, body: Bytes("[]".utf8)))
        }
        let mayKeep = options.policy == .queueWhenOffline && plan.obstacle == nil
        let question = request.hasOwnSession ? nil : await client.session.ask()
        if mayKeep {
            let standing = await client.session.standing(
                question, within: client.settings.requestTimeout)
            try Task.checkCancellation()
            if let identity = standing.identity { return try await keep(plan, of: identity) }
        }
        let ticket: SessionTicket
        do {
            ticket = try await tickets.settledTicket(question)
        } catch let error as OfflineError
            where [.sessionExpired, .sessionNotSettled].contains(error.reason)
        {
            // It may be known by now whose it is, though there is no token yet.
            guard mayKeep, let identity = await client.session.presence.identity else {
                throw error
            }
            return try await keep(plan, of: identity)
        }
        try Task.checkCancellation()
        guard let identity = ticket.identity else {
            return .sent(answer: try await sendAtOnce(plan, ticket))
        }
        if mayKeep { return try await keep(plan, of: identity) }
        return .sent(answer: try await sendInTurn(plan, of: identity))
    }

    private func plan() throws -> Plan {
        let isFunction = if case .function = request.target { true } else { false }
        do throws(WriteProblem) {
            if isFunction {
                if let problem = request.problem { throw WriteProblem(problem) }
                return Plan(
                    request: request, operation: .call, rows: nil,
                    obstacle: request.notQueueable)
            }
            let rows = try PlannedWrite(request, client.settings.facts(of: request))
            return Plan(
                request: rows.request, operation: rows.operation, rows: rows,
                obstacle: rows.notQueueable)
        } catch {
            throw OfflineError(.invalidRequest(error.text), in: context)
        }
    }
}

// MARK: Kept

extension WriteCall {
    private func keep(
        _ plan: Plan, of identity: Identity
    ) async throws -> WriteOutcome<HTTPResponse> {
        var write = QueuedWrite(
            id: client.runtime.makeID(), plan.operation, plan.request,
            createdAt: Timestamp(client.runtime.wallClock()))
        write.dependencies = options.dependencies
        write.isSeparate = options.isSeparate
        if let queueing = options.queueing {
            write.isIdempotent = queueing.isIdempotent
            write.invalidates = queueing.invalidates.map { client.settings.table($0) }
        }
        let isOfOneRow = plan.rows?.soleKeys?.count == 1
        let caller = WriteCaller()
        let entry: QueueEntry
        do throws(StorageError) {
            entry = try await client.queue.add(
                write, of: identity,
                mayMerge: write.operation == .update && !write.isSeparate && isOfOneRow,
                for: caller)
        } catch {
            throw OfflineError(.init(writing: error), in: context, underlying: error)
        }
        var landing = await caller.wait(
            within: client.settings.requestTimeout, client.runtime)
        if landing == nil { landing = await client.queue.leave(caller, entry.write.id) }
        switch landing {
        case .sent(let response)?: return .sent(answer: response)
        case .failed(let error)?: throw error
        case .queued(let entry)?: return .queued(client.mutation(entry, of: identity))
        case nil: return .queued(client.mutation(entry, of: identity))
        }
    }
}

// MARK: Not kept

extension WriteCall {
    /// Sends the write once those before it have been answered.
    private func sendInTurn(_ plan: Plan, of identity: Identity) async throws -> HTTPResponse {
        let direct = await client.queue.addDirect(
            plan.request, plan.direct, of: identity,
            obstacle: options.policy == .requireServer ? nil : plan.obstacle, in: context)
        var landing = await direct.caller.wait(
            within: client.settings.requestTimeout, client.runtime)
        if landing == nil {
            let isCancelled = Task.isCancelled
            if direct.giveUp() {
                if isCancelled { throw CancellationError() }
                let count = await client.queue.counts(of: identity).pending
                throw direct.obstructed(
                    OfflineError(.behindQueue(count: max(1, count)), in: context))
            }
            if !isCancelled { landing = await direct.caller.wait(within: nil, client.runtime) }
        }
        switch landing ?? direct.caller.landed {
        case .sent(let response)?: return response
        case .failed(let error)?: throw error
        case .queued?, nil: throw OfflineError(.outcomeUnknown(nil), in: context)
        }
    }

    /// Sends a write that is nobody's: it has no place in anybody's queue.
    private func sendAtOnce(_ plan: Plan, _ ticket: SessionTicket) async throws -> HTTPResponse {
        guard client.calls.enter() else { throw OfflineError(.closed, in: context) }
        let exchange = DirectExchange(plan.request, plan.direct, context, of: client.queue)
        let task = client.runtime.task(name: "write.send") {
            () async -> Result<HTTPResponse, any Error> in
            defer { client.calls.leave() }
            do { return .success(try await exchange.send(ticket)) } catch { return .failure(error) }
        }
        guard let result = await client.runtime.value(of: task, within: nil) else {
            throw OfflineError(.outcomeUnknown(nil), in: context)
        }
        do {
            return try result.get()
        } catch let error as OfflineError where options.policy == .queueWhenOffline {
            guard case .connectivity = error.reason else { throw error }
            throw OfflineError(
                .notQueueable(plan.obstacle ?? .noUser), in: context, underlying: error)
        }
    }
}

extension WriteOutcome where Value == HTTPResponse {
    /// The server's answer, before anybody has made something of it.
    fileprivate static func sent(answer: HTTPResponse) -> Self {
        .sent(OfflineResponse(ReadAnswer(answer), value: answer))
    }
}

extension PlannedWrite {
    var operation: MutationOperation {
        switch change {
        case .insert: .insert
        case .upsert: .upsert
        case .update: .update
        case .delete, .nothing, .unknown: .delete
        }
    }
}
