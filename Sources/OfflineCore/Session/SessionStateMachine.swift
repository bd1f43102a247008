/// Decides whose a call is from what the app's token source answers.
///
/// Pure: it asks nobody. A token's `sub` is the user. No token is the visitor; since it can also be
/// an app's way to hide a failure, the last user's lists are then kept but shown to nobody until a
/// token names that user again. An error leaves the last user in place.
struct SessionStateMachine {
    typealias LastUser = IdentityStore.LastUser

    /// What the source answered.
    enum Answer: Equatable {
        case token(sub: UserID?)
        case noToken
        case failed
    }

    enum State: Equatable {
        /// Nothing was heard yet in this run.
        case unheard(last: LastUser?)
        /// A token named this user.
        case user(UserID)
        /// The source has no token; that user's lists, if any, are hidden.
        case visitor(hiding: UserID?)
        /// A token named nobody.
        case nameless(last: LastUser?)
        /// The last user's token can't be had now.
        case failed(last: LastUser?)
    }

    enum Action: Equatable {
        case none
        case keep(LastUser)
    }

    private(set) var state: State
    /// A number that changes with whose calls are, and not with a renewed token.
    private(set) var generation = 0
    private var lastAsked = 0
    private var lastHeard = 0

    init(last: LastUser?) { state = .unheard(last: last) }

    /// Notes that the source was asked.
    ///
    /// - Returns: The number of this question.
    mutating func asked() -> Int {
        lastAsked += 1
        return lastAsked
    }

    /// Takes an answer.
    ///
    /// Answers count in the order of their questions: one that comes after the
    /// answer to a later question tells nothing new.
    mutating func answered(_ question: Int, _ answer: Answer) -> Action {
        guard question > lastHeard else { return .none }
        lastHeard = question
        let before = owner
        let action = take(answer)
        if owner != before { generation += 1 }
        return action
    }

    /// Whose lists may be shown now, without another word from the source.
    var owner: Identity.Owner? {
        switch state {
        case .user(let id): .user(id)
        case .visitor: .visitor
        case .nameless: nil
        case .unheard(let last), .failed(let last):
            last.flatMap { $0.isHidden ? nil : .user($0.id) }
        }
    }

    /// Whose lists may be shown while the source takes its time.
    ///
    /// The last user's, unless somebody else, or nobody, was seen since.
    var ownerWhileWaiting: Identity.Owner? {
        switch state {
        case .visitor: nil
        case .user, .nameless, .unheard, .failed: owner
        }
    }

    private mutating func take(_ answer: Answer) -> Action {
        switch answer {
        case .token(let sub?):
            let isKept = last == LastUser(sub, isHidden: false)
            state = .user(sub)
            return isKept ? .none : .keep(LastUser(sub, isHidden: false))
        case .token(nil):
            state = .nameless(last: last)
            return .none
        case .noToken:
            let last = last
            state = .visitor(hiding: last?.id)
            return last.map { $0.isHidden ? .none : .keep(LastUser($0.id, isHidden: true)) }
                ?? .none
        case .failed:
            state = .failed(last: last)
            return .none
        }
    }

    private var last: LastUser? {
        switch state {
        case .user(let id): LastUser(id, isHidden: false)
        case .visitor(let hidden): hidden.map { LastUser($0, isHidden: true) }
        case .unheard(let last), .nameless(let last), .failed(let last): last
        }
    }
}
