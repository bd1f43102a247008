public import FoundationEssentials

/// A row that is not as the user saw it any more, so that a write which asked for that was not done.
public struct WriteConflict: Hashable, Sendable {
    /// The row as the server has it now, as a JSON object; nil if there is none that the user may see,
    /// or if it could not be read.
    public let current: Data?

    package init(current: Bytes?) { self.current = current.map { Data($0) } }
}

// The row is there to be read, not to be logged.
extension WriteConflict: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What happened, without the row.
    public var description: String {
        "Nothing was changed: "
            + (current == nil
                ? "the row is gone, or can't be seen any more."
                : "somebody else has changed the row since. "
                    + "The error has the row as it is now; ask the user, and write again.")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["conflict": description]) }
}
