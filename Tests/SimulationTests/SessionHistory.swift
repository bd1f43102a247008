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

/// The sessions of which a client was told, and when.
struct SessionHistory {
    private var told: [(session: SimulatedSession, since: ManualClock.Instant)] = []
    /// Whether what is told at one instant can count in another order than that of the telling:
    /// answers to overlapping questions count in the order of the questions.
    private let isAsked: Bool

    init(isAsked: Bool) { self.isAsked = isAsked }

    /// Notes that the client is told of a session.
    mutating func tell(_ session: SimulatedSession, at now: ManualClock.Instant) {
        if told.last?.session != session { told.append((session, now)) }
    }

    /// The sessions of an instant: one, but where it changed at that very instant.
    func sessions(at now: ManualClock.Instant) -> [SimulatedSession] {
        told.indices.filter { index in
            let next = told[(index + 1)...].first { !isAsked || $0.since > told[index].since }
            return told[index].since <= now && now <= next?.since ?? now
        }.map { told[$0].session }
    }
}
