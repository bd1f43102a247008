import FoundationEssentials

/// Owns the sending of writes: what is on its way, who waits for it, and when it is tried again.
///
/// The writes themselves are in the store, and stay there until the server has answered for good; what
/// this actor knows beside them may be lost. Writes go one after the other for each identity, in the
/// order in which they were made: two writes of one row that are on their way at once may reach the
/// server in either order, and nobody could tell afterwards which one stands.
///
/// Whoever writes starts a pass if none is under way, and waits for it to come to their write: sending
/// directly is nothing else. There is one pass at a time.
package actor ReplayQueue {
    /// Those who wait for a write in the queue.
    struct Waiting {
        /// The write; nil until it is kept.
        var entry: QueueEntry?
        var callers: [WriteCaller]
        let identity: Identity
    }

    /// What the server has answered for good.
    struct Settlement {
        let identity: Identity
        /// How often writes had been dropped when it was sent.
        let clearing: Int
        var effects: [AcceptedWrite]
        let ends: [QueueEnd]

        /// The writes that it has accepted.
        var accepted: [QueuedWrite] {
            ends.compactMap { end in
                if case .applied = end.outcome { end.entry.write } else { nil }
            }
        }
    }

    let store: OfflineStore
    let session: SessionTrust
    let connectivity: Connectivity
    let reads: ReadEngine
    let settings: RequestSettings
    let runtime: OfflineRuntime
    let log: Log
    let exchange: WriteExchange
    let isAutomatic: Bool

    private(set) var schedule: ReplaySchedule
    private var timer: OwnedTask?
    private(set) var wakesAt = Date.distantPast
    private var sessionWatch: OwnedTask?
    private var networkWatch: OwnedTask?
    /// The pass under way.
    private(set) var pass: Task<SyncReport, Never>?
    var progress = SyncReport()
    var waiting: [UUID: Waiting] = [:]
    /// The writes that are sent in their turn and never kept, in the order in which they were made.
    var directs: [DirectWrite] = []
    /// Writes that are marked as perhaps sent when they are kept, and whose attempt is still to come.
    var departing: Set<UUID> = []
    /// The writes whose request is on its way.
    var inFlight: Set<UUID> = []
    /// Those that were dropped while it was: nobody will ever know what came of them.
    private var lost: Set<UUID> = []
    /// The writes that go alone, since they were refused among others.
    var lone: Set<UInt64> = []
    /// The number of requests that had succeeded when the server last failed with a write.
    var failureMarks: [UInt64: Int] = [:]
    /// What the disk could not take yet.
    var unsaved: [Settlement] = []
    /// Whose writes are not sent, since they are being dropped.
    private var halted: Set<Identity> = []
    /// How often an identity's writes were dropped; what was under way before is counted no more.
    private(set) var clearings = 0
    /// How many writes there are of an identity, as far as somebody has asked.
    var counts: [Identity: QueueCounts] = [:]
    private(set) var presence: SessionPresence?
    private(set) var isClosing = false
    var lastSuccess: Date?
    var lastFailure: OfflineError.Reason?

    /// Says "look again" whenever the writes that are kept have changed, or whose they are.
    package nonisolated let changes = StateRelay(0)
    package nonisolated let status: StateRelay<SyncStatus>
    nonisolated let outcomes = EventRelay<MutationEvent>(limit: 1_000)

    package init(
        store: OfflineStore, session: SessionTrust, connectivity: Connectivity, reads: ReadEngine,
        transport: any HTTPTransport, settings: RequestSettings, isAutomatic: Bool,
        runtime: OfflineRuntime, log: Log
    ) {
        self.store = store
        self.session = session
        self.connectivity = connectivity
        self.reads = reads
        self.settings = settings
        self.runtime = runtime
        self.log = log
        self.isAutomatic = isAutomatic
        exchange = WriteExchange(
            transport: transport, settings: settings, connectivity: connectivity, log: log)
        schedule = ReplaySchedule(isAutomatic: isAutomatic, random: runtime.random)
        status = StateRelay(
            SyncStatus(
                network: connectivity.status, phase: .idle, pendingCount: 0, rejectedCount: 0,
                lastSuccess: nil, lastFailure: nil))
    }
}

// MARK: From opening to closing

extension ReplayQueue {
    /// Listens to the session and the network, and sends what an earlier run has left.
    package func open() async {
        sessionWatch = OwnedTask(
            runtime.task(name: "queue.session") { [weak self, changes = session.changes] in
                for await _ in changes { await self?.lookAtSession() }
            })
        networkWatch = OwnedTask(
            runtime.task(name: "queue.network") { [weak self, updates = connectivity.updates] in
                var last: NetworkStatus?
                for await status in updates {
                    await self?.networkChanged(from: last, to: status)
                    last = status
                }
            })
        await lookAtSession()
        await store.suspension.wait()
        if hasWork { hear(.opening) }
        changed()
    }

    /// Ends everything but the request that is on its way.
    ///
    /// It returns when that has been answered, and what it has come to is on the disk.
    package func close() async {
        isClosing = true
        timer = nil
        sessionWatch = nil
        networkWatch = nil
        if let pass { _ = await pass.value }
        letCallersGo()
        changes.finish()
        status.finish()
        outcomes.finish()
    }

    /// Counts anew: somebody else may have had the store.
    package func resumed() {
        counts = [:]
        changed()
        if hasWork { hear(.opening) }
    }

    func lookAtSession() async {
        let presence = await session.presence
        guard presence != self.presence else { return }
        let last = self.presence
        self.presence = presence
        changed()
        // One that isn't settled, as when a token can't be had any more, lets nothing go on.
        guard let last, presence.isSettled, hasWork else { return }
        hear(.session(isOther: last.identity != presence.identity))
    }

    private func networkChanged(from last: NetworkStatus?, to status: NetworkStatus) {
        switch (last, status) {
        case (_, .unavailable): hear(.networkLost)
        case (.unavailable?, _): if hasWork { hear(.networkBack) }
        case (nil, _), (.unknown?, _), (.available?, _): break
        }
        tell()
    }
}

// MARK: Passes

extension ReplayQueue {
    /// Whose writes can be sent: those of whoever is there, and then those of nobody.
    var sendable: [Identity] {
        guard let presence else { return [] }
        let visitor = Identity(project: settings.project, owner: .visitor)
        guard let present = presence.identity else { return presence.isSettled ? [visitor] : [] }
        return present == visitor || !presence.isSettled ? [present] : [present, visitor]
    }

    private var hasWork: Bool { sendable.contains { counts(of: $0).pending > 0 } }

    func isHalted(_ identity: Identity) -> Bool { halted.contains(identity) }

    func hear(_ trigger: ReplaySchedule.Trigger) {
        guard !isClosing else { return }
        perform(schedule.hear(trigger))
    }

    private func perform(_ action: ReplaySchedule.Action) {
        switch action {
        case .none: break
        case .start:
            timer = nil
            progress = SyncReport()
            pass = runtime.task(name: "queue.pass") { await self.run() }
        case .sleep(let number, let duration):
            wakesAt = runtime.wallClock().addingTimeInterval(duration / .seconds(1))
            timer = OwnedTask(
                runtime.task(name: "queue.wait") { [weak self, clock = runtime.clock] in
                    guard (try? await clock.sleep(for: duration)) != nil else { return }
                    await self?.hear(.woke(number))
                })
        }
        tell()
    }

    private func run() async -> SyncReport {
        var stop: ReplaySchedule.Stop?
        repeat {
            stop = await send()
            // What it has been told of the session is nothing new to whoever looks later.
            await lookAtSession()
            // Nothing may come between this look at the queue and the end of the pass.
        } while stop == nil && ((try? nextWork()) ?? nil) != nil && !sendable.isEmpty
        pass = nil
        var report = progress
        report.stop = stop.map { SyncStop($0) }
        report.left = sendable.reduce(0) { $0 + counts(of: $1).pending }
        let count = report.sent + report.rejected
        if count > 0 || stop != nil {
            log.info(
                "queue: \(report.sent) sent, \(report.rejected) rejected, \(report.left) left"
                    + (report.stop.map { ", stopped: \($0)" } ?? ""))
        }
        letCallersGo()
        if !isClosing {
            perform(
                schedule.ended(
                    stop, hasSent: count > 0, isKnownDown: connectivity.status == .unavailable))
        }
        changed()
        return report
    }

    /// Sends what there is, or joins the pass that does.
    ///
    /// - Returns: What it has done.
    package func sync() async -> SyncReport {
        await lookAtSession()
        hear(.call)
        guard let pass else { return SyncReport(stop: .halted) }
        return await pass.value
    }

    /// Stops sending an identity's writes, and waits for the one that is on its way.
    ///
    /// - Parameters:
    ///   - identity: Whose.
    ///   - limit: How long to wait.
    func halt(_ identity: Identity, within limit: Duration) async {
        halted.insert(identity)
        guard let pass else { return }
        _ = await runtime.value(of: pass, within: limit)
    }

    /// Lets an identity's writes be sent again.
    ///
    /// - Parameters:
    ///   - identity: Whose.
    ///   - isCleared: Whether there are none left of those that there were.
    func goOn(_ identity: Identity, isCleared: Bool) {
        halted.remove(identity)
        counts[identity] = nil
        if isCleared {
            clearings += 1
            lost.formUnion(inFlight)
            forgetCallers(of: identity)
        }
        if !hasWork { schedule.reset() } else { hear(.call) }
        changed()
    }

    /// Whether a write was dropped while its request was on its way.
    func isLost(_ id: UUID) -> Bool { lost.contains(id) }

    /// Tells those who wait for writes that are no more.
    private func forgetCallers(of identity: Identity) {
        unsaved.removeAll { $0.identity == identity }
        let left = Set(((try? store.queue.pending(of: identity)) ?? []).map(\.write.id))
        for (id, wait) in waiting where wait.identity == identity && !left.contains(id) {
            guard let entry = wait.entry else { continue }
            let hasLeft = inFlight.contains(id)
            land(
                .failed(
                    OfflineError(
                        hasLeft ? .outcomeUnknown(nil) : .discarded,
                        in: settings.context(entry.write.request))), for: id)
        }
    }
}

extension ReplayQueue {
    /// Notes that the app has taken writes back.
    func tookBack() {
        if !hasWork {
            schedule.reset()
            timer = nil
        }
        changed()
    }

    /// Notes that the app has put writes into the queue again.
    func putBack() {
        changed()
        hear(.call)
    }
}
