// Words that cross the wire. A server may know more of them than this version does, so they are open.

/// How the server counts the rows that a request is about.
public struct CountOption: RawRepresentable, Hashable, Sendable {
    /// The word in the `Prefer` header.
    public let rawValue: String

    /// Creates an option that PostgREST knows by this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Counts them: exact and slow.
    public static let exact = CountOption(rawValue: "exact")
    /// Asks the planner: fast and rough.
    public static let planned = CountOption(rawValue: "planned")
    /// Counts few rows and asks the planner about many.
    public static let estimated = CountOption(rawValue: "estimated")
}

/// What a write returns.
public struct PostgrestReturningOptions: RawRepresentable, Hashable, Sendable {
    /// The word in the `Prefer` header.
    public let rawValue: String

    /// Creates an option that PostgREST knows by this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing.
    public static let minimal = PostgrestReturningOptions(rawValue: "minimal")
    /// The rows as the server has them afterwards.
    public static let representation = PostgrestReturningOptions(rawValue: "representation")
}

/// The form in which PostgreSQL explains its plan.
public struct ExplainFormat: RawRepresentable, Hashable, Sendable {
    /// The word in the media type.
    public let rawValue: String

    /// Creates a format that PostgREST knows by this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Lines for people.
    public static let text = ExplainFormat(rawValue: "text")
    /// JSON.
    public static let json = ExplainFormat(rawValue: "json")
}

/// What else to ask for when a request is executed.
public struct FetchOptions: Hashable, Sendable {
    /// Whether to ask for the answer's head alone.
    public var head: Bool
    /// What the server should count.
    public var count: CountOption?

    /// Creates options; without arguments they ask for nothing.
    public init(head: Bool = false, count: CountOption? = nil) {
        self.head = head
        self.count = count
    }
}
