import OfflineTesting
import Testing

@testable import OfflineCore

/// What each strategy does in each state of the session, cell by cell.
///
/// Ada was signed in and has a list, or none. Then the app is started again, say, and her session is
/// in another state. A cell is what the read comes to, how many requests it sends and how long it
/// takes; the limit of age is a minute.
@Suite("The matrix of sessions", .timeLimit(.minutes(5)))
struct SessionMatrixTests {
    /// What the device has of Ada's.
    typealias List = MatrixTests.List

    enum Condition: String {
        case settlesAsUser = "restoring, and settles as the user"
        case settlesAsNobody = "restoring, and settles as nobody"
        case settlesAsOther = "restoring, and settles as another user"
        case settlesAsFailed = "restoring, and can't be renewed"
        case neverSettles = "restoring, and never settles"
        case nobodyStored = "restoring nobody, and never settles"
        case offline = "restoring, offline"
        case knownDown = "restoring, and the network is known to be down"
        case refreshFailed = "refresh failed"
        case refreshFailedOffline = "refresh failed, offline"
        case refreshFailedOfOther = "refresh failed, of another user"
        case signedOut = "signed out"
        case otherSignedIn = "another user is signed in"
        case refused = "signed in, with a token that is refused, and no other comes"
        case renewed = "signed in, with a token that is refused, and another comes"
    }

    enum Outcome: Equatable {
        /// What the server answers to a token.
        case users
        /// What it answers without one.
        case publics
        /// What the device has.
        case device
        case miss, failure, expired
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let condition: Condition
        let list: List
        let source: ReadStrategy.Source
        let outcome: Outcome
        let requests: Int
        let milliseconds: Int

        var testDescription: String { "\(condition.rawValue): \(source), \(list.rawValue)" }

        fileprivate var strategy: ReadStrategy {
            let maxAge = Duration.seconds(60)
            return switch source {
            case .networkOnly: .networkOnly
            case .networkFirst: .networkFirst(maxAge: maxAge)
            case .cacheFirst: .cacheFirst(maxAge: maxAge)
            case .cacheOnly: .cacheOnly(maxAge: maxAge)
            }
        }
    }

    private typealias Row = [(Outcome, Int, Int)]

    /// The rows of a condition under which the device's list is served as it would be without one: by
    /// `cacheFirst` if it is neither stale nor old, and by `cacheOnly` if it is not old.
    private static func asking(_ asked: (Outcome, Int, Int)) -> [(List, Row)] {
        let (device, miss): ((Outcome, Int, Int), (Outcome, Int, Int)) = (
            (.device, 0, 0), (.miss, 0, 0)
        )
        return [
            (.cold, [asked, asked, asked, miss]), (.warm, [asked, asked, device, device]),
            (.stale, [asked, asked, asked, device]), (.old, [asked, asked, asked, miss]),
        ]
    }

    /// The rows of a condition under which Ada's list is nobody's.
    private static func hidden(_ asked: (Outcome, Int, Int)) -> [(List, Row)] {
        List.allCases.map { ($0, [asked, asked, asked, (.miss, 0, 0)]) }
    }

    /// For each list: networkOnly, networkFirst, cacheFirst, cacheOnly.
    private static let rows: [(Condition, [(List, Row)])] = [
        (.settlesAsUser, asking((.users, 3, 500))),
        (.settlesAsNobody, asking((.publics, 3, 500))),
        (.settlesAsOther, asking((.users, 3, 500))),
        (
            .settlesAsFailed,
            [
                (
                    .cold,
                    [(.expired, 2, 500), (.expired, 2, 500), (.expired, 2, 500), (.miss, 0, 0)]
                ),
                (
                    .warm,
                    [(.expired, 2, 500), (.expired, 2, 500), (.device, 0, 0), (.device, 0, 0)]
                ),
                (
                    .stale,
                    [(.expired, 2, 500), (.expired, 2, 500), (.device, 2, 500), (.device, 0, 0)]
                ),
                (
                    .old,
                    [(.expired, 2, 500), (.expired, 2, 500), (.expired, 2, 500), (.miss, 0, 0)]
                ),
            ]
        ),
        (.neverSettles, asking((.publics, 4, 3_600))),
        (.nobodyStored, hidden((.publics, 4, 3_600))),
        (
            .offline,
            [
                (
                    .cold,
                    [
                        (.failure, 4, 7_000), (.failure, 4, 7_000), (.failure, 4, 7_000),
                        (.miss, 0, 0),
                    ]
                ),
                (.warm, [(.failure, 4, 7_000), (.device, 1, 0), (.device, 0, 0), (.device, 0, 0)]),
                (
                    .stale,
                    [(.failure, 4, 7_000), (.device, 1, 0), (.device, 1, 0), (.device, 0, 0)]
                ),
                (
                    .old,
                    [
                        (.failure, 4, 7_000), (.failure, 4, 7_000), (.failure, 4, 7_000),
                        (.miss, 0, 0),
                    ]
                ),
            ]
        ),
        (
            .knownDown,
            [
                (.cold, [(.failure, 1, 0), (.failure, 1, 0), (.failure, 1, 0), (.miss, 0, 0)]),
                (.warm, [(.failure, 1, 0), (.device, 1, 0), (.device, 0, 0), (.device, 0, 0)]),
                (.stale, [(.failure, 1, 0), (.device, 1, 0), (.device, 1, 0), (.device, 0, 0)]),
                (.old, [(.failure, 1, 0), (.failure, 1, 0), (.failure, 1, 0), (.miss, 0, 0)]),
            ]
        ),
        (.refreshFailed, failed), (.refreshFailedOffline, failed),
        (.refreshFailedOfOther, hidden((.expired, 0, 0))),
        (.signedOut, hidden((.publics, 1, 0))),
        (.otherSignedIn, hidden((.users, 1, 0))),
        (
            .refused,
            [
                (
                    .cold,
                    [
                        (.expired, 1, 10_000), (.expired, 1, 10_000), (.expired, 1, 10_000),
                        (.miss, 0, 0),
                    ]
                ),
                (
                    .warm,
                    [
                        (.expired, 1, 10_000), (.expired, 1, 10_000), (.device, 0, 0),
                        (.device, 0, 0),
                    ]
                ),
                (
                    .stale,
                    [
                        (.expired, 1, 10_000), (.expired, 1, 10_000), (.device, 1, 10_000),
                        (.device, 0, 0),
                    ]
                ),
                (
                    .old,
                    [
                        (.expired, 1, 10_000), (.expired, 1, 10_000), (.expired, 1, 10_000),
                        (.miss, 0, 0),
                    ]
                ),
            ]
        ),
        (.renewed, asking((.users, 2, 500))),
    ]

    /// Nothing is sent for one whose token can't be had, and the list is theirs all the same.
    private static let failed: [(List, Row)] = [
        (.cold, [(.expired, 0, 0), (.expired, 0, 0), (.expired, 0, 0), (.miss, 0, 0)]),
        (.warm, [(.expired, 0, 0), (.expired, 0, 0), (.device, 0, 0), (.device, 0, 0)]),
        (.stale, [(.expired, 0, 0), (.expired, 0, 0), (.device, 0, 0), (.device, 0, 0)]),
        (.old, [(.expired, 0, 0), (.expired, 0, 0), (.expired, 0, 0), (.miss, 0, 0)]),
    ]

    static let cells = rows.flatMap { condition, lists in
        lists.flatMap { list, row in
            zip([.networkOnly, .networkFirst, .cacheFirst, .cacheOnly], row).map { source, cell in
                Cell(
                    condition: condition, list: list, source: source, outcome: cell.0,
                    requests: cell.1, milliseconds: cell.2)
            }
        }
    }

    @Test(arguments: cells)
    func `holds`(_ cell: Cell) throws {
        let session = SessionSwitch(.signedIn(userID: "ada", accessToken: token(for: "ada")))
        let connectivity = ConnectivitySwitch()
        try World.run(configure: {
            $0.sessionStates = session.states
            $0.networkAvailability = connectivity.signal
            // So that a long answer can make a list stale.
            $0.cacheSize = .bytes(0)
        }) { world in
            await world.waitForSession { $0.isSettled }
            try await world.lay(cell.list)
            await world.meet(cell, session, connectivity)
            let (before, start) = (world.network.requests.count, world.elapsed)
            let read = await Result { try await world.tasks(cell.strategy).execute() }
            #expect(try Outcome(read) == cell.outcome)
            #expect(world.network.requests.count - before == cell.requests)
            #expect(world.elapsed - start == .milliseconds(cell.milliseconds))
            if cell.outcome == .users {
                let last = try #require(world.network.requests.last)
                #expect(last.headers["Authorization"] != nil)
            }
            // What is not settled when it answers is not kept.
            guard case .success(let response) = read, !response.isFromCache else { return }
            let kept = await Result { try await world.tasks(.cacheOnly).execute().text }
            let isKept = (try? kept.get()) == response.text
            #expect(isKept == (cell.condition != .neverSettles && cell.condition != .nobodyStored))
        }
    }
}

extension SessionMatrixTests.Outcome {
    fileprivate init(_ read: Result<OfflineResponse<Void>, any Error>) throws {
        do {
            let response = try read.get()
            self =
                switch response.text {
                case World.publicRows: .publics
                case World.usersRows: .users
                default: .device
                }
            #expect(response.isFromCache == (self == .device))
        } catch let error as OfflineError {
            switch error.reason {
            case .cacheMiss: self = .miss
            case .connectivity: self = .failure
            case .sessionExpired: self = .expired
            default: throw error
            }
        }
    }
}

extension World {
    fileprivate static let publicRows = #"[{"id":"public"}]"#
    fileprivate static let usersRows = #"[{"id":"user"}]"#

    /// Lets the device have a list of Ada's, or none.
    fileprivate func lay(_ list: SessionMatrixTests.List) async throws {
        guard list != .cold else { return }
        try await keep(#"[{"id":"saved"}]"#, list)
    }

    /// Brings a condition about.
    fileprivate func meet(
        _ cell: SessionMatrixTests.Cell, _ session: SessionSwitch,
        _ connectivity: ConnectivitySwitch
    ) async {
        switch cell.condition {
        case .settlesAsUser:
            await enter(.restoring(storedUserID: "ada"), session)
            later(.signedIn(userID: "ada", accessToken: token(for: "ada")), session)
        case .settlesAsOther:
            await enter(.restoring(storedUserID: "ada"), session)
            later(.signedIn(userID: "grace", accessToken: token(for: "grace")), session)
        case .settlesAsNobody:
            await enter(.restoring(storedUserID: "ada"), session)
            later(.signedOut, session)
        case .settlesAsFailed:
            await enter(.restoring(storedUserID: "ada"), session)
            later(.refreshFailed(userID: "ada"), session)
        case .neverSettles: await enter(.restoring(storedUserID: "ada"), session)
        case .nobodyStored: await enter(.restoring(storedUserID: nil), session)
        case .offline, .knownDown:
            await enter(.restoring(storedUserID: "ada"), session)
            network.setDown(true)
            guard cell.condition == .knownDown else { return }
            connectivity.isAvailable = false
            for await status in client.connectivity.updates where status == .unavailable { break }
        case .refreshFailed: await enter(.refreshFailed(userID: "ada"), session)
        case .refreshFailedOffline:
            await enter(.refreshFailed(userID: "ada"), session)
            network.setDown(true)
        case .refreshFailedOfOther: await enter(.refreshFailed(userID: "grace"), session)
        case .signedOut: await enter(.signedOut, session)
        case .otherSignedIn:
            await enter(.signedIn(userID: "grace", accessToken: token(for: "grace")), session)
        case .refused: network.refuseToken()
        case .renewed:
            network.refuseToken()
            later(.signedIn(userID: "ada", accessToken: token(for: "ada", salt: "new")), session)
        }
        answer(cell)
    }

    /// Scripts what the server says: what is public until the last request, if that has a token.
    private func answer(_ cell: SessionMatrixTests.Cell) {
        switch cell.outcome {
        case .device, .miss, .failure, .expired, .publics:
            for _ in 0..<4 { network.answer(json: Self.publicRows) }
        case .users:
            let refusals = cell.condition == .renewed ? 1 : 0
            for _ in 1..<(cell.requests - refusals) { network.answer(json: Self.publicRows) }
            network.answer(json: Self.usersRows)
        }
    }

    private func enter(_ state: SessionState, _ session: SessionSwitch) async {
        session.state = state
        await waitForSession { $0.state == SessionStateMachine.State(state) }
    }

    private func later(_ state: SessionState, _ session: SessionSwitch) {
        _ = runtime.task(name: "later") {
            try? await runtime.clock.sleep(for: .milliseconds(500))
            session.state = state
        }
    }
}

extension SessionStateMachine.State {
    /// What the machine makes of a state of the session.
    fileprivate init(_ state: SessionState) {
        self =
            switch state {
            case .restoring(let id): .restoring(stored: id.map { UserID($0) })
            case .signedIn(let id, _): .user(UserID(id))
            case .signedOut: .visitor
            case .refreshFailed(let id): .refreshFailed(UserID(id))
            }
    }
}
