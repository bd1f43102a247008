import Testing

@testable import OfflineCore

@Suite("What lets the queue go on", .timeLimit(.minutes(5)))
struct ReplayTriggerTests {
    private typealias Trigger = ReplaySchedule.Trigger

    static let waits: [ReplaySchedule.Stop] = [
        .unanswered(retryAfter: nil), .unanswered(retryAfter: .seconds(100)), .auth, .reload(1),
        .hold, .storage,
    ]

    /// What cuts each wait short.
    private static func cuts(_ stop: ReplaySchedule.Stop) -> Set<Trigger> {
        let always: Set<Trigger> = [.call, .opening, .session(isOther: true)]
        return switch stop {
        case .unanswered, .auth, .storage, .unsettled, .identityChanged, .halted:
            always.union([.newWrite, .networkBack, .session(isOther: false)])
        case .hold: always.union([.networkBack])
        // Each attempt counts.
        case .reload: always
        }
    }

    @Test(arguments: waits)
    func `cuts a wait short if it can make a difference`(_ stop: ReplaySchedule.Stop) {
        for trigger: Trigger in [
            .call, .opening, .newWrite, .networkBack, .session(isOther: false),
            .session(isOther: true), .woke(7),
        ] {
            var schedule = ReplaySchedule.passing()
            #expect(schedule.fail(stop).wait != nil)
            let isCut = Self.cuts(stop).contains(trigger)
            let expected: ReplaySchedule.Action =
                !isCut ? .none : trigger == .networkBack ? .wait(2, .zero) : .start
            #expect(schedule.hear(trigger) == expected, "\(trigger)")
            if !isCut { #expect(schedule.hear(.woke(1)) == .start, "\(trigger)") }
        }
    }

    // MARK: The network

    @Test func `is the network, after a random wait of up to two seconds`() {
        var least = ReplaySchedule.automatic()
        #expect(least.hear(.networkBack) == .wait(1, .zero))
        var most = ReplaySchedule.automatic(.highest)
        #expect(most.hear(.networkBack) == .wait(1, .seconds(2)))
        #expect(most.hear(.networkBack) == .none)
        #expect(most.hear(.woke(0)) == .none)
        #expect(most.hear(.woke(1)) == .start)
    }

    @Test(arguments: [
        ReplaySchedule.Trigger.newWrite, .call, .session(isOther: false), .session(isOther: true),
    ])
    func `is somebody here, who does not wait for other devices`(
        _ trigger: ReplaySchedule.Trigger
    ) {
        var schedule = ReplaySchedule.automatic(.highest)
        _ = schedule.hear(.networkBack)
        #expect(schedule.hear(trigger) == .start)
        #expect(schedule.hear(.woke(1)) == .none)
    }

    @Test func `is not the time, where the network is known to be down`() {
        var schedule = ReplaySchedule.passing(.highest)
        let stop = ReplaySchedule.Stop.unanswered(retryAfter: nil)
        #expect(schedule.ended(stop, hasSent: false, isKnownDown: true) == .none)
        #expect(schedule.phase == .blocked(stop))
        #expect(schedule.hear(.woke(0)) == .none)
        #expect(schedule.hear(.networkLost) == .none)
        #expect(schedule.hear(.networkBack) == .wait(1, .seconds(2)))
        #expect(schedule.hear(.woke(1)) == .start)
    }

    @Test func `is not the time, once the network is lost while it waits`() {
        var schedule = ReplaySchedule.passing()
        _ = schedule.fail()
        #expect(schedule.hear(.networkLost) == .none)
        #expect(schedule.phase == .blocked(.unanswered(retryAfter: nil)))
        #expect(schedule.hear(.woke(1)) == .none)
        #expect(schedule.hear(.networkBack) == .wait(2, .zero))
        #expect(schedule.hear(.networkLost) == .none)
        #expect(schedule.hear(.woke(2)) == .none)
        #expect(schedule.hear(.networkBack) == .wait(3, .zero))
        #expect(schedule.hear(.woke(3)) == .start)
    }

    @Test(arguments: [ReplaySchedule.Stop.auth, .reload(1), .hold, .storage])
    func `is the time, where the network is not what is missing`(_ stop: ReplaySchedule.Stop) {
        var schedule = ReplaySchedule.passing()
        let action = schedule.ended(stop, hasSent: false, isKnownDown: true)
        #expect(action.wait != nil)
        #expect(schedule.hear(.networkLost) == .none)
        #expect(schedule.hear(.woke(1)) == .start)
    }

    // MARK: During a pass

    @Test func `counts for the next pass if it comes during one`() {
        for trigger: Trigger in [.call, .session(isOther: true)] {
            var schedule = ReplaySchedule.passing()
            _ = schedule.hear(trigger)
            #expect(schedule.fail() == .start, "\(trigger)")
            #expect(schedule.fail() == .wait(1, .seconds(2)), "\(trigger)")
        }
    }

    @Test func `counts of the same session only where that is what is waited for`() {
        for (stop, isWanted) in [
            (ReplaySchedule.Stop.unsettled, true), (.auth, false),
            (.unanswered(retryAfter: nil), false),
        ] {
            var schedule = ReplaySchedule.passing()
            // A pass asks for tokens itself, which is heard as a change of the session.
            _ = schedule.hear(.session(isOther: false))
            let action = schedule.ended(stop, hasSent: false, isKnownDown: false)
            #expect((action == .start) == isWanted, "\(stop)")
        }
    }

    @Test func `does not count for the next pass if it is behind the writes of this one`() {
        for trigger: Trigger in [.newWrite, .opening, .woke(1)] {
            var schedule = ReplaySchedule.passing()
            _ = schedule.hear(trigger)
            #expect(schedule.fail() == .wait(1, .seconds(1)), "\(trigger)")
        }
    }

    @Test func `is forgotten after a pass that was through`() {
        var schedule = ReplaySchedule.passing()
        _ = schedule.hear(.call)
        #expect(schedule.ended(nil, hasSent: true, isKnownDown: false) == .none)
        _ = schedule.hear(.newWrite)
        #expect(schedule.fail() == .wait(1, .seconds(1)))
    }

    @Test func `does not come before other devices if the network came back during a pass`() {
        var schedule = ReplaySchedule.passing(.highest)
        _ = schedule.hear(.networkLost)
        _ = schedule.hear(.networkBack)
        #expect(schedule.fail() == .wait(1, .seconds(2)))
        #expect(schedule.hear(.woke(1)) == .start)
        _ = schedule.hear(.networkBack)
        _ = schedule.hear(.call)
        #expect(schedule.fail() == .start)
    }

    @Test func `counts no more once the network is lost again`() {
        var schedule = ReplaySchedule.passing()
        _ = schedule.hear(.networkBack)
        _ = schedule.hear(.networkLost)
        let stop = ReplaySchedule.Stop.unanswered(retryAfter: nil)
        #expect(schedule.ended(stop, hasSent: false, isKnownDown: true) == .none)
        #expect(schedule.phase == .blocked(stop))
    }

    @Test func `spends no attempt during a pass that it would not spend after it`() {
        for trigger: Trigger in [.networkBack, .session(isOther: false)] {
            var schedule = ReplaySchedule.passing()
            _ = schedule.hear(trigger)
            #expect(schedule.fail(.reload(1)) == .wait(1, .seconds(5)), "\(trigger)")
        }
    }

    @Test func `does not go on with what is being ended`() {
        var schedule = ReplaySchedule.passing()
        _ = schedule.hear(.call)
        #expect(schedule.fail(.halted) == .none)
        #expect(schedule.phase == .blocked(.halted))
    }

    // MARK: Without autoSync

    @Test func `is only a call or a new write, where the app wants to be asked`() {
        for trigger: Trigger in [
            .opening, .networkBack, .session(isOther: false), .session(isOther: true), .woke(0),
            .networkLost,
        ] {
            var schedule = ReplaySchedule(isAutomatic: false, random: .lowest)
            #expect(schedule.hear(trigger) == .none, "\(trigger)")
            #expect(schedule.phase == .idle, "\(trigger)")
        }
        for trigger: Trigger in [.newWrite, .call] {
            var schedule = ReplaySchedule(isAutomatic: false, random: .lowest)
            #expect(schedule.hear(trigger) == .start, "\(trigger)")
        }
    }

    @Test func `is no wait, where the app wants to be asked`() {
        for stop in Self.waits {
            var schedule = ReplaySchedule.passing(isAutomatic: false)
            #expect(schedule.fail(stop) == .none, "\(stop)")
            #expect(schedule.phase == .blocked(stop))
            #expect(schedule.hear(.networkBack) == .none, "\(stop)")
            #expect(schedule.hear(.call) == .start, "\(stop)")
        }
        var schedule = ReplaySchedule.passing(isAutomatic: false)
        _ = schedule.fail()
        #expect(schedule.hear(.newWrite) == .start)
    }
}
