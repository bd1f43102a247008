/// Decides when a failed read is sent again: three times, after 1, 2 and 4 seconds.
///
/// The schedule, the statuses and the header `X-Retry-Count` are supabase-swift's; a `Retry-After`
/// of up to 30 seconds takes the place of the wait. A read is the same whenever it is sent, so
/// nothing can go wrong by repeating it.
struct RetrySchedule: Equatable {
    enum Failure: Equatable {
        /// No answer came, or none of the server's.
        case outOfReach
        /// The server answered 503 or 520.
        case busy(retryAfter: Duration?)
    }

    /// The statuses that say: later.
    static let busyStatuses: Set<Int> = [503, 520]
    private static let limit = 3
    private static let longestRetryAfter = Duration.seconds(30)

    private let allowance: RetryAllowance
    /// How often the request was sent again.
    private(set) var retries = 0

    init(_ allowance: RetryAllowance) { self.allowance = allowance }

    /// The wait before the next attempt, or nil if there is to be none.
    mutating func wait(after failure: Failure) -> Duration? {
        guard retries < Self.limit else { return nil }
        let asked: Duration?
        switch (allowance, failure) {
        case (.none, _), (.whenBusy, .outOfReach): return nil
        case (.all, .outOfReach): asked = nil
        case (.all, .busy(let retryAfter)), (.whenBusy, .busy(let retryAfter)): asked = retryAfter
        }
        defer { retries += 1 }
        if let asked, asked <= Self.longestRetryAfter { return asked }
        return .seconds(1 << retries)
    }
}

extension HTTPHeaders {
    /// The wait that a busy server asks for, in whole seconds as PostgREST gives it.
    var retryAfter: Duration? {
        guard let seconds = self["Retry-After"].flatMap({ Int64($0) }), seconds >= 0 else {
            return nil
        }
        return .seconds(seconds)
    }
}
