/// What a test or an order reads of a row: a column, or a place inside its JSON.
struct FieldPath: Hashable, Sendable {
    /// One arrow of a path.
    enum Step: Hashable, Sendable {
        /// The member of an object.
        case key(Bytes)
        /// The element of an array; below zero, counted from its end.
        case index(Int)
    }

    var column: String
    var steps: [Step] = []
    /// Whether the last arrow is `->>`, which gives text.
    var isText = false
}
