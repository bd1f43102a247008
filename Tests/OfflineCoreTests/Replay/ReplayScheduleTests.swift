import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("When the queue is sent", .timeLimit(.minutes(5)))
struct ReplayScheduleTests {
    private typealias Stop = ReplaySchedule.Stop

    // MARK: Starting

    @Test(arguments: [
        ReplaySchedule.Trigger.opening, .newWrite, .call, .session(isOther: false),
        .session(isOther: true),
    ])
    func `starts from rest`(_ trigger: ReplaySchedule.Trigger) {
        var schedule = ReplaySchedule.automatic()
        #expect(schedule.hear(trigger) == .start)
        #expect(schedule.phase == .passing)
    }

    @Test func `is one pass at a time`() {
        var schedule = ReplaySchedule.passing()
        for trigger: ReplaySchedule.Trigger in [
            .opening, .newWrite, .call, .networkBack, .networkLost, .session(isOther: true),
            .woke(1),
        ] { #expect(schedule.hear(trigger) == .none) }
        #expect(schedule.phase == .passing)
    }

    @Test func `rests after a pass that was through`() {
        var schedule = ReplaySchedule.passing()
        #expect(schedule.ended(nil, hasSent: true, isKnownDown: false) == .none)
        #expect(schedule.phase == .idle)
        #expect(schedule.hear(.woke(1)) == .none)
    }

    // MARK: Waiting

    @Test func `waits longer after each failure, up to a minute`() {
        var schedule = ReplaySchedule.passing()
        #expect(schedule.fail() == .wait(1, .seconds(1)))
        #expect(schedule.wakeAndFail() == .wait(2, .seconds(2)))
        #expect(schedule.wakeAndFail() == .wait(3, .seconds(4)))
        #expect(schedule.wakeAndFail() == .wait(4, .seconds(8)))
        #expect(schedule.wakeAndFail() == .wait(5, .seconds(16)))
        #expect(schedule.wakeAndFail() == .wait(6, .seconds(32)))
        #expect(schedule.wakeAndFail() == .wait(7, .seconds(60)))
        #expect(schedule.wakeAndFail() == .wait(8, .seconds(60)))
        #expect(schedule.attempt == 8)
    }

    @Test func `waits up to 30 percent longer`() {
        var schedule = ReplaySchedule.passing(.highest)
        #expect(schedule.fail() == .wait(1, .seconds(1) * 1.3))
        #expect(schedule.wakeAndFail() == .wait(2, .seconds(2) * 1.3))
        for _ in 0..<5 { _ = schedule.wakeAndFail() }
        #expect(schedule.wakeAndFail() == .wait(8, .seconds(60) * 1.3))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `waits anything between`(_ seed: UInt64) {
        var schedule = ReplaySchedule.passing(.seeded(seed))
        for second in [1, 2, 4, 8, 16, 32, 60, 60] {
            let wait = schedule.fail().wait ?? .zero
            #expect(wait >= .seconds(second) && wait <= .seconds(second) * 1.3)
            schedule.wake()
        }
    }

    @Test func `waits as long as the server says, but no more than an hour`() {
        var schedule = ReplaySchedule.passing(.highest)
        #expect(schedule.fail(.unanswered(retryAfter: .seconds(17))) == .wait(1, .seconds(17)))
        #expect(schedule.wakeAndFail(.unanswered(retryAfter: .zero)) == .wait(2, .zero))
        let week = Stop.unanswered(retryAfter: .seconds(604_800))
        #expect(schedule.wakeAndFail(week) == .wait(3, .seconds(3_600)))
        #expect(schedule.wakeAndFail() == .wait(4, .seconds(8) * 1.3))
    }

    @Test func `waits from the beginning after progress`() {
        var schedule = ReplaySchedule.passing()
        _ = schedule.fail()
        _ = schedule.wakeAndFail()
        #expect(schedule.wakeAndFail() == .wait(3, .seconds(4)))
        #expect(schedule.wakeAndFail(hasSent: true) == .wait(4, .seconds(1)))
        #expect(schedule.wakeAndFail() == .wait(5, .seconds(2)))
        schedule.wake()
        _ = schedule.ended(nil, hasSent: true, isKnownDown: false)
        _ = schedule.hear(.newWrite)
        #expect(schedule.fail() == .wait(6, .seconds(1)))
    }

    @Test func `waits for a token`() {
        var schedule = ReplaySchedule.passing(.highest)
        #expect(schedule.fail(.auth) == .wait(1, .seconds(5)))
        #expect(schedule.wakeAndFail(.auth) == .wait(2, .seconds(15)))
        #expect(schedule.wakeAndFail(.auth) == .wait(3, .seconds(60)))
        #expect(schedule.wakeAndFail(.auth) == .wait(4, .seconds(300)))
        #expect(schedule.wakeAndFail(.auth) == .wait(5, .seconds(300)))
    }

    @Test func `waits for a schema by how often it was tried, whatever else failed`() {
        var schedule = ReplaySchedule.passing(.highest)
        for _ in 0..<4 {
            _ = schedule.fail()
            schedule.wake()
        }
        #expect(schedule.fail(.reload(1)) == .wait(5, .seconds(5)))
        #expect(schedule.wakeAndFail(.reload(2)) == .wait(6, .seconds(15)))
        #expect(schedule.wakeAndFail(.reload(3)) == .wait(7, .seconds(40)))
    }

    @Test func `waits for a project that somebody has to mend, and for the disk`() {
        var schedule = ReplaySchedule.passing(.highest)
        #expect(schedule.fail(.hold) == .wait(1, .seconds(300)))
        #expect(schedule.wakeAndFail(.hold) == .wait(2, .seconds(300)))
        #expect(schedule.wakeAndFail(.storage) == .wait(3, .seconds(4) * 1.3))
    }

    @Test(arguments: [ReplaySchedule.Stop.unsettled, .identityChanged, .halted])
    func `waits for something to happen`(_ stop: ReplaySchedule.Stop) {
        var schedule = ReplaySchedule.passing()
        #expect(schedule.fail(stop) == .none)
        #expect(schedule.phase == .blocked(stop))
        #expect(schedule.hear(.session(isOther: true)) == .start)
    }

    @Test func `is over when its own wait is, and no other`() {
        var schedule = ReplaySchedule.passing()
        _ = schedule.fail()
        #expect(schedule.hear(.newWrite) == .start)
        #expect(schedule.fail() == .wait(2, .seconds(2)))
        #expect(schedule.hear(.woke(1)) == .none)
        #expect(schedule.hear(.woke(3)) == .none)
        #expect(schedule.hear(.woke(2)) == .start)
        #expect(schedule.hear(.woke(2)) == .none)
    }

    @Test func `is forgotten when nothing is left to send`() {
        var schedule = ReplaySchedule.passing()
        schedule.reset()
        #expect(schedule.phase == .passing)
        _ = schedule.fail()
        _ = schedule.wakeAndFail()
        schedule.reset()
        #expect((schedule.phase, schedule.attempt) == (.idle, 0))
        #expect(schedule.hear(.woke(2)) == .none)
        #expect(schedule.hear(.newWrite) == .start)
        #expect(schedule.fail() == .wait(3, .seconds(1)))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `makes few attempts in ten minutes without an answer`(_ seed: UInt64) {
        var schedule = ReplaySchedule.passing(.seeded(seed))
        var (time, attempts) = (Duration.zero, 1)
        while let wait = schedule.fail().wait, time + wait <= .seconds(600) {
            time += wait
            attempts += 1
            schedule.wake()
        }
        // At 0, 1, 3, 7, 15, 31 and 63 seconds, and then once a minute.
        #expect((12...15).contains(attempts))
    }
}
