public import FoundationEssentials

/// A row that is not as the user saw it any more, so that a write which asked for that was not done.
public struct WriteConflict: Hashable, Sendable {
    /// What has become of the row.
    @nonexhaustive
    public enum Row: Hashable, Sendable {
        /// The server has it so now, as a JSON object.
        case changed(Data)
        /// There is no such row any more, or none that the user may see.
        case gone
        /// It could not be read.
        case unknown
    }

    /// The row on the server.
    public let row: Row

    /// The row as the server has it now, as a JSON object, if there is one and it could be read.
    public var current: Data? {
        if case .changed(let row) = row { row } else { nil }
    }

    package init(_ row: Row) { self.row = row }

    /// What rows tell that were read because none was hit; nil if they could not be read.
    init(_ rows: [Bytes]?) {
        row = rows.map { $0.first.map { .changed(Data($0)) } ?? .gone } ?? .unknown
    }
}

// The row is there to be read, not to be logged.
extension WriteConflict: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What happened, without the row.
    public var description: String {
        let event =
            switch row {
            case .changed:
                "somebody else has changed the row since. The error has the row as it is now; ask the "
                    + "user, and write again."
            case .gone: "the row is gone, or can't be seen any more."
            case .unknown: "the row is another one now, which could not be read. Read it again."
            }
        return "Nothing was changed: " + event
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["conflict": description]) }
}

extension WriteConflict.Row: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// What has become of the row, without the row.
    public var description: String {
        switch self {
        case .changed: "changed"
        case .gone: "gone"
        case .unknown: "unknown"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["row": description]) }
}
