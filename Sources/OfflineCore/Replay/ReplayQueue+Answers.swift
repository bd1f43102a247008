import FoundationEssentials

// What becomes of a write once the server has answered, or has not.

extension ReplayQueue {
    /// Sends a shipment until there is an answer that counts.
    ///
    /// - Returns: Why the pass has to stop, if so.
    func send(
        _ shipment: Shipment, _ first: SessionTicket
    ) async -> ReplaySchedule.Stop? {
        let write = shipment.marked[0].entry.write
        let plan: ReplayPlan
        do throws(WriteProblem) {
            plan = try ReplayPlan(
                shipment.write, settings.facts(of: shipment.request))
        } catch {
            // Each of them was understood alone.
            return split(shipment)
        }
        var (ticket, canRenew) = (first, first.token != nil)
        while true {
            let (answer, response) = await exchange.send(
                shipment.request, plan, token: ticket.token)
            let mark = shipment.marked[0].entry.sequence
            let count = connectivity.successCount
            let verdict = ReplayVerdict(
                answer, retryAfter: response.headers.retryAfter,
                .init(
                    write: write, wasPerhapsSent: shipment.marked[0].wasPerhapsSent,
                    isBatch: shipment.marked.count > 1, canRenew: canRenew,
                    othersSucceed: failureMarks[mark].map { count > $0 } ?? (count > 0)))
            switch verdict {
            case .renewToken(let error):
                canRenew = false
                do throws(SessionError) {
                    ticket = try await session.ticket(replacing: ticket)
                    continue
                } catch {}
                return await stop(shipment, .auth, write.failures, false, .server(error))
            case .accepted(let account):
                return await accepted(shipment, plan, account, response, ticket)
            case .stop(let reason, let failures, let mayHaveTakenEffect, _):
                failureMarks[mark] = count
                return await stop(
                    shipment, reason, failures, mayHaveTakenEffect, answer.failure)
            case .reject(let rejection, let mayHaveTakenEffect):
                var settlement = rejecting(
                    shipment.marked[0].refused(mayHaveTakenEffect: mayHaveTakenEffect),
                    parent(of: rejection, shipment) ?? rejection,
                    of: shipment.identity, since: shipment.clearing)
                if mayHaveTakenEffect { settlement.effects = plan.effects(.mayHaveFailed) }
                return await settle(settlement, failing: shipment, because: answer.failure)
            case .readBack(let error):
                return await readBack(shipment, plan, error, ticket)
            case .noRow(let error):
                return await hitNoRow(shipment, plan, error, response, ticket)
            case .split:
                // For each of them it is as if it had not been sent yet.
                if case .refused(_, mayHaveTakenEffect: false) = answer {
                    await unmark(shipment.marked, of: shipment.identity)
                }
                return split(shipment)
            }
        }
    }

    /// Has the writes of a shipment sent one by one.
    private func split(_ shipment: Shipment) -> ReplaySchedule.Stop? {
        lone.formUnion(shipment.marked.map(\.entry.sequence))
        return nil
    }

    /// Leaves the writes of a shipment where they are.
    private func stop(
        _ shipment: Shipment, _ reason: ReplaySchedule.Stop, _ failures: QueuedWrite.Failures,
        _ mayHaveTakenEffect: Bool, _ failure: OfflineError.Reason?
    ) async -> ReplaySchedule.Stop? {
        lastFailure = failure ?? lastFailure
        let refusal: PostgrestError? = if case .server(let error)? = failure { error } else { nil }
        let notes = shipment.marked.map { marked in
            AttemptNote(
                marked.entry.sequence,
                isPerhapsSent: marked.wasPerhapsSent || mayHaveTakenEffect,
                marked.entry == shipment.marked[0].entry
                    ? failures : marked.entry.write.failures, refusal: refusal)
        }
        // A batch of which nobody knows whether it has arrived is asked about write by write.
        if mayHaveTakenEffect { lone.formUnion(notes.map(\.sequence)) }
        do throws(StorageError) {
            try await store.queue.note(notes, of: shipment.identity)
        } catch {
            // It then counts as perhaps sent, which costs a question at most.
            log.warning("What came of an attempt can't be kept: \(error)")
        }
        changed()
        return reason
    }
}

// MARK: The end of a write

extension ReplayQueue {
    private func accepted(
        _ shipment: Shipment, _ plan: ReplayPlan, _ account: AcceptedWrite.Account,
        _ response: HTTPResponse, _ ticket: SessionTicket
    ) async -> ReplaySchedule.Stop? {
        if case .rows(let write) = plan, !write.request.guards.isEmpty, account.isOfNoRow {
            return await conflict(shipment, write, account, ticket)
        }
        let ends = shipment.marked.map { marked in
            QueueEnd(marked.entry, .applied(rows: rowCount(marked, of: shipment, plan, account)))
        }
        return await settle(
            Settlement(
                identity: shipment.identity, clearing: shipment.clearing,
                effects: plan.effects(account), ends: ends),
            answeredWith: response)
    }

    /// How many rows a write has changed; nil if that can't be told.
    private func rowCount(
        _ marked: MarkedWrite, of shipment: Shipment, _ plan: ReplayPlan,
        _ account: AcceptedWrite.Account
    ) -> Int? {
        guard case .rows(let write) = plan else { return nil }
        if shipment.marked.count > 1 {
            let request = marked.entry.write.request
            let alone = try? PlannedWrite(request, settings.facts(of: request))
            return alone.flatMap { account.rowCount(of: $0.change, isAlone: false) }
        }
        // What an earlier attempt has hit, this one may not have hit again.
        if marked.wasPerhapsSent, write.isOfRowsThere { return nil }
        return account.rowCount(of: write.change, isAlone: true)
    }

    /// Rejects a write that was to hit a row as the user saw it, and tells what the row is now.
    private func conflict(
        _ shipment: Shipment, _ write: PlannedWrite, _ account: AcceptedWrite.Account,
        _ ticket: SessionTicket
    ) async -> ReplaySchedule.Stop? {
        let rows = await exchange.rows(of: write, token: ticket.token)
        if shipment.marked[0].wasPerhapsSent, let rows, write.explains(rows) {
            // The attempt without an answer had arrived, and is what has changed the row.
            return await settle(
                Settlement(
                    identity: shipment.identity, clearing: shipment.clearing,
                    effects: write.effects(ofReading: rows, account),
                    ends: [QueueEnd(shipment.marked[0].entry, .applied(rows: nil))]),
                answeredWith: HTTPResponse(status: 204))
        }
        var settlement = rejecting(
            shipment.marked[0].refused(), .conflict(WriteConflict(rows)), of: shipment.identity,
            since: shipment.clearing)
        settlement.effects = write.effects(ofReading: rows, account)
        return await settle(settlement, failing: shipment)
    }

    private func hitNoRow(
        _ shipment: Shipment, _ plan: ReplayPlan, _ error: PostgrestError,
        _ response: HTTPResponse, _ ticket: SessionTicket
    ) async -> ReplaySchedule.Stop? {
        guard case .rows(let write) = plan else { return nil }
        if !write.request.guards.isEmpty {
            return await conflict(shipment, write, .count(0), ticket)
        }
        if write.request.isRowOptional {
            return await accepted(
                shipment, plan, .count(0), response.withoutRow, ticket)
        }
        var settlement = rejecting(
            shipment.marked[0].refused(), .refused(error), of: shipment.identity,
            since: shipment.clearing)
        settlement.effects = plan.effects(.count(0))
        return await settle(settlement, failing: shipment)
    }

    /// Looks whether the rows that are in the way of an insert are its own, which it has brought when no
    /// answer came.
    private func readBack(
        _ shipment: Shipment, _ plan: ReplayPlan, _ error: PostgrestError, _ ticket: SessionTicket
    ) async -> ReplaySchedule.Stop? {
        let entry = shipment.marked[0].entry
        guard case .rows(let write) = plan, case .insert(let sent) = write.change else {
            return nil
        }
        guard let rows = await exchange.rows(like: sent, in: write, token: ticket.token) else {
            return await stop(
                shipment, .unanswered(retryAfter: nil), entry.write.failures, false,
                .server(error))
        }
        switch ReadBack(
            sent, found: rows, error, of: write.request.target.name, write.facts)
        {
        case .own(let found):
            return await settle(
                Settlement(
                    identity: shipment.identity, clearing: shipment.clearing,
                    effects: plan.effects(.rows(found, isWhole: true, isFull: true)),
                    ends: [QueueEnd(entry, .applied(rows: found.count))]),
                answeredWith: HTTPResponse(status: 201))
        case .ownUnseen:
            return await settle(
                Settlement(
                    identity: shipment.identity, clearing: shipment.clearing,
                    effects: plan.effects(.mayHaveFailed),
                    ends: [QueueEnd(entry, .applied(rows: nil))]),
                answeredWith: HTTPResponse(status: 201))
        case .unknown:
            var settlement = rejecting(
                entry, .outcomeUnknown, of: shipment.identity, since: shipment.clearing)
            settlement.effects = plan.effects(.mayHaveFailed)
            return await settle(settlement, failing: shipment)
        case .others(let row):
            return await settle(
                rejecting(
                    entry, .occupied(error, current: Data(row)), of: shipment.identity,
                    since: shipment.clearing),
                failing: shipment)
        case .otherKey:
            return await settle(
                rejecting(entry, .refused(error), of: shipment.identity, since: shipment.clearing),
                failing: shipment)
        }
    }

    /// The rejection of a write whose row needs one that was rejected itself.
    private func parent(
        of rejection: MutationRejection, _ shipment: Shipment
    ) -> MutationRejection? {
        guard let error = rejection.error, counts(of: shipment.identity).rejected > 0,
            let missing = MissingRow(error),
            let rejected = try? store.queue.rejected(of: shipment.identity)
        else { return nil }
        let (write, facts) = (shipment.marked[0].entry.write, settings.facts(of:))
        return rejected.first { missing.isAmong($0.write, for: write, facts) }
            .map { .dependency(on: $0.write.id) }
    }

    /// How a write leaves the queue that is rejected, and what goes with it.
    func rejecting(
        _ entry: QueueEntry, _ rejection: MutationRejection, of identity: Identity,
        since clearing: Int? = nil
    ) -> Settlement {
        var entry = entry
        // One whose first attempt was still to come.
        if departing.remove(entry.write.id) != nil { entry.write.isPerhapsSent = false }
        let isDependant = if case .dependency = rejection { true } else { false }
        let later = (try? store.queue.pending(of: identity, after: entry.sequence)) ?? []
        return Settlement(
            identity: identity, clearing: clearing ?? clearings, effects: [],
            ends: dependants.ends(
                of: entry, rejection, isKept: isDependant || !isAwaited(entry.write.id),
                later: later))
    }

    /// Takes what the server has answered for good to the disk, and tells who waits.
    ///
    /// - Parameters:
    ///   - settlement: What has come of the writes.
    ///   - response: The answer with which they were accepted.
    ///   - shipment: What was refused.
    ///   - failure: Why there was no answer, if so.
    /// - Returns: Why the pass has to stop, if so.
    func settle(
        _ settlement: Settlement, answeredWith response: HTTPResponse? = nil,
        failing shipment: Shipment? = nil, because failure: OfflineError.Reason? = nil
    ) async -> ReplaySchedule.Stop? {
        if response != nil || shipment != nil { lastSuccess = runtime.wallClock() }
        let isSaved = await save(settlement)
        await noteReplaced(by: settlement.accepted.map(\.request), of: settlement.identity)
        for end in settlement.ends {
            let id = end.entry.write.id
            lone.remove(end.entry.sequence)
            failureMarks[end.entry.sequence] = nil
            departing.remove(id)
            if case .applied = end.outcome { progress.sent += 1 } else { progress.rejected += 1 }
            switch end.outcome {
            case .applied: land(.sent(response ?? HTTPResponse(status: 204)), for: id)
            case .rejected(let rejection) where !end.isKept:
                let context = settings.context(end.entry.write.request)
                land(.failed(OfflineError(rejection, because: failure, in: context)), for: id)
            case .rejected, .cancelledOut, .discarded: land(.queued(end.entry), for: id)
            }
            log(end)
            outcomes.send(MutationEvent(id: id, outcome: end.outcome))
        }
        changed()
        if !isSaved { unsaved.append(settlement) }
        return isSaved ? nil : .storage
    }

    /// Takes what the disk could not take before to the disk.
    ///
    /// - Returns: Whether all is there.
    func save() async -> Bool {
        while let settlement = unsaved.first {
            guard await save(settlement) else { return false }
            unsaved.removeFirst()
        }
        return true
    }

    private func save(_ settlement: Settlement) async -> Bool {
        let (ends, clearing) = (settlement.ends, settlement.clearing)
        guard
            await reads.accept(
                settlement.effects, of: settlement.identity, settings.tables, ending: ends)
        else { return false }
        adjust(settlement.identity, since: clearing) { counts in
            counts.pending -= ends.count
            counts.rejected += ends.count { $0.isKept }
        }
        changed()
        return true
    }

    /// Notes which rejected inserts hold up no edits any more, since another write has brought their rows.
    func noteReplaced(by accepted: [PostgrestRequest], of identity: Identity) async {
        guard !accepted.isEmpty, counts(of: identity).rejected > 0,
            let rejected = try? store.queue.rejected(of: identity)
        else { return }
        let replaced = accepted.flatMap { dependants.replaced(by: $0, in: rejected) }
        guard !replaced.isEmpty else { return }
        do throws(StorageError) {
            try await store.queue.markReplaced(replaced.map(\.sequence), of: identity)
        } catch {
            // Edits of these rows join it until it is retried or discarded.
            log.warning("That a rejected write was replaced can't be kept: \(error)")
        }
    }

    /// Drops a rejected insert for whose rows nothing is left to be done, and the edits of these rows.
    func discardRejected(_ parent: RejectedEntry, of identity: Identity) async {
        let (id, dependants) = (parent.write.id, dependants)
        let time = Timestamp(runtime.wallClock())
        let dropped = try? await store.queue.discardRejected(
            of: identity, at: time, as: .cancelledOut
        ) { rejected in
            rejected.filter { entry in
                entry.write.id == id
                    || entry.isDependant(of: id) && dependants.edits(entry.write, parent.write)
            }
        }
        adjust(identity) { $0.rejected -= dropped?.count ?? 0 }
        for entry in dropped ?? [] {
            outcomes.send(MutationEvent(id: entry.write.id, outcome: .cancelledOut))
        }
    }

    private func log(_ end: QueueEnd) {
        let name = "\(end.entry.write.name) \(end.entry.write.id.lowercased)"
        switch end.outcome {
        case .applied: log.info("\(name): accepted")
        case .rejected(let rejection): log.warning("\(name): rejected: \(rejection)")
        case .cancelledOut: log.info("\(name): nothing is left to be done")
        case .discarded: log.info("\(name): taken back")
        }
    }
}
