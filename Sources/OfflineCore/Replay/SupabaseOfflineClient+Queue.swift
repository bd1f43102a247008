public import FoundationEssentials

// The queue, as the app sees it: what is kept for whoever is there, and what becomes of it.

extension SupabaseOfflineClient {
    /// The writes in the queue of the present user, in the order in which they are sent.
    ///
    /// The first value comes at once; after that, one for each change. A slow listener skips to the newest.
    public var pendingMutations: OfflineUpdates<[PendingMutation]> {
        updates { client, identity throws(StorageError) in
            try client.store.queue.pending(of: identity).map { client.mutation($0, of: identity) }
        }
    }

    /// How many writes there are in the queue of the present user.
    public var pendingMutationCount: OfflineUpdates<Int> {
        updates { client, identity throws(StorageError) in
            try client.store.queue.counts(of: identity).pending
        }
    }

    /// The rejected writes of the present user, in the order in which they were made.
    public var rejectedMutations: OfflineUpdates<[RejectedMutation]> {
        updates { client, identity throws(StorageError) in
            try client.store.queue.rejected(of: identity).map { entry in
                RejectedMutation(
                    mutation: PendingMutation(entry.write, of: identity, client),
                    rejection: entry.rejection, rejectedAt: entry.rejectedAt.date)
            }
        }
    }

    /// How the queue is getting on; it keeps its last value after ``close()``.
    public var syncStatus: AsyncStream<SyncStatus> { queue.status.updates() }

    /// How the queue is getting on at this moment.
    public var currentSyncStatus: SyncStatus { queue.status.current }

    /// What becomes of writes, from now on.
    ///
    /// A listener that falls behind by more than a thousand misses the oldest; see ``outcome(of:)``.
    public var mutationOutcomes: AsyncStream<MutationEvent> { queue.outcomes.events() }

    /// Sends what is in the queue, or joins the pass that does.
    ///
    /// - Returns: What the pass has done.
    /// - Throws: ``OfflineError/closed``.
    @discardableResult
    public func syncPendingMutations() async throws(OfflineError) -> SyncReport {
        guard calls.enter() else { throw OfflineError(.closed, in: .init("sync")) }
        defer { calls.leave() }
        let report = await queue.sync()
        if report.stop == .halted, calls.isClosed {
            throw OfflineError(.closed, in: .init("sync"))
        }
        return report
    }

    /// What becomes of a write in the end; it waits for that.
    ///
    /// - Parameter id: The write's ``PendingMutation/id``.
    /// - Returns: What has become of it.
    /// - Throws: ``OfflineError`` with the reason `unknownMutation` if there is no such write, or if it
    ///   ended more than seven days or a thousand writes ago; `closed`; `CancellationError` if the
    ///   calling task is cancelled.
    public func outcome(of id: UUID) async throws -> MutationOutcome {
        let context = OfflineError.Context("outcome")
        guard !calls.isClosed else { throw OfflineError(.closed, in: context) }
        guard let identity = await session.presence.identity else {
            throw OfflineError(.sessionNotSettled, in: context)
        }
        return try await outcome(of: id, identity)
    }

    func outcome(of id: UUID, _ identity: Identity) async throws -> MutationOutcome {
        let context = OfflineError.Context("outcome")
        let changes = queue.changes.updates()
        for await _ in changes {
            let ended: MutationOutcome?
            do throws(StorageError) {
                // A rejected write that is tried again has an outcome that counts no more.
                if try store.queue.pending(id, of: identity) != nil { continue }
                ended = try store.queue.outcome(
                    of: id, identity, at: Timestamp(runtime.wallClock()))
            } catch {
                guard error == .suspended else {
                    throw OfflineError(.init(reading: error), in: context, underlying: error)
                }
                continue
            }
            guard let ended else {
                let isLost = await queue.isLost(id)
                throw OfflineError(isLost ? .outcomeUnknown(nil) : .unknownMutation, in: context)
            }
            return ended
        }
        try Task.checkCancellation()
        throw OfflineError(.closed, in: context)
    }

    /// Takes a write back: one of the queue that was not sent, or one that was rejected.
    ///
    /// With it go the writes that have no sense without it: the updates and deletes that name nothing but
    /// rows that it would have inserted, and those that were made to come after it.
    ///
    /// - Parameter id: The write's ``PendingMutation/id``.
    /// - Returns: The writes that were taken back.
    /// - Throws: ``OfflineError`` with the reason `inFlight` if its request has left, so that the server
    ///   may have carried it out; `unknownMutation`, `closed`, `storageUnavailable`.
    @discardableResult
    public func discard(_ id: UUID) async throws(OfflineError) -> [PendingMutation] {
        try await change("discard") { queue, identity async throws(QueueChangeError) in
            try await queue.discard(id, of: identity)
        }
    }

    /// Drops all rejected writes of the present user.
    ///
    /// - Returns: The writes.
    /// - Throws: ``OfflineError`` with the reason `closed` or `storageUnavailable`.
    @discardableResult
    public func discardAll() async throws(OfflineError) -> [PendingMutation] {
        try await change("discard") { queue, identity async throws(QueueChangeError) in
            try await queue.discardAllRejected(of: identity)
        }
    }

    /// Puts a rejected write, and those that were rejected with it, at the end of the queue.
    ///
    /// - Parameter id: The write's ``PendingMutation/id``.
    /// - Returns: The writes, in their old order.
    /// - Throws: ``OfflineError`` with the reason `unknownMutation` if it is not among the rejected
    ///   writes; `closed`, `storageFull`, `storageUnavailable`.
    @discardableResult
    public func retry(_ id: UUID) async throws(OfflineError) -> [PendingMutation] {
        try await change("retry") { queue, identity async throws(QueueChangeError) in
            try await queue.retry(id, of: identity, payload: nil)
        }
    }

    /// Puts a rejected write with other values, and those that were rejected with it, at the end of the
    /// queue.
    ///
    /// - Parameters:
    ///   - id: The write's ``PendingMutation/id``.
    ///   - payload: The row, the rows or the columns in the place of ``PendingMutation/payload``. Rows
    ///     keep their keys: what a row lacks of its key is taken from the old one.
    /// - Returns: The writes, in their old order.
    /// - Throws: ``OfflineError`` with the reason `invalidRequest` if the values can't take the place of
    ///   the old ones; `unknownMutation` if it is not among the rejected writes; `closed`,
    ///   `storageFull`, `storageUnavailable`.
    @discardableResult
    public func retry(
        _ id: UUID, replacing payload: some Encodable
    ) async throws(OfflineError) -> [PendingMutation] {
        var request = PostgrestRequest(.table("payload"), schema: "public", method: "POST")
        request.encode(payload, by: encoder)
        if let problem = request.problem {
            throw OfflineError(.invalidRequest(problem), in: .init("retry"))
        }
        let body = request.body
        return try await change("retry") { queue, identity async throws(QueueChangeError) in
            try await queue.retry(id, of: identity, payload: body)
        }
    }

    private func change(
        _ operation: String,
        _ change: (ReplayQueue, Identity) async throws(QueueChangeError) -> [QueuedWrite]
    ) async throws(OfflineError) -> [PendingMutation] {
        let context = OfflineError.Context(operation)
        guard calls.enter() else { throw OfflineError(.closed, in: context) }
        defer { calls.leave() }
        await store.suspension.wait()
        guard let identity = await session.presence.identity else {
            throw OfflineError(.sessionNotSettled, in: context)
        }
        do throws(QueueChangeError) {
            return try await change(queue, identity).map { PendingMutation($0, of: identity, self) }
        } catch {
            switch error {
            case .refused(let reason): throw OfflineError(reason, in: context)
            case .store(let error):
                throw OfflineError(.init(writing: error), in: context, underlying: error)
            }
        }
    }

    func mutation(_ entry: QueueEntry, of identity: Identity) -> PendingMutation {
        PendingMutation(entry.write, of: identity, self)
    }

    private func updates<Element: Hashable & Sendable>(
        _ load:
            @escaping @Sendable (SupabaseOfflineClient, Identity) throws(StorageError) -> Element
    ) -> OfflineUpdates<Element> where Element: EmptyInitializable {
        OfflineUpdates(queue.changes.updates()) { [weak self] in
            guard let self else { return nil }
            guard let identity = await session.presence.identity else { return Element() }
            do throws(StorageError) {
                return try load(self, identity)
            } catch {
                if error != .closed, error != .suspended {
                    log.warning("The queue can't be read now: \(error)")
                }
                return nil
            }
        }
    }
}

/// A value that stands for nothing being there.
protocol EmptyInitializable { init() }

extension Array: EmptyInitializable {}
extension Int: EmptyInitializable {}

/// How many writes are kept for somebody.
public struct UnsentWrites: Hashable, Sendable {
    /// The user's id; nil for whoever was signed out.
    public let userID: String?
    /// How many are in the queue.
    public let pending: Int
    /// How many were rejected and wait for a decision.
    public let rejected: Int
}

extension SupabaseOfflineClient {
    /// For whom writes of this project are kept on the device, and how many.
    ///
    /// Those of somebody who isn't signed in stay until they are.
    ///
    /// - Throws: ``OfflineError`` with the reason `closed` or `storageUnavailable`.
    public var unsentWrites: [UnsentWrites] {
        get async throws(OfflineError) {
            let context = OfflineError.Context("count unsent writes")
            do throws(StorageError) {
                let queue = store.queue
                return try await store.suspension.retrying { () throws(StorageError) in
                    try queue.unsent()
                }.compactMap { name, counts in
                    guard let owner = Identity.owner(named: name, of: settings.project) else {
                        return nil
                    }
                    let user: String? = if case .user(let id) = owner { id.text } else { nil }
                    return UnsentWrites(
                        userID: user, pending: counts.pending, rejected: counts.rejected)
                }
            } catch {
                throw OfflineError(.init(reading: error), in: context, underlying: error)
            }
        }
    }
}

extension Identity {
    /// The owner of an identity of a project, by its whole name.
    fileprivate static func owner(named name: String, of project: String) -> Owner? {
        let parts = name.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == project else { return nil }
        return parts.count == 3 ? .user(UserID(String(parts[2]))) : .visitor
    }
}
