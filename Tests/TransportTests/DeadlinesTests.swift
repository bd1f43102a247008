import OfflineCore
import Testing

@testable import Transport

@Suite("The deadlines of an exchange", .timeLimit(.minutes(5)))
struct DeadlinesTests {
    private let start = ContinuousClock.now

    private func deadlines(
        total: Duration? = nil, head: Duration? = nil, silence: Duration? = nil
    ) -> Deadlines {
        Deadlines(HTTPRequest.Limits(total: total, head: head, silence: silence), from: start)
    }

    private func after(_ milliseconds: Int) -> ContinuousClock.Instant {
        start + .milliseconds(milliseconds)
    }

    @Test func `without limits there are none`() {
        #expect(deadlines().next == nil)
        #expect(!deadlines().areOver(at: after(1_000_000_000)))
    }

    @Test func `a limit is reached to the millisecond, not before`() {
        let deadlines = deadlines(total: .milliseconds(250))
        #expect(!deadlines.areOver(at: after(249)))
        #expect(deadlines.areOver(at: after(250)))
    }

    @Test func `the earliest limit is the next`() {
        let deadlines = deadlines(
            total: .milliseconds(300), head: .milliseconds(200), silence: .milliseconds(100))
        #expect(deadlines.next == after(100))
    }

    @Test func `bytes put off the end of silence and nothing else`() {
        var deadlines = deadlines(total: .milliseconds(300), silence: .milliseconds(100))
        deadlines.bytesTravelled(at: after(90))
        #expect(deadlines.next == after(190))
        deadlines.bytesTravelled(at: after(250))
        #expect(deadlines.next == after(300))
    }

    @Test func `the limit of the head ends with the head`() {
        var deadlines = deadlines(total: .milliseconds(300), head: .milliseconds(100))
        deadlines.bytesTravelled(at: after(50))
        #expect(deadlines.next == after(100))
        deadlines.headArrived(at: after(60))
        #expect(deadlines.next == after(300))
    }

    @Test func `the head breaks the silence`() {
        var deadlines = deadlines(silence: .milliseconds(100))
        deadlines.headArrived(at: after(60))
        #expect(deadlines.next == after(160))
    }

    @Test func `no time at all is over at once`() {
        #expect(deadlines(total: .zero).areOver(at: start))
    }

    @Test(
        arguments: [
            (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
            (.seconds(2), 2000), (.milliseconds(-5), 0), (.nanoseconds(-1), 0),
            (.seconds(Int64.max), 1_000_000_000),
        ] as [(Duration, Int32)])
    func `waiting is rounded up to whole milliseconds`(_ wait: Duration, _ expected: Int32) {
        #expect(wait.roundedUpMilliseconds == expected)
    }
}
