import FoundationEssentials

// One pass: what is sent next, and with which token.

extension ReplayQueue {
    /// What is to be done next.
    enum Work {
        /// The first of an identity's writes in the queue.
        case kept(Identity, QueueEntry)
        case direct(DirectWrite)
    }

    /// Sends until there is nothing left, or nothing can be sent now.
    ///
    /// - Returns: Why it stopped; nil if nothing was left, and then that was found out in the same step.
    func send() async -> ReplaySchedule.Stop? {
        while true {
            await store.suspension.wait()
            guard await save() else { return .storage }
            let work: Work?
            do throws(StorageError) {
                work = try nextWork()
            } catch {
                if error == .suspended { continue }
                log.warning("The queue can't be read now: \(error)")
                return .storage
            }
            if let identity = store.queue.unreadable.first {
                guard await setUnreadableAside(of: identity) else { return .storage }
                continue
            }
            guard let work else { return sendable.isEmpty ? .unsettled : nil }
            switch work {
            case .direct(let direct): await send(direct)
            case .kept(let identity, let first):
                if isClosing || isHalted(identity) { return .halted }
                if let stop = await send(first, of: identity) { return stop }
            }
        }
    }

    /// Has the queue go on without the writes that can't be read.
    ///
    /// - Returns: False if the store can't be written.
    private func setUnreadableAside(of identity: Identity) async -> Bool {
        do throws(StorageError) {
            try await store.queue.setUnreadableAside(of: identity)
        } catch {
            return error == .suspended
        }
        counts[identity] = nil
        changed()
        return true
    }

    /// Looks what is to be done next; the last look before a pass ends is this one.
    func nextWork() throws(StorageError) -> Work? {
        directs.removeAll { $0.caller.landed != nil }
        for identity in sendable {
            let first = try store.queue.pending(of: identity, limit: 1).first
            let direct = directs.first { $0.identity == identity }
            if let direct, first.map({ $0.sequence > direct.precursor }) ?? true {
                return .direct(direct)
            }
            if let first { return .kept(identity, first) }
        }
        // Those of somebody who has gone.
        return directs.first.map { .direct($0) }
    }

    /// Sends the first write in the queue, and those behind it that may go with it.
    ///
    /// - Returns: Why the pass has to stop, if so.
    private func send(
        _ first: QueueEntry, of identity: Identity
    ) async -> ReplaySchedule.Stop? {
        if let rejection = await reasonNotToSend(first, of: identity) {
            return await settle(rejection)
        }
        let ticket: SessionTicket
        switch await self.ticket(for: identity) {
        case .success(let given): ticket = given
        case .failure(let stopped):
            if departing.remove(first.write.id) != nil {
                await unmark([MarkedWrite(entry: first, wasPerhapsSent: false)], of: identity)
            }
            return stopped.stop
        }
        var batch = ReplayBatch(first.write, isAlone: isAlone(first))
        let marked: [MarkedWrite]
        if departing.remove(first.write.id) != nil, first.write.isPerhapsSent {
            marked = [MarkedWrite(entry: first, wasPerhapsSent: false)]
        } else {
            var sequences = [first.sequence]
            do throws(StorageError) {
                if batch.isOpen {
                    try store.queue.visit(of: identity, after: first.sequence) { entry in
                        guard batch.take(entry.write, isAlone: isAlone(entry)) else { return .stop }
                        sequences.append(entry.sequence)
                        departing.remove(entry.write.id)
                        return .next
                    }
                }
                marked = try await store.queue.mark(sequences, of: identity)
            } catch {
                if error == .suspended { return nil }
                log.warning("Writes can't be marked as sent, so they are not: \(error)")
                return .storage
            }
        }
        guard !marked.isEmpty else { return nil }
        // Some were taken back meanwhile: the others go alone.
        guard marked.count == batch.count else {
            await unmark(marked, of: identity)
            return nil
        }
        if isClosing || isHalted(identity) {
            await unmark(marked, of: identity)
            return .halted
        }
        inFlight = Set(marked.map(\.entry.write.id))
        defer { inFlight = [] }
        return await send(
            Shipment(
                identity: identity, clearing: clearings, marked: marked,
                // As it is now: an update may have gone into it meanwhile.
                request: marked.count == 1 ? marked[0].entry.write.request : batch.request),
            ticket)
    }

    /// Whether a write has to go in a request of its own.
    private func isAlone(_ entry: QueueEntry) -> Bool {
        lone.contains(entry.sequence) || isAwaited(entry.write.id)
            || !entry.write.dependencies.isEmpty
    }

    /// Takes back the mark of writes whose request has not left after all.
    func unmark(_ marked: [MarkedWrite], of identity: Identity) async {
        let notes = marked.map { marked in
            AttemptNote(
                marked.entry.sequence, isPerhapsSent: marked.wasPerhapsSent,
                marked.entry.write.failures, refusal: nil)
        }
        // Otherwise it counts as perhaps sent, which costs a question at most.
        try? await store.queue.note(notes, of: identity)
    }

    /// A ticket for an identity's writes, or why there is none.
    func ticket(
        for identity: Identity
    ) async -> Result<SessionTicket, StoppedBySession> {
        let present = presence?.identity
        if identity.owner == .visitor, present != identity {
            // Nobody's writes go out on the key alone, whoever is signed in.
            return .success(await session.visitorTicket())
        }
        do throws(SessionError) {
            let ticket = try await session.ticket(await session.ask())
            if ticket.isRestoring { return .failure(StoppedBySession(.unsettled)) }
            guard ticket.identity == identity else {
                return .failure(
                    StoppedBySession(ticket.identity == nil ? .unsettled : .identityChanged))
            }
            return .success(ticket)
        } catch {
            return .failure(StoppedBySession(error))
        }
    }

    /// Why a write is not sent at all, if so, and what goes with it.
    private func reasonNotToSend(
        _ entry: QueueEntry, of identity: Identity
    ) async -> Settlement? {
        let write = entry.write
        if write.isPerhapsSent, !write.mayBeSentAgain, !departing.contains(write.id) {
            return rejecting(entry, .outcomeUnknown, of: identity)
        }
        do throws(WriteProblem) {
            _ = try ReplayPlan(write, settings.facts(of: write.request))
        } catch {
            let refusal = PostgrestError(status: 400, message: error.text)
            return rejecting(entry, .refused(refusal), of: identity)
        }
        guard counts(of: identity).rejected > 0,
            let rejected = try? store.queue.rejected(of: identity),
            let parent = dependants.parent(of: write, in: rejected)
        else { return nil }
        guard !parent.isReplaced, dependants.undoes(write, parent.write) else {
            return rejecting(entry, .dependency(on: parent.write.id), of: identity)
        }
        await discardRejected(parent, of: identity)
        return Settlement(
            identity: identity, clearing: clearings, effects: [],
            ends: [QueueEnd(entry, .cancelledOut)])
    }

    var dependants: Dependants { Dependants { [settings] in settings.facts(of: $0) } }
}

/// What goes out in one request.
struct Shipment {
    let identity: Identity
    /// How often writes had been dropped when it was sent.
    let clearing: Int
    /// The writes; several are inserts of one kind.
    let marked: [MarkedWrite]
    let request: PostgrestRequest

    /// What is sent, as one write.
    var write: QueuedWrite {
        var write = marked[0].entry.write
        write.request = request
        return write
    }
}

/// Why the session lets nothing be sent.
struct StoppedBySession: Error {
    let stop: ReplaySchedule.Stop

    init(_ stop: ReplaySchedule.Stop) { self.stop = stop }

    fileprivate init(_ error: SessionError) {
        switch error {
        case .noToken: stop = .auth
        case .identityChanged: stop = .identityChanged
        case .cancelled: stop = .halted
        }
    }
}
