import OfflineCore

/// The moments at which an exchange has taken too long.
///
/// Pure: it is told what travelled and when, and measures nothing itself.
struct Deadlines {
    typealias Instant = ContinuousClock.Instant

    private let total: Instant?
    private var head: Instant?
    private let silence: Duration?
    private var lastByte: Instant

    init(_ limits: HTTPRequest.Limits, from start: Instant) {
        total = limits.total.map(start.advanced(by:))
        head = limits.head.map(start.advanced(by:))
        silence = limits.silence
        lastByte = start
    }

    /// The next moment at which the exchange has to end unless something travels before.
    var next: Instant? {
        [total, head, silence.map(lastByte.advanced(by:))].compactMap(\.self).min()
    }

    /// Whether somebody has to tell when bytes travel.
    var countsSilence: Bool { silence != nil }

    func areOver(at now: Instant) -> Bool { next.map { $0 <= now } ?? false }

    mutating func bytesTravelled(at now: Instant) { lastByte = now }

    mutating func headArrived(at now: Instant) {
        head = nil
        lastByte = now
    }
}

extension Duration {
    /// This time in whole milliseconds, rounded up so that whoever waits never wakes too early.
    var roundedUpMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return Int32(seconds * 1000 + (attoseconds + perMillisecond - 1) / perMillisecond)
    }
}
