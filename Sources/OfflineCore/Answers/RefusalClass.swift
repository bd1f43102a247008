/// What a server's refusal asks of whoever wants the request done.
///
/// The documentation has the whole table: <doc:Failures>.
@nonexhaustive
public enum RefusalClass: String, Hashable, Sendable, CaseIterable {
    /// It passes by itself: the same request, later.
    case retry
    /// Another token.
    case auth
    /// Another row is in the way, or one that this row needs is missing.
    case conflict
    /// The server's picture of the schema may be old: the same request, a little later.
    case reload
    /// Somebody has to mend the project or the way to it; until then everything is refused.
    case hold
    /// Nothing but another request.
    case reject
}

extension PostgrestError {
    /// What this refusal asks for, by its code and, where that says nothing, by its status.
    public var refusalClass: RefusalClass { meaning.refusalClass }

    /// Whether a write or a function may have been carried out although it was refused.
    ///
    /// Where not, the server has undone everything.
    public var mayHaveTakenEffect: Bool { meaning.mayHaveTakenEffect }

    private var meaning: RefusalTable.Meaning {
        if let code { return RefusalTable.meaning(of: code, status: status) }
        // A status that is never the server's makes no refusal; one that an app makes up can wait.
        return RefusalTable.meaning(ofStatus: status) ?? .init(.retry, mayHaveTakenEffect: true)
    }
}
