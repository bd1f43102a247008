@testable import OfflineCore

extension ReplaySchedule {
    static func automatic(_ random: RandomSource = .lowest) -> ReplaySchedule {
        ReplaySchedule(isAutomatic: true, random: random)
    }

    /// A schedule whose first pass is under way.
    static func passing(
        _ random: RandomSource = .lowest, isAutomatic: Bool = true
    ) -> ReplaySchedule {
        var schedule = ReplaySchedule(isAutomatic: isAutomatic, random: random)
        _ = schedule.hear(.newWrite)
        return schedule
    }

    /// Ends the pass, which has to stop.
    mutating func fail(
        _ stop: Stop = .unanswered(retryAfter: nil), hasSent: Bool = false
    ) -> Action {
        ended(stop, hasSent: hasSent, isKnownDown: false)
    }

    /// Lets the wait be over.
    mutating func wake() {
        guard case .waiting(let number, _) = phase else { return }
        _ = hear(.woke(number))
    }

    mutating func wakeAndFail(
        _ stop: Stop = .unanswered(retryAfter: nil), hasSent: Bool = false
    ) -> Action {
        wake()
        return fail(stop, hasSent: hasSent)
    }
}

extension ReplaySchedule.Action {
    /// A wait of a number and a length.
    static func wait(_ number: Int, _ length: Duration) -> Self { .sleep(number, length) }

    /// How long to wait, if that is to be done.
    var wait: Duration? { if case .sleep(_, let wait) = self { wait } else { nil } }
}

extension RandomSource {
    /// Draws the least number again and again.
    ///
    /// That is not zero, in whose place another number would be asked for, for ever.
    static let lowest = RandomSource { 1 }
    /// Draws the greatest number again and again.
    static let highest = RandomSource { .max }
}
