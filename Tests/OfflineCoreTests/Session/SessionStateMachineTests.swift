import Testing

@testable import OfflineCore

@Suite("The session's state machine", .timeLimit(.minutes(1)))
struct SessionStateMachineTests {
    private let ada = UserID("ada")
    private let grace = UserID("grace")

    @Test func `a token's user is kept as the last one, once`() {
        var machine = SessionStateMachine(last: nil)
        #expect(machine.hears(.token(sub: ada)) == .keep(.init(ada, isHidden: false)))
        #expect(machine.owner == .user(ada))
        #expect(machine.hears(.token(sub: ada)) == .none)
    }

    @Test func `a renewed token of the same user is no change`() {
        var machine = SessionStateMachine(last: nil)
        _ = machine.hears(.token(sub: ada))
        let generation = machine.generation
        _ = machine.hears(.token(sub: ada))
        #expect(machine.generation == generation)
    }

    @Test func `another user, or nobody, is a change`() {
        var machine = SessionStateMachine(last: nil)
        var generations: [Int] = []
        for answer: SessionStateMachine.Answer in [
            .token(sub: ada), .token(sub: grace), .noToken, .token(sub: nil), .token(sub: grace),
        ] {
            _ = machine.hears(answer)
            generations.append(machine.generation)
        }
        #expect(generations == [1, 2, 3, 4, 5])
    }

    @Test func `a failure leaves the last user in place`() {
        var machine = SessionStateMachine(last: .init(ada, isHidden: false))
        #expect(machine.hears(.failed) == .none)
        #expect(machine.owner == .user(ada))
        #expect(machine.generation == 0)
    }

    @Test func `no token hides the last user and keeps that`() {
        var machine = SessionStateMachine(last: .init(ada, isHidden: false))
        #expect(machine.hears(.noToken) == .keep(.init(ada, isHidden: true)))
        #expect(machine.owner == .visitor)
        #expect(machine.hears(.noToken) == .none)
    }

    @Test func `a hidden user stays hidden through failures until a token names them`() {
        var machine = SessionStateMachine(last: .init(ada, isHidden: true))
        #expect(machine.owner == nil)
        _ = machine.hears(.failed)
        #expect(machine.owner == nil)
        #expect(machine.hears(.token(sub: ada)) == .keep(.init(ada, isHidden: false)))
        #expect(machine.owner == .user(ada))
    }

    @Test func `a token without a user is nobody's and forgets nobody`() {
        var machine = SessionStateMachine(last: .init(ada, isHidden: false))
        #expect(machine.hears(.token(sub: nil)) == .none)
        #expect(machine.owner == nil)
        _ = machine.hears(.failed)
        #expect(machine.owner == .user(ada))
    }

    @Test func `answers count in the order of their questions`() {
        var machine = SessionStateMachine(last: nil)
        let (first, second) = (machine.asked(), machine.asked())
        _ = machine.answered(second, .token(sub: grace))
        #expect(machine.answered(first, .token(sub: ada)) == .none)
        #expect(machine.owner == .user(grace))
    }

    @Test func `while the source takes its time the last user reads, but nobody after no token`() {
        var machine = SessionStateMachine(last: .init(ada, isHidden: false))
        #expect(machine.ownerWhileWaiting == .user(ada))
        _ = machine.hears(.noToken)
        #expect(machine.ownerWhileWaiting == nil)
        _ = machine.hears(.token(sub: grace))
        #expect(machine.ownerWhileWaiting == .user(grace))
    }
}

extension SessionStateMachine {
    /// A question and its answer.
    fileprivate mutating func hears(_ answer: Answer) -> Action { answered(asked(), answer) }
}
