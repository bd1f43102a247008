import OfflineTesting

/// What the app knows of its session.
enum SimulatedSession: Equatable {
    case restoring(String?)
    case user(String)
    case nobody
    case failing(String)

    /// Whose rows the device may show, the visitor's being `public`; nil is nobody's.
    var shown: String? {
        switch self {
        case .restoring(let name): name
        case .user(let name), .failing(let name): name
        case .nobody: "public"
        }
    }

    /// Whose rows the server may show.
    ///
    /// It shows what is public to those who bring no token.
    var answered: [String] {
        switch self {
        case .restoring(let name): ["public"] + [name].compactMap(\.self)
        case .user(let name), .failing(let name): [name]
        case .nobody: ["public"]
        }
    }
}

extension SimulatedSession {
    /// Whether it says who the user is, or that there is none.
    fileprivate var isSettled: Bool {
        switch self {
        case .user, .nobody: true
        case .restoring, .failing: false
        }
    }
}

/// The sessions of which a client was told, and when.
struct SessionHistory {
    private struct Period {
        let session: SimulatedSession
        let start: ManualClock.Instant
        /// When the client was told of it last.
        var confirmed: ManualClock.Instant
    }

    private var periods: [Period] = []
    /// Whether what is told at one instant can count in another order than that of the telling:
    /// answers to overlapping questions count in the order of the questions.
    private let isAsked: Bool

    init(isAsked: Bool) { self.isAsked = isAsked }

    /// Notes that the client is told of a session.
    mutating func tell(_ session: SimulatedSession, at now: ManualClock.Instant) {
        if periods.last?.session == session {
            periods[periods.count - 1].confirmed = now
        } else {
            periods.append(Period(session: session, start: now, confirmed: now))
        }
    }

    /// The sessions of an instant: one, but where it changed at that very instant.
    func sessions(at now: ManualClock.Instant) -> [SimulatedSession] {
        places(at: now).map { periods[$0].session }
    }

    /// The settled sessions of an instant, each by its place among all: one that comes back is
    /// another.
    func settledPlaces(at now: ManualClock.Instant) -> Set<Int> {
        Set(places(at: now).filter { periods[$0].session.isSettled })
    }

    private func places(at now: ManualClock.Instant) -> [Int] {
        periods.indices.filter { place in
            let period = periods[place]
            let next = periods[(place + 1)...].first { !isAsked || $0.start > period.confirmed }
            return period.start <= now && now <= next?.start ?? now
        }
    }
}
