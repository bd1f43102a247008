import Synchronization

/// Decides when the queue is sent: the pure half of ``ReplayQueue``.
///
/// A pass sends what there is until it is through or has to stop. Whatever could let a pass go on is
/// heard here, and each reason to stop says for itself what that is.
struct ReplaySchedule {
    /// Why a pass stopped before it was through.
    enum Stop: Hashable, Sendable {
        /// No usable answer came, or one that says to come again.
        case unanswered(retryAfter: Duration?)
        /// The user's token can't be had, or is refused.
        case auth
        /// The server's picture of the schema is old; it was so this many times.
        case reload(Int)
        /// Somebody has to mend the project first.
        case hold
        /// It isn't known yet who the user is.
        case unsettled
        /// Somebody else is there by now.
        case identityChanged
        /// The device's store can't be written.
        case storage
        /// The client is being closed, or the identity's data cleared.
        case halted
    }

    /// What can start a pass.
    enum Trigger: Hashable {
        /// The client was made with writes of an earlier run.
        case opening
        case newWrite
        /// The app asked for it.
        case call
        case networkBack
        case networkLost
        /// The session has changed; somebody else may be there.
        case session(isOther: Bool)
        /// A wait is over.
        case woke(Int)
    }

    enum Action: Hashable {
        case none
        case start
        /// Say ``Trigger/woke(_:)`` with this number after a time.
        case sleep(Int, Duration)
    }

    enum Phase: Hashable {
        case idle
        case passing
        /// Until the wait of this number is over.
        case waiting(Int, Stop)
        /// Until something happens.
        case blocked(Stop)
        /// The network is back, and others come back at the same time.
        case dispersing(Int)
    }

    /// The longest wait after a reconnect, so that not all devices come at once.
    static let dispersal = Duration.seconds(2)
    private static let longestWait = Duration.seconds(60)
    private static let longestRetryAfter = Duration.seconds(3_600)
    private static let waitsForToken: [Duration] = [.seconds(5), .seconds(15), .seconds(60)]
    private static let waitsForSchema: [Duration] = [.seconds(5), .seconds(15), .seconds(40)]
    private static let probe = Duration.seconds(300)

    private(set) var phase = Phase.idle
    /// How many passes in a row were stopped without having sent anything.
    private(set) var attempt = 0
    private let isAutomatic: Bool
    /// What came during the pass.
    private var wanted: Set<Trigger> = []
    private var lastWait = 0
    private var random: RandomSource

    /// - Parameters:
    ///   - isAutomatic: Whether passes start without the app asking.
    ///   - random: Draws what waits are longer by.
    init(isAutomatic: Bool, random: RandomSource) {
        self.isAutomatic = isAutomatic
        self.random = random
    }

    /// Takes what happened.
    mutating func hear(_ trigger: Trigger) -> Action {
        switch trigger {
        case .opening, .networkBack, .session, .woke:
            guard isAutomatic else { return .none }
        case .newWrite, .call, .networkLost: break
        }
        switch (phase, trigger) {
        case (.passing, .networkBack), (.passing, .session), (.passing, .call):
            wanted.insert(trigger)
            return .none
        case (.passing, .networkLost):
            wanted.remove(.networkBack)
            return .none
        case (.passing, _): return .none
        case (_, .networkLost):
            if case .waiting(_, .unanswered(let wait)) = phase {
                phase = .blocked(.unanswered(retryAfter: wait))
            } else if case .dispersing = phase {
                phase = .blocked(.unanswered(retryAfter: nil))
            }
            return .none
        case (.waiting(let number, _), .woke(let other)),
            (.dispersing(let number), .woke(let other)):
            return number == other ? start() : .none
        case (_, .woke): return .none
        case (_, .call), (_, .session(isOther: true)): return start()
        case (.waiting(_, let stop), let trigger), (.blocked(let stop), let trigger):
            guard stop.isCutShort(by: trigger) else { return .none }
            return trigger == .networkBack ? disperse() : start()
        case (.dispersing, .networkBack): return .none
        case (.idle, .networkBack): return disperse()
        case (.idle, _), (.dispersing, _): return start()
        }
    }

    /// Notes that a pass has ended.
    ///
    /// - Parameters:
    ///   - stop: Why it stopped; nil if it was through.
    ///   - hasSent: Whether the server answered anything for good.
    ///   - isKnownDown: Whether the signal says that there is no network.
    /// - Returns: What is to be done.
    mutating func ended(_ stop: Stop?, hasSent: Bool, isKnownDown: Bool) -> Action {
        defer { wanted = [] }
        guard let stop else {
            (phase, attempt) = (.idle, 0)
            return .none
        }
        attempt = hasSent ? 1 : attempt + 1
        // A pass asks for tokens itself, and what it is told is a change of the session too.
        if stop != .unsettled { wanted.remove(.session(isOther: false)) }
        let cuts = stop == .halted ? [] : wanted.filter { stop.isCutShort(by: $0) }
        if !cuts.isEmpty { return cuts == [.networkBack] ? disperse() : start() }
        guard isAutomatic, let wait = wait(after: stop, isKnownDown: isKnownDown) else {
            phase = .blocked(stop)
            return .none
        }
        lastWait += 1
        phase = .waiting(lastWait, stop)
        return .sleep(lastWait, wait)
    }

    /// Forgets why it waits: there is nothing left to send.
    mutating func reset() {
        guard phase != .passing else { return }
        (phase, attempt) = (.idle, 0)
    }

    private mutating func start() -> Action {
        phase = .passing
        return .start
    }

    private mutating func disperse() -> Action {
        lastWait += 1
        phase = .dispersing(lastWait)
        return .sleep(lastWait, Self.dispersal * random.share())
    }

    private mutating func wait(after stop: Stop, isKnownDown: Bool) -> Duration? {
        switch stop {
        case .unanswered where isKnownDown: return nil
        case .unanswered(let retryAfter?): return min(retryAfter, Self.longestRetryAfter)
        case .unanswered(nil), .storage:
            let doubled = attempt > 6 ? Self.longestWait : .seconds(1 << (attempt - 1))
            return min(doubled, Self.longestWait) * (1 + 0.3 * random.share())
        case .auth:
            return Self.waitsForToken.dropFirst(attempt - 1).first ?? Self.probe
        case .reload(let count):
            return Self.waitsForSchema.dropFirst(count - 1).first ?? Self.waitsForSchema.last
        case .hold: return Self.probe
        case .unsettled, .identityChanged, .halted: return nil
        }
    }
}

extension ReplaySchedule.Stop {
    /// Whether something can make a difference to it.
    fileprivate func isCutShort(by trigger: ReplaySchedule.Trigger) -> Bool {
        switch (self, trigger) {
        case (_, .call), (_, .session(isOther: true)), (_, .opening): true
        // Each attempt counts, or goes to a server that can't.
        case (.reload, _): false
        case (.hold, .networkBack): true
        case (.hold, _): false
        case (_, .newWrite), (_, .networkBack), (_, .session): true
        case (_, .networkLost), (_, .woke): false
        }
    }
}

extension RandomSource {
    /// A number from 0 to 1.
    fileprivate mutating func share() -> Double { Double.random(in: 0...1, using: &self) }
}
