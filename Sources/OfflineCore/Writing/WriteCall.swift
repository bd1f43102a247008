import FoundationEssentials
import Synchronization

/// One write that is sent at once, from the question whose it is to the lists that it changes.
///
/// Once its request has left it goes to its end, whether or not its caller still waits: what the server
/// accepts is put into the lists on the device.
struct WriteCall: Sendable {
    private let client: SupabaseOfflineClient
    private let request: PostgrestRequest
    private let context: OfflineError.Context
    private let tickets: CallTickets

    init(_ request: PostgrestRequest, client: SupabaseOfflineClient) {
        self.client = client
        self.request = request
        context = client.settings.context(request)
        tickets = CallTickets(session: client.session, context: context)
    }

    /// Writes.
    ///
    /// - Returns: The server's answer; it has accepted the write.
    /// - Throws: ``OfflineError``, or `CancellationError` if the calling task is cancelled before the
    ///   request has left.
    @concurrent
    func run() async throws -> HTTPResponse {
        let write: PlannedWrite
        do throws(WriteProblem) {
            write = try PlannedWrite(request, client.settings.facts(of: request))
        } catch {
            throw OfflineError(.invalidRequest(error.text), in: context)
        }
        guard client.calls.enter() else { throw OfflineError(.closed, in: context) }
        let departure = WriteDeparture()
        let task: Task<WriteLanding, Never>
        do {
            await client.store.suspension.wait()
            try Task.checkCancellation()
            if write.isEmpty {
                client.calls.leave()
                return HTTPResponse(status: 201, body: Bytes("[]".utf8))
            }
            let question = request.hasOwnSession ? nil : await client.session.ask()
            let ticket = try await tickets.settledTicket(question)
            task = await client.writes.add(of: ticket.identity) { hasWaited in
                defer { client.calls.leave() }
                return await land(write, ticket, departure, hasWaited: hasWaited)
            }
        } catch {
            client.calls.leave()
            throw error
        }
        switch await client.runtime.value(of: task, within: nil) {
        case .accepted(let response)?: return response
        case .failed(let error)?: throw error
        case nil:
            guard departure.hasLeft else { throw CancellationError() }
            throw OfflineError(.outcomeUnknown(nil), in: context)
        }
    }
}

/// Whether the request of a write has left, and whether it still may.
private final class WriteDeparture: Sendable {
    private enum State { case waiting, left, givenUp }

    private let state = Lock(State.waiting)

    /// Lets the request leave; false if its caller has given it up.
    func leave() -> Bool {
        state.withLock { state in
            if state == .waiting { state = .left }
            return state == .left
        }
    }

    /// Whether the request has left; if not, it won't any more.
    var hasLeft: Bool {
        state.withLock { state in
            if state == .waiting { state = .givenUp }
            return state == .left
        }
    }
}

// MARK: On the server

extension WriteCall {
    private func land(
        _ write: PlannedWrite, _ first: SessionTicket, _ departure: WriteDeparture,
        hasWaited: Bool
    ) async -> WriteLanding {
        do {
            var ticket = first
            // The token may have been renewed, and the user changed, during the wait.
            if hasWaited {
                ticket = try await tickets.settledTicket(client.session.ask())
                guard ticket.identity == first.identity else {
                    throw OfflineError(.identityChanged, in: context)
                }
            }
            guard departure.leave() else { throw CancellationError() }
            return .accepted(try await send(write, ticket))
        } catch {
            return .failed(error)
        }
    }

    private func send(
        _ write: PlannedWrite, _ first: SessionTicket
    ) async throws -> HTTPResponse {
        var (ticket, isRenewed) = (first, false)
        while true {
            let (answer, response) = await exchange(write, ticket)
            switch answer {
            case .accepted(let account):
                noteAcceptance(of: write)
                await accept(write, account, ticket)
                try await checkGuards(write, account, ticket)
                return response
            case .rolledBack:
                return response
            case .refused(.server(let error), _)
            where error.refusalClass == .auth && ticket.token != nil && !isRenewed:
                isRenewed = true
                ticket = try await tickets.ticket(
                    replacing: ticket, refusedWith: .failure(.server(error), nil))
            case .refused(let reason, let mayHaveTakenEffect):
                if mayHaveTakenEffect { await accept(write, .mayHaveFailed, ticket) }
                guard case .server(let error) = reason else {
                    throw OfflineError(reason, in: context)
                }
                if error.saysNoRow, write.isOfRowsThere {
                    // One row was asked for, and the write has hit none.
                    await accept(write, .count(0), ticket)
                    if !write.request.guards.isEmpty { throw await conflict(write, ticket) }
                    if write.request.isRowOptional { return response.withoutRow }
                }
                client.log.warning("\(name): the server refused: \(error)")
                throw OfflineError(reason, in: context)
            case .unknown(let failure):
                await accept(write, .mayHaveFailed, ticket)
                throw OfflineError(.outcomeUnknown(failure), in: context)
            }
        }
    }

    private func exchange(
        _ write: PlannedWrite, _ ticket: SessionTicket
    ) async -> (WriteAnswer, HTTPResponse) {
        let exchange = client.settings.exchange(
            write.request, token: ticket.token, retries: 0, isWarm: false)
        client.log.debug(
            "Write \(request.method) \(request.address) \((request.body ?? []).logText)")
        do throws(TransportError) {
            let response = try await client.transport.send(exchange)
            client.log.debug("Answer to \(request.address): \(response.logText)")
            return (WriteAnswer(response, to: write), response)
        } catch {
            return (WriteAnswer(error), HTTPResponse(status: 0))
        }
    }

    private func noteAcceptance(of write: PlannedWrite) {
        client.log.info("\(name): accepted")
        guard write.request.preference("tx") == "rollback" else { return }
        client.log.warning(
            "\(name): a dry run was carried out, since this server doesn't allow one (db-tx-end)")
    }

    private var name: String { "\(context.operation) \(context.table ?? request.target.name)" }

    /// Puts the write, or what the server has told beside it, into the lists of who wrote.
    private func accept(
        _ write: PlannedWrite, _ account: AcceptedWrite.Account, _ ticket: SessionTicket,
        change: AcceptedWrite.Change? = nil
    ) async {
        guard let identity = ticket.identity else { return await client.reads.closeBoarding() }
        let accepted = AcceptedWrite(
            table: ListKey(request).table, facts: write.facts, change: change ?? write.change,
            account: account)
        await client.reads.accept(accepted, of: identity, client.settings.tables)
    }
}

// MARK: Conflicts

extension WriteCall {
    /// Makes sure that a row was written, if it was to be as the user saw it.
    private func checkGuards(
        _ write: PlannedWrite, _ account: AcceptedWrite.Account, _ ticket: SessionTicket
    ) async throws {
        guard !write.request.guards.isEmpty else { return }
        switch account {
        case .rows([], _, true), .count(0): throw await conflict(write, ticket)
        default: return
        }
    }

    /// Reads the row as it is now, for the app and for the lists.
    private func conflict(_ write: PlannedWrite, _ ticket: SessionTicket) async -> OfflineError {
        var read = PostgrestRequest(request.target, schema: request.schema, method: "GET")
        for item in write.request.unguardedItems {
            switch ItemKey(item.name) {
            case .filter, .logic: read.append(item.name, item.value)
            case .order, .page, .reserved: continue
            }
        }
        let exchange = client.settings.exchange(
            read, token: ticket.token, retries: 0, isWarm: false)
        guard let response = try? await client.transport.send(exchange),
            case .list(let directory) = ServerAnswer(
                response, to: .list, columns: write.facts.keys)
        else { return OfflineError(.conflict(WriteConflict(.unknown)), in: context) }
        guard directory.count > 0 else {
            return OfflineError(.conflict(WriteConflict(.gone)), in: context)
        }
        let rows = (0..<directory.count).compactMap { row in
            (try? RowColumns(response.body.span.extracting(directory[row]))) ?? nil
        }
        await accept(write, .rows(rows, isWhole: true, isFull: true), ticket, change: .nothing)
        let row = Bytes(copying: response.body.span.extracting(directory[0]))
        return OfflineError(.conflict(WriteConflict(.changed(Data(row)))), in: context)
    }
}

extension HTTPResponse {
    /// The answer where there is no row, which is none of the server's errors.
    fileprivate var withoutRow: HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Bytes("null".utf8))
    }
}
