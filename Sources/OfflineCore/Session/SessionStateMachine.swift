/// Decides whose a call is from what the app says of its session.
///
/// Pure: it asks nobody. States are taken at their word. Where there is only a token source, a
/// token's `sub` is the user; no token is the visitor, and since it can also be an app's way to hide
/// a failure, the last user's lists are then kept but shown to nobody until a token names somebody;
/// an error leaves the last user in place.
struct SessionStateMachine {
    typealias LastUser = IdentityStore.LastUser

    enum State: Equatable {
        /// Nobody has said yet who it is; this user is stored.
        case restoring(stored: UserID?)
        /// This user is signed in.
        case user(UserID)
        /// Nobody is.
        case visitor
        /// A token named nobody, and nothing else did.
        case nameless
        /// This user's token can't be had now.
        case refreshFailed(UserID?)
    }

    /// What a token source answered.
    enum Answer: Equatable {
        case token(of: UserID?)
        case noToken(StoredUser)
        case failed(StoredUser)
    }

    enum Action: Equatable {
        case none
        /// Keep who settled last, nil being nobody; somebody else may have gone.
        case settle(LastUser?, departed: UserID?)
    }

    private(set) var state: State
    /// Who settled last; nobody if the last word was a certain sign-out.
    private(set) var last: LastUser?
    /// A number that changes with whose calls are.
    private(set) var generation = 0
    /// A number that changes with whose calls are and with whether that is settled, and not with a
    /// renewed token.
    private(set) var settlement = 0
    private var lastAsked = 0
    private var lastHeard = 0

    init(last: LastUser?) {
        self.last = last
        state = .restoring(stored: last?.shown)
    }

    /// Whose lists may be shown now, without another word from the app.
    var owner: Identity.Owner? {
        switch state {
        case .user(let id): .user(id)
        case .visitor: .visitor
        case .nameless: nil
        case .restoring(let id), .refreshFailed(let id): id.map { .user($0) }
        }
    }

    /// Whose lists may be shown while a token source takes its time.
    ///
    /// The last user's, unless somebody else, or nobody, was seen since.
    var ownerWhileWaiting: Identity.Owner? {
        switch state {
        case .visitor: nil
        case .user, .nameless, .restoring, .refreshFailed: owner
        }
    }

    /// Whether the app has said who the user is, or that there is none.
    var isSettled: Bool {
        switch state {
        case .user, .visitor: true
        case .restoring, .nameless, .refreshFailed: false
        }
    }

    /// Takes a state of the session.
    mutating func changed(to session: SessionState) -> Action {
        switch session {
        case .restoring(let id): return move(to: .restoring(stored: id.map { UserID($0) }))
        case .refreshFailed(let id): return move(to: .refreshFailed(UserID(id)))
        case .signedIn(let id, _): return settle(as: UserID(id))
        case .signedOut: return move(to: .visitor, settling: .nobody)
        }
    }

    /// Notes that the token source was asked.
    ///
    /// - Returns: The number of this question.
    mutating func asked() -> Int {
        lastAsked += 1
        return lastAsked
    }

    /// Takes an answer of the token source.
    ///
    /// Answers count in the order of their questions: one that comes after the
    /// answer to a later question tells nothing new.
    mutating func answered(_ question: Int, _ answer: Answer) -> Action {
        guard question > lastHeard else { return .none }
        lastHeard = question
        switch answer {
        case .token(let user?): return settle(as: user)
        case .token(nil): return move(to: .nameless)
        case .noToken(.untold): return move(to: .visitor, settling: .hidden)
        case .noToken(.told(nil)): return move(to: .visitor, settling: .nobody)
        case .noToken(.told(let user?)), .failed(.told(let user?)):
            return move(to: .refreshFailed(user))
        case .failed(.told(nil)): return move(to: .refreshFailed(nil))
        case .failed(.untold): return move(to: .refreshFailed(last?.shown))
        }
    }

    /// Takes the stored user's name, which the app tells without a token.
    mutating func saw(storedUser user: UserID?) {
        guard owner.map({ $0 == .visitor ? nil : $0 }) ?? nil != user.map({ .user($0) }) else {
            return
        }
        _ = move(to: .restoring(stored: user))
    }

    /// What is remembered of a change beyond the run.
    private enum Settling {
        case nothing, nobody, hidden
        case user(UserID)
    }

    private mutating func settle(as user: UserID) -> Action {
        move(to: .user(user), settling: .user(user))
    }

    private mutating func move(to next: State, settling: Settling = .nothing) -> Action {
        let (ownerBefore, wasSettled) = (owner, isSettled)
        state = next
        if owner != ownerBefore { generation += 1 }
        if owner != ownerBefore || isSettled != wasSettled { settlement += 1 }
        let before = last
        switch settling {
        case .nothing: break
        case .nobody: last = nil
        case .hidden: last = last.map { LastUser($0.id, isHidden: true) }
        case .user(let id): last = LastUser(id, isHidden: false)
        }
        guard last != before else { return .none }
        return .settle(last, departed: before?.id == last?.id ? nil : before?.id)
    }
}

extension IdentityStore.LastUser {
    /// The user whose lists may be shown; nil while they are hidden.
    fileprivate var shown: UserID? { isHidden ? nil : id }
}
