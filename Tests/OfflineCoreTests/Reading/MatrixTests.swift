import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

/// What each strategy does under each condition, cell by cell.
///
/// A cell is what the read comes to and how many requests it sends; four of them mean that the waits
/// of 1, 2 and 4 seconds have passed. The limit of age is a minute.
@Suite("The matrix", .timeLimit(.minutes(5)))
struct MatrixTests {
    private static let maxAge = Duration.seconds(60)

    /// What the device has.
    enum List: String, CaseIterable, Sendable {
        /// Nothing.
        case cold
        /// A list within the limit of age.
        case warm
        /// One within it that is marked stale.
        case stale
        /// One older than the limit of age.
        case old
    }

    /// What the network, the server and the app's session do.
    enum Condition: String, Sendable {
        case online
        case offline
        case knownDown = "known to be down"
        case wronglyDown = "wrongly said to be down"
        case portal = "behind a sign-in page"
        case tokenless = "without the user's token"
        case signedOut = "signed out"
        case refused = "refused with 404"
        case broken = "failing with 500"
        case busy = "busy with 503"
        case unknown = "unknown error 520"
        case busyThenOffline = "busy with 503, then offline"
    }

    enum Outcome: Equatable {
        /// The server's rows.
        case server
        /// The device's.
        case device
        case miss
        /// A failure of the network.
        case failure
        /// The server's refusal.
        case refusal
        /// The user's token can't be had.
        case expired
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let condition: Condition
        let source: ReadStrategy.Source
        let list: List
        let outcome: Outcome
        let requests: Int

        var testDescription: String { "\(condition.rawValue): \(source), \(list.rawValue)" }

        fileprivate var strategy: ReadStrategy {
            switch source {
            case .networkOnly: .networkOnly
            case .networkFirst: .networkFirst(maxAge: maxAge)
            case .cacheFirst: .cacheFirst(maxAge: maxAge)
            case .cacheOnly: .cacheOnly(maxAge: maxAge)
            }
        }
    }

    private typealias Row = [(Outcome, Int)]

    /// For each condition and list: networkOnly, networkFirst, cacheFirst, cacheOnly.
    private static let rows: [(Condition, List, Row)] = [
        (.online, .cold, [(.server, 1), (.server, 1), (.server, 1), (.miss, 0)]),
        (.online, .warm, [(.server, 1), (.server, 1), (.device, 0), (.device, 0)]),
        (.online, .stale, [(.server, 1), (.server, 1), (.server, 1), (.device, 0)]),
        (.online, .old, [(.server, 1), (.server, 1), (.server, 1), (.miss, 0)]),

        (.offline, .cold, [(.failure, 4), (.failure, 4), (.failure, 4), (.miss, 0)]),
        (.offline, .warm, [(.failure, 4), (.device, 1), (.device, 0), (.device, 0)]),
        (.offline, .stale, [(.failure, 4), (.device, 1), (.device, 1), (.device, 0)]),
        (.offline, .old, [(.failure, 4), (.failure, 4), (.failure, 4), (.miss, 0)]),

        (.knownDown, .cold, [(.failure, 1), (.failure, 1), (.failure, 1), (.miss, 0)]),
        (.knownDown, .warm, [(.failure, 1), (.device, 1), (.device, 0), (.device, 0)]),
        (.knownDown, .stale, [(.failure, 1), (.device, 1), (.device, 1), (.device, 0)]),
        (.knownDown, .old, [(.failure, 1), (.failure, 1), (.failure, 1), (.miss, 0)]),

        (.wronglyDown, .cold, [(.server, 1), (.server, 1), (.server, 1), (.miss, 0)]),
        (.wronglyDown, .warm, [(.server, 1), (.server, 1), (.device, 0), (.device, 0)]),
        (.wronglyDown, .stale, [(.server, 1), (.server, 1), (.server, 1), (.device, 0)]),
        (.wronglyDown, .old, [(.server, 1), (.server, 1), (.server, 1), (.miss, 0)]),

        (.portal, .cold, [(.failure, 4), (.failure, 4), (.failure, 4), (.miss, 0)]),
        (.portal, .warm, [(.failure, 4), (.device, 1), (.device, 0), (.device, 0)]),
        (.portal, .stale, [(.failure, 4), (.device, 1), (.device, 1), (.device, 0)]),
        (.portal, .old, [(.failure, 4), (.failure, 4), (.failure, 4), (.miss, 0)]),

        (.tokenless, .cold, [(.expired, 0), (.expired, 0), (.expired, 0), (.miss, 0)]),
        (.tokenless, .warm, [(.expired, 0), (.expired, 0), (.device, 0), (.device, 0)]),
        (.tokenless, .stale, [(.expired, 0), (.expired, 0), (.device, 0), (.device, 0)]),
        (.tokenless, .old, [(.expired, 0), (.expired, 0), (.expired, 0), (.miss, 0)]),

        // The user's list is nobody's now; the visitor has none.
        (.signedOut, .cold, [(.server, 1), (.server, 1), (.server, 1), (.miss, 0)]),
        (.signedOut, .warm, [(.server, 1), (.server, 1), (.server, 1), (.miss, 0)]),
        (.signedOut, .stale, [(.server, 1), (.server, 1), (.server, 1), (.miss, 0)]),
        (.signedOut, .old, [(.server, 1), (.server, 1), (.server, 1), (.miss, 0)]),

        (.refused, .cold, [(.refusal, 1), (.refusal, 1), (.refusal, 1), (.miss, 0)]),
        (.refused, .warm, [(.refusal, 1), (.refusal, 1), (.device, 0), (.device, 0)]),
        (.refused, .stale, [(.refusal, 1), (.refusal, 1), (.refusal, 1), (.device, 0)]),
        (.refused, .old, [(.refusal, 1), (.refusal, 1), (.refusal, 1), (.miss, 0)]),

        (.broken, .cold, [(.refusal, 1), (.refusal, 1), (.refusal, 1), (.miss, 0)]),
        (.broken, .warm, [(.refusal, 1), (.refusal, 1), (.device, 0), (.device, 0)]),
        (.broken, .stale, [(.refusal, 1), (.refusal, 1), (.refusal, 1), (.device, 0)]),
        (.broken, .old, [(.refusal, 1), (.refusal, 1), (.refusal, 1), (.miss, 0)]),

        (.busy, .cold, [(.refusal, 4), (.refusal, 4), (.refusal, 4), (.miss, 0)]),
        (.busy, .warm, [(.refusal, 4), (.refusal, 4), (.device, 0), (.device, 0)]),
        (.busy, .stale, [(.refusal, 4), (.refusal, 4), (.refusal, 1), (.device, 0)]),
        (.busy, .old, [(.refusal, 4), (.refusal, 4), (.refusal, 4), (.miss, 0)]),

        (.unknown, .cold, [(.refusal, 4), (.refusal, 4), (.refusal, 4), (.miss, 0)]),
        (.unknown, .warm, [(.refusal, 4), (.refusal, 4), (.device, 0), (.device, 0)]),
        (.unknown, .stale, [(.refusal, 4), (.refusal, 4), (.refusal, 1), (.device, 0)]),
        (.unknown, .old, [(.refusal, 4), (.refusal, 4), (.refusal, 4), (.miss, 0)]),

        (.busyThenOffline, .cold, [(.failure, 4), (.failure, 4), (.failure, 4), (.miss, 0)]),
        (.busyThenOffline, .warm, [(.failure, 4), (.device, 2), (.device, 0), (.device, 0)]),
        (.busyThenOffline, .stale, [(.failure, 4), (.device, 2), (.refusal, 1), (.device, 0)]),
        (.busyThenOffline, .old, [(.failure, 4), (.failure, 4), (.failure, 4), (.miss, 0)]),
    ]

    static let cells = rows.flatMap { condition, list, row in
        zip([.networkOnly, .networkFirst, .cacheFirst, .cacheOnly], row).map { source, cell in
            Cell(
                condition: condition, source: source, list: list, outcome: cell.0,
                requests: cell.1)
        }
    }

    @Test(arguments: cells)
    func `holds`(_ cell: Cell) throws {
        let source = TokenSource(.token(token(for: "ada")))
        let connectivity = ConnectivitySwitch()
        try World.run(configure: {
            $0.accessToken = source.closure
            $0.networkAvailability = connectivity.signal
            // So that a long answer can make a list stale.
            $0.cacheSize = .bytes(0)
        }) { world in
            try await world.lay(cell.list)
            await world.meet(cell.condition, source, connectivity)
            let (before, start) = (world.network.requests.count, world.elapsed)
            let read = await Result { try await world.tasks(cell.strategy).execute() }
            #expect(try Outcome(read) == cell.outcome)
            #expect(world.network.requests.count - before == cell.requests)
            let waits: [Duration] = [.zero, .zero, .seconds(1), .seconds(3), .seconds(7)]
            #expect(world.elapsed - start == waits[cell.requests])
            if case .success(let response) = read {
                try await world.checkProvenance(of: response, cell.list)
            }
        }
    }
}

extension MatrixTests.Outcome {
    fileprivate init(_ read: Result<OfflineResponse<Void>, any Error>) throws {
        do {
            self = try read.get().isFromCache ? .device : .server
        } catch let error as OfflineError {
            switch error.reason {
            case .cacheMiss: self = .miss
            case .connectivity: self = .failure
            case .server: self = .refusal
            case .sessionExpired: self = .expired
            default: throw error
            }
        }
    }
}

extension World {
    /// Lets the device have a list, or none.
    fileprivate func lay(_ list: MatrixTests.List) async throws {
        guard list != .cold else {
            // The client knows its user all the same.
            network.answer(json: "[]")
            try await client.from("notes").select().execute()
            return
        }
        try await keep(#"[{"id":1}]"#, list)
    }

    /// Brings a condition about.
    fileprivate func meet(
        _ condition: MatrixTests.Condition, _ source: TokenSource,
        _ connectivity: ConnectivitySwitch
    ) async {
        let rows = #"[{"id":2}]"#
        switch condition {
        case .online: network.answer(json: rows)
        case .offline: network.setDown(true)
        case .knownDown, .wronglyDown:
            connectivity.isAvailable = false
            for await status in client.connectivity.updates where status == .unavailable { break }
            if condition == .wronglyDown { network.answer(json: rows) }
        case .portal:
            for _ in 0..<4 {
                network.answer(headers: ["Content-Type": "text/html"], json: "<html>")
            }
        case .tokenless: await source.say(.failure)
        case .signedOut:
            await source.say(.noToken)
            network.answer(json: rows)
        case .refused: network.answer(status: 404, json: #"{"code":"42P01","message":"m"}"#)
        case .broken: network.answer(status: 500, json: #"{"code":"XX000","message":"m"}"#)
        case .busy, .unknown:
            for _ in 0..<4 {
                network.answer(
                    status: condition == .busy ? 503 : 520, json: #"{"message":"m"}"#)
            }
        case .busyThenOffline: network.answer(status: 503, json: #"{"message":"m"}"#)
        }
    }

    /// Checks that an answer says truly where it came from, and that a server's is kept.
    fileprivate func checkProvenance(
        of response: OfflineResponse<Void>, _ list: MatrixTests.List
    ) async throws {
        #expect(response.text == (response.isFromCache ? #"[{"id":1}]"# : #"[{"id":2}]"#))
        #expect(response.isStale == (response.isFromCache && list == .stale))
        #expect(try #require(response.fetchedAt) <= clock.date)
        guard !response.isFromCache else { return }
        let kept = try await tasks(.cacheOnly).execute()
        #expect(kept.text == response.text)
        #expect(kept.fetchedAt == response.fetchedAt)
    }
}
