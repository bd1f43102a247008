import Testing

@testable import OfflineCore

@Suite("A read's plan", .timeLimit(.minutes(5)))
struct ReadPlanTests {
    private static let cached: [ReadPlan.Cached] = [.none, .tooOld, .usable(isStale: false)]

    private func plan(
        _ source: ReadStrategy.Source, _ cached: ReadPlan.Cached, canAsk: Bool = true,
        isKnownDown: Bool = false, isRetried: Bool = true
    ) -> ReadPlan {
        ReadPlan(
            source, cached: cached, canAsk: canAsk, isKnownDown: isKnownDown, isRetried: isRetried)
    }

    @Test func `cacheOnly never asks`() {
        for canAsk in [true, false] {
            #expect(plan(.cacheOnly, .none, canAsk: canAsk) == .miss)
            #expect(plan(.cacheOnly, .tooOld, canAsk: canAsk) == .miss)
            #expect(plan(.cacheOnly, .usable(isStale: false), canAsk: canAsk) == .serve)
        }
    }

    @Test func `cacheFirst asks only without a list that may be served`() {
        #expect(plan(.cacheFirst, .usable(isStale: false)) == .serve)
        #expect(plan(.cacheFirst, .none) == .ask(.all, isWarm: false))
        #expect(plan(.cacheFirst, .tooOld) == .ask(.all, isWarm: false))
    }

    @Test func `cacheFirst asks once more for a stale list, and serves it without a token`() {
        #expect(plan(.cacheFirst, .usable(isStale: true)) == .ask(.none, isWarm: true))
        #expect(plan(.cacheFirst, .usable(isStale: true), canAsk: false) == .serve)
        #expect(plan(.cacheOnly, .usable(isStale: true)) == .serve)
    }

    @Test func `networkFirst asks, and falls back once on a list that may be served`() {
        #expect(plan(.networkFirst, .usable(isStale: false)) == .ask(.whenBusy, isWarm: true))
        #expect(plan(.networkFirst, .none) == .ask(.all, isWarm: false))
        #expect(plan(.networkFirst, .tooOld) == .ask(.all, isWarm: false))
    }

    @Test(arguments: cached)
    func `networkOnly asks whatever the device has`(_ cached: ReadPlan.Cached) {
        #expect(plan(.networkOnly, cached) == .ask(.all, isWarm: false))
    }

    @Test func `without the user's token only the device can answer`() {
        #expect(plan(.cacheFirst, .usable(isStale: false), canAsk: false) == .serve)
        #expect(plan(.cacheFirst, .none, canAsk: false) == .expired)
        #expect(plan(.networkFirst, .usable(isStale: false), canAsk: false) == .expired)
        #expect(plan(.networkOnly, .usable(isStale: false), canAsk: false) == .expired)
    }

    @Test func `known down, or with retries off, a request is sent once`() {
        for source: ReadStrategy.Source in [.networkOnly, .networkFirst, .cacheFirst] {
            for cached in [ReadPlan.Cached.none, .tooOld] {
                #expect(plan(source, cached, isKnownDown: true) == .ask(.none, isWarm: false))
                #expect(plan(source, cached, isRetried: false) == .ask(.none, isWarm: false))
            }
        }
        #expect(
            plan(.networkFirst, .usable(isStale: false), isKnownDown: true)
                == .ask(.none, isWarm: true))
    }
}

@Suite("The retry schedule", .timeLimit(.minutes(5)))
struct RetryScheduleTests {
    @Test func `waits 1, 2 and 4 seconds and then gives up`() {
        for failure: RetrySchedule.Failure in [.outOfReach, .busy(retryAfter: nil)] {
            var schedule = RetrySchedule(.all)
            #expect(schedule.wait(after: failure) == .seconds(1))
            #expect(schedule.wait(after: failure) == .seconds(2))
            #expect(schedule.wait(after: failure) == .seconds(4))
            #expect(schedule.wait(after: failure) == nil)
            #expect(schedule.retries == 3)
        }
    }

    @Test func `waits as long as a busy server asks, up to 30 seconds`() {
        var schedule = RetrySchedule(.all)
        #expect(schedule.wait(after: .busy(retryAfter: .seconds(30))) == .seconds(30))
        #expect(schedule.wait(after: .busy(retryAfter: .seconds(31))) == .seconds(2))
        #expect(schedule.wait(after: .busy(retryAfter: .zero)) == .zero)
    }

    @Test func `where the device can answer, only a busy server is asked again`() {
        var schedule = RetrySchedule(.whenBusy)
        #expect(schedule.wait(after: .busy(retryAfter: nil)) == .seconds(1))
        #expect(schedule.wait(after: .outOfReach) == nil)
    }

    @Test func `can be switched off`() {
        var schedule = RetrySchedule(.none)
        #expect(schedule.wait(after: .busy(retryAfter: .zero)) == nil)
        #expect(schedule.wait(after: .outOfReach) == nil)
    }
}
