/// Decides how a read goes about it, before anything is sent.
///
/// Pure: one switch over what was asked for and what the device has.
enum ReadPlan: Equatable {
    /// Answer from the device, without a request.
    case serve
    /// Ask the server; where the read is warm, the device answers if it is out of reach.
    case ask(RetryAllowance, isWarm: Bool)
    /// The device has nothing that may be served, and nothing may be sent.
    case miss
    /// Without the user's token nothing is sent, and the device has nothing that may be served.
    case expired

    /// What the device has of the list.
    enum Cached: Equatable {
        case none
        case tooOld
        case usable(isStale: Bool)
    }

    /// - Parameters:
    ///   - source: What was asked for.
    ///   - cached: What the device has of the list.
    ///   - canAsk: Whether a request can go out: the user's token is to be had, or not needed.
    ///   - isKnownDown: Whether the signal of connectivity says that there is no network.
    ///   - isRetried: Whether the app leaves retries on.
    init(
        _ source: ReadStrategy.Source, cached: Cached, canAsk: Bool, isKnownDown: Bool,
        isRetried: Bool
    ) {
        let retries: RetryAllowance = isKnownDown || !isRetried ? .none : .all
        switch (source, cached, canAsk) {
        case (.cacheOnly, .usable, _), (.cacheFirst, .usable(isStale: false), _),
            (.cacheFirst, .usable, false):
            self = .serve
        case (.cacheFirst, .usable(isStale: true), true):
            // Once: the rows that are there are only a little wrong.
            self = .ask(.none, isWarm: true)
        case (.cacheOnly, .none, _), (.cacheOnly, .tooOld, _):
            self = .miss
        case (.cacheFirst, _, false), (.networkFirst, _, false), (.networkOnly, _, false):
            self = .expired
        case (.networkFirst, .usable, true):
            self = .ask(retries == .all ? .whenBusy : .none, isWarm: true)
        case (.networkFirst, _, true), (.cacheFirst, _, true), (.networkOnly, _, true):
            self = .ask(retries, isWarm: false)
        }
    }
}

/// After which failures a request is sent again.
enum RetryAllowance: Equatable {
    /// After none.
    case none
    /// Only if the server says that it is busy: the device can answer for one out of reach.
    case whenBusy
    /// Also if the server was out of reach.
    case all
}
