/// What a write does.
@nonexhaustive
public enum MutationOperation: String, Hashable, Sendable, CaseIterable {
    /// Adds rows.
    case insert
    /// Adds rows, or changes those that are there.
    case upsert
    /// Changes columns of rows.
    case update
    /// Removes rows.
    case delete
    /// Calls a function.
    case call
}
