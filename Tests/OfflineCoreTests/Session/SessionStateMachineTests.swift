import Testing

@testable import OfflineCore

@Suite("The session's state machine", .timeLimit(.minutes(5)))
struct SessionStateMachineTests {
    private let ada = UserID("ada")
    private let grace = UserID("grace")

    // MARK: A token source alone

    @Test func `a token's user is kept as the last one, once`() {
        var machine = SessionStateMachine(last: nil)
        #expect(machine.hears(.token(of: ada)) == .settle(.shown(ada), departed: nil))
        #expect(machine.owner == .user(ada))
        #expect(machine.hears(.token(of: ada)) == .none)
    }

    @Test func `a renewed token of the same user is no change`() {
        var machine = SessionStateMachine(last: nil)
        _ = machine.hears(.token(of: ada))
        let before = (machine.generation, machine.settlement)
        _ = machine.hears(.token(of: ada))
        #expect((machine.generation, machine.settlement) == before)
    }

    @Test func `another user, or nobody, is a change`() {
        var machine = SessionStateMachine(last: nil)
        var generations: [Int] = []
        for answer: SessionStateMachine.Answer in [
            .token(of: ada), .token(of: grace), .noToken(.untold), .token(of: nil),
            .token(of: grace),
        ] {
            _ = machine.hears(answer)
            generations.append(machine.generation)
        }
        #expect(generations == [1, 2, 3, 4, 5])
    }

    @Test func `a failure leaves the last user in place, but unsettled`() {
        var machine = SessionStateMachine(last: nil)
        _ = machine.hears(.token(of: ada))
        let (generation, settlement) = (machine.generation, machine.settlement)
        #expect(machine.hears(.failed(.untold)) == .none)
        #expect(machine.owner == .user(ada))
        #expect(machine.generation == generation)
        #expect(machine.settlement == settlement + 1)
        #expect(!machine.isSettled)
    }

    @Test func `no token hides the last user and keeps that`() {
        var machine = SessionStateMachine(last: .shown(ada))
        #expect(machine.hears(.noToken(.untold)) == .settle(.hidden(ada), departed: nil))
        #expect(machine.owner == .visitor)
        #expect(machine.hears(.noToken(.untold)) == .none)
    }

    @Test func `a hidden user stays hidden through failures until a token names them`() {
        var machine = SessionStateMachine(last: .hidden(ada))
        #expect(machine.owner == nil)
        _ = machine.hears(.failed(.untold))
        #expect(machine.owner == nil)
        #expect(machine.hears(.token(of: ada)) == .settle(.shown(ada), departed: nil))
        #expect(machine.owner == .user(ada))
    }

    @Test func `a hidden user departs when another one is named`() {
        var machine = SessionStateMachine(last: .hidden(ada))
        #expect(machine.hears(.token(of: grace)) == .settle(.shown(grace), departed: ada))
    }

    @Test func `a token without a user is nobody's and forgets nobody`() {
        var machine = SessionStateMachine(last: .shown(ada))
        #expect(machine.hears(.token(of: nil)) == .none)
        #expect(machine.owner == nil)
        _ = machine.hears(.failed(.untold))
        #expect(machine.owner == .user(ada))
    }

    @Test func `answers count in the order of their questions`() {
        var machine = SessionStateMachine(last: nil)
        let (first, second) = (machine.asked(), machine.asked())
        _ = machine.answered(second, .token(of: grace))
        #expect(machine.answered(first, .token(of: ada)) == .none)
        #expect(machine.owner == .user(grace))
    }

    @Test func `while the source takes its time the last user reads, but nobody after no token`() {
        var machine = SessionStateMachine(last: .shown(ada))
        #expect(machine.ownerWhileWaiting == .user(ada))
        _ = machine.hears(.noToken(.untold))
        #expect(machine.ownerWhileWaiting == nil)
        _ = machine.hears(.token(of: grace))
        #expect(machine.ownerWhileWaiting == .user(grace))
    }

    // MARK: With the stored user's name

    @Test func `no token is a sign-out only if there is no stored user either`() {
        var machine = SessionStateMachine(last: .shown(ada))
        #expect(machine.hears(.noToken(.told(ada))) == .none)
        #expect(machine.state == .refreshFailed(ada))
        #expect(machine.hears(.noToken(.told(nil))) == .settle(nil, departed: ada))
        #expect(machine.owner == .visitor)
        #expect(machine.isSettled)
    }

    @Test func `a failure is the stored user's, whoever was last`() {
        var machine = SessionStateMachine(last: .shown(ada))
        _ = machine.hears(.failed(.told(grace)))
        #expect(machine.state == .refreshFailed(grace))
        _ = machine.hears(.failed(.told(nil)))
        #expect(machine.owner == nil)
    }

    @Test func `another stored user is a change before any token`() {
        var machine = SessionStateMachine(last: nil)
        _ = machine.hears(.token(of: ada))
        let generation = machine.generation
        machine.saw(storedUser: ada)
        #expect(machine.generation == generation)
        machine.saw(storedUser: grace)
        #expect(machine.owner == .user(grace))
        #expect(!machine.isSettled)
        machine.saw(storedUser: nil)
        #expect(machine.owner == nil)
        #expect(machine.generation == generation + 2)
        #expect(machine.last == .shown(ada))
    }

    // MARK: States

    @Test func `before the first state the last user is being restored`() {
        #expect(SessionStateMachine(last: .shown(ada)).state == .restoring(stored: ada))
        #expect(SessionStateMachine(last: nil).state == .restoring(stored: nil))
    }

    @Test func `states are taken at their word`() {
        var machine = SessionStateMachine(last: nil)
        #expect(machine.changed(to: .restoring(storedUserID: "ada")) == .none)
        #expect((machine.owner, machine.isSettled) == (.user(ada), false))
        #expect(
            machine.changed(to: .signedIn(userID: "ada", accessToken: "t"))
                == .settle(.shown(ada), departed: nil))
        #expect((machine.owner, machine.isSettled) == (.user(ada), true))
        #expect(machine.changed(to: .refreshFailed(userID: "ada")) == .none)
        #expect((machine.owner, machine.isSettled) == (.user(ada), false))
        #expect(machine.changed(to: .signedOut) == .settle(nil, departed: ada))
        #expect((machine.owner, machine.isSettled) == (.visitor, true))
        #expect(machine.changed(to: .signedOut) == .none)
        #expect(
            machine.changed(to: .signedIn(userID: "grace", accessToken: "t"))
                == .settle(.shown(grace), departed: nil))
        #expect(
            machine.changed(to: .signedIn(userID: "ada", accessToken: "t"))
                == .settle(.shown(ada), departed: grace))
    }

    @Test func `a user who was only being restored has not settled, and nobody departs`() {
        var machine = SessionStateMachine(last: .shown(ada))
        #expect(machine.changed(to: .restoring(storedUserID: "grace")) == .none)
        #expect(machine.changed(to: .restoring(storedUserID: nil)) == .none)
        #expect(machine.last == .shown(ada))
    }

    @Test func `every settled state is a settlement of its own, and a renewed token is none`() {
        var machine = SessionStateMachine(last: nil)
        var settlements: [Int] = []
        for state: SessionState in [
            .restoring(storedUserID: "ada"), .signedIn(userID: "ada", accessToken: "1"),
            .signedIn(userID: "ada", accessToken: "2"), .refreshFailed(userID: "ada"),
            .signedIn(userID: "ada", accessToken: "3"), .signedOut,
        ] {
            _ = machine.changed(to: state)
            settlements.append(machine.settlement)
        }
        #expect(settlements == [1, 2, 2, 3, 4, 5])
    }

    @Test func `a user id that is a UUID counts in any case`() {
        let id = "8C3B0F5E-6C5D-4D6B-9F1C-000000000001"
        var machine = SessionStateMachine(last: nil)
        _ = machine.changed(to: .signedIn(userID: id, accessToken: "t"))
        let generation = machine.generation
        _ = machine.changed(to: .signedIn(userID: id.lowercased(), accessToken: "t"))
        #expect(machine.generation == generation)
    }
}

extension SessionStateMachine {
    /// A question and its answer.
    fileprivate mutating func hears(_ answer: Answer) -> Action { answered(asked(), answer) }
}

extension IdentityStore.LastUser {
    fileprivate static func shown(_ id: UserID) -> Self { .init(id, isHidden: false) }
    fileprivate static func hidden(_ id: UserID) -> Self { .init(id, isHidden: true) }
}
