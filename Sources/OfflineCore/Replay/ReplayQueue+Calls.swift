import FoundationEssentials

// Who writes, and waits for what comes of it.

extension ReplayQueue {
    /// Keeps a write and has it sent.
    ///
    /// - Parameters:
    ///   - write: The write.
    ///   - identity: Whose it is.
    ///   - mayMerge: Whether it may go into an update before it.
    ///   - caller: Who waits for it.
    /// - Returns: The write in the queue.
    /// - Throws: ``StorageError``; nothing is kept then.
    func add(
        _ write: QueuedWrite, of identity: Identity, mayMerge: Bool, for caller: WriteCaller
    ) async throws(StorageError) -> QueueEntry {
        await lookAtSession()
        // Before it is kept: the pass may come to it before this goes on.
        waiting[write.id] = Waiting(callers: [caller], identity: identity)
        let isSentAtOnce = isSentAtOnce(identity)
        if isSentAtOnce { departing.insert(write.id) }
        let entry: QueueEntry
        do throws(StorageError) {
            entry = try await store.queue.add(
                write, of: identity, isSentAtOnce: isSentAtOnce, mayMerge: mayMerge)
        } catch {
            (waiting[write.id], departing) = (nil, departing.subtracting([write.id]))
            throw error
        }
        log.info("\(entry.write.name) \(entry.write.id.lowercased): kept")
        if entry.write.id == write.id {
            adjust(identity) { $0.pending += 1 }
            waiting[write.id]?.entry = entry
        } else {
            waiting[write.id] = nil
            departing.remove(write.id)
            waiting[
                entry.write.id, default: Waiting(entry: entry, callers: [], identity: identity)
            ].callers
                .append(caller)
        }
        changed()
        hear(.newWrite)
        // Nobody comes to it now.
        if pass == nil || !sendable.contains(identity) || isHalted(identity) {
            caller.land(.queued(entry))
        }
        return entry
    }

    /// Whether a write is the first to be sent, and will be as soon as it is kept.
    private func isSentAtOnce(_ identity: Identity) -> Bool {
        guard pass == nil, !isClosing, schedule.phase == .idle, directs.isEmpty,
            let presence, presence.isSettled, presence.identity == identity
        else { return false }
        return !isHalted(identity) && counts(of: identity).pending == 0
    }

    /// Has a write sent in its turn that is not kept.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - plan: What it does.
    ///   - identity: Whose it is.
    ///   - obstacle: Why it can't be kept; nil if its caller doesn't want that.
    ///   - context: The call.
    /// - Returns: The write on its way.
    func addDirect(
        _ request: PostgrestRequest, _ plan: ReplayPlan, of identity: Identity,
        obstacle: NotQueueable?, in context: OfflineError.Context
    ) async -> DirectWrite {
        await lookAtSession()
        let last = (try? store.queue.last(of: identity)) ?? nil
        let direct = DirectWrite(
            request, plan, of: identity, behind: last ?? 0, obstacle: obstacle, in: context)
        directs.append(direct)
        hear(.newWrite)
        if pass == nil { letCallersGo() }
        return direct
    }

    /// Lets a caller go who doesn't wait any more.
    ///
    /// - Returns: What came of the write meanwhile, if it came to something.
    func leave(_ caller: WriteCaller, _ id: UUID) -> WriteCaller.Landing? {
        waiting[id]?.callers.removeAll { $0 === caller }
        return caller.landed
    }

    /// Whether somebody waits to hear what becomes of a write.
    func isAwaited(_ id: UUID) -> Bool { waiting[id]?.callers.isEmpty == false }

    /// Tells those who wait for a write what has become of it.
    func land(_ landing: WriteCaller.Landing, for id: UUID) {
        for caller in waiting.removeValue(forKey: id)?.callers ?? [] { caller.land(landing) }
    }

    /// Tells all who wait that nothing more is done about their writes for now.
    func letCallersGo() {
        let waiting = waiting
        for (id, wait) in waiting {
            guard let entry = wait.entry else { continue }
            self.waiting[id] = nil
            for caller in wait.callers { caller.land(.queued(entry)) }
        }
        for direct in directs where direct.giveUp() {
            let count = counts(of: direct.identity).pending
            direct.land(
                count > 0 ? .behind(count) : .stopped(isClosing ? .halted : .identityChanged))
        }
        directs = []
    }
}
