import FoundationEssentials

// Writes that are sent in their turn and never kept.

extension ReplayQueue {
    /// Sends a write, unless its caller has given it up.
    func send(_ direct: DirectWrite) async {
        directs.removeAll { $0 === direct }
        guard presence?.identity == direct.identity else {
            // Whoever made it has gone. It is not kept for when they are back.
            if direct.giveUp() { direct.land(.stopped(.identityChanged)) }
            return
        }
        let ticket: SessionTicket
        switch await self.ticket(for: direct.identity) {
        case .success(let given): ticket = given
        case .failure(let stopped):
            if direct.giveUp() { direct.land(.stopped(stopped.stop)) }
            return
        }
        guard direct.leave() else { return }
        let result: WriteCaller.Landing
        do {
            result = .sent(
                try await DirectExchange(
                    direct.request, direct.plan, direct.context, of: self
                ).send(ticket))
            progress.sent += 1
            lastSuccess = runtime.wallClock()
            await noteReplaced(by: [direct.request], of: direct.identity)
        } catch {
            result = .failed(direct.obstructed(error))
        }
        direct.caller.land(result)
    }
}

/// The exchange of a write that is never kept.
struct DirectExchange: Sendable {
    private let request: PostgrestRequest
    private let plan: ReplayPlan
    private let context: OfflineError.Context
    private let exchange: WriteExchange
    private let session: SessionTrust
    private let reads: ReadEngine
    private let settings: RequestSettings
    private let log: Log

    init(
        _ request: PostgrestRequest, _ plan: ReplayPlan, _ context: OfflineError.Context,
        of queue: ReplayQueue
    ) {
        self.request = request
        self.plan = plan
        self.context = context
        exchange = queue.exchange
        session = queue.session
        reads = queue.reads
        settings = queue.settings
        log = queue.log
    }

    /// Sends the write.
    ///
    /// - Returns: The server's answer; it has accepted the write.
    /// - Throws: ``OfflineError``.
    func send(_ first: SessionTicket) async throws -> HTTPResponse {
        let tickets = CallTickets(session: session, context: context)
        var (ticket, isRenewed) = (first, false)
        while true {
            let (answer, response) = await exchange.send(request, plan, token: ticket.token)
            switch answer {
            case .accepted(let account):
                noteAcceptance()
                await accept(account, ticket)
                if let write = guarded, account.isOfNoRow {
                    throw await conflict(write, account, ticket)
                }
                return response
            case .rolledBack:
                return response
            case .refused(.server(let error), _)
            where error.refusalClass == .auth && ticket.token != nil && !isRenewed:
                isRenewed = true
                ticket = try await tickets.ticket(
                    replacing: ticket, refusedWith: .failure(.server(error), nil))
            case .refused(let reason, let mayHaveTakenEffect):
                if mayHaveTakenEffect { await accept(.mayHaveFailed, ticket) }
                guard case .server(let error) = reason else {
                    throw OfflineError(reason, in: context)
                }
                if error.saysNoRow, case .rows(let write) = plan, write.isOfRowsThere {
                    // One row was asked for, and the write has hit none.
                    if guarded != nil { throw await conflict(write, .count(0), ticket) }
                    await accept(.count(0), ticket)
                    if request.isRowOptional { return response.withoutRow }
                }
                log.warning("\(name): the server refused: \(error)")
                throw OfflineError(reason, in: context)
            case .unknown(let failure):
                await accept(.mayHaveFailed, ticket)
                throw OfflineError(.outcomeUnknown(failure), in: context)
            }
        }
    }

    private func noteAcceptance() {
        log.info("\(name): accepted")
        guard request.preference("tx") == "rollback" else { return }
        log.warning(
            "\(name): a dry run was carried out, since this server doesn't allow one (db-tx-end)")
    }

    private var name: String {
        "\(context.operation) \(context.table ?? request.target.name)"
    }

    /// The write, if it is to hit a row as the user saw it.
    private var guarded: PlannedWrite? {
        if case .rows(let write) = plan, !request.guards.isEmpty { write } else { nil }
    }

    /// Puts the write into the lists of who wrote.
    private func accept(
        _ account: AcceptedWrite.Account, _ ticket: SessionTicket
    ) async {
        await accept(plan.effects(account), ticket)
    }

    private func accept(_ effects: [AcceptedWrite], _ ticket: SessionTicket) async {
        guard let identity = ticket.identity else { return await reads.closeBoarding() }
        await reads.accept(effects, of: identity, settings.tables)
    }

    /// Reads the row as it is now, for the app and for the lists.
    private func conflict(
        _ write: PlannedWrite, _ account: AcceptedWrite.Account, _ ticket: SessionTicket
    ) async -> OfflineError {
        let rows = await exchange.rows(of: write, token: ticket.token)
        await accept(write.effects(ofReading: rows, account), ticket)
        return OfflineError(.conflict(WriteConflict(rows)), in: context)
    }
}

extension HTTPResponse {
    /// The answer where there is no row, which is none of the server's errors.
    var withoutRow: HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Bytes("null".utf8))
    }
}
