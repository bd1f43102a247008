public import FoundationEssentials

/// Why a write was put into the list of rejected writes.
@nonexhaustive
public enum MutationRejection: Hashable, Sendable {
    /// The server refused it.
    case refused(PostgrestError)
    /// The server failed with it again and again, while it answered other requests.
    case persistentFailure(PostgrestError)
    /// A row with its key is there, and is another one.
    ///
    /// - Parameters:
    ///   - error: The server's refusal.
    ///   - current: The row as the server has it, as a JSON object.
    case occupied(PostgrestError, current: Data)
    /// The row is not as the user saw it any more; see
    /// ``PostgrestRequestBuilder/ifUnchanged(_:_:)``.
    case conflict(WriteConflict)
    /// The function was called, no answer came, and it may not be called twice.
    case outcomeUnknown
    /// It depends on another write, by its row or by ``PostgrestRequestBuilder/after(_:)``, that was
    /// rejected; retrying that one retries both.
    case dependency(on: UUID)

    /// The server's refusal, with its status, code, message, details and hint.
    public var error: PostgrestError? {
        switch self {
        case .refused(let error), .persistentFailure(let error), .occupied(let error, _): error
        case .conflict, .outcomeUnknown, .dependency: nil
        }
    }
}

// Rows are there to be read, not to be logged.
extension MutationRejection: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// What happened, without rows.
    public var description: String {
        switch self {
        case .refused(let error): "the server refused: \(error)"
        case .persistentFailure(let error): "the server failed with it every time: \(error)"
        case .occupied: "another row with its key is there"
        case .conflict(let conflict): conflict.description
        case .outcomeUnknown: "no answer came, and it may not be sent twice"
        case .dependency(let id): "it depends on the rejected write \(id.uuidString.lowercased())"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["rejection": description]) }
}

/// What became of a write in the end.
@nonexhaustive
public enum MutationOutcome: Hashable, Sendable {
    /// The server has taken it, and changed so many rows; nil if its answer doesn't tell.
    case applied(rows: Int?)
    /// It was rejected: it is in the list of rejected writes, unless its caller was told.
    case rejected(MutationRejection)
    /// It was never sent: a later write took back what it would have done, or it did that itself.
    case cancelledOut
    /// The app took it back.
    case discarded
}

/// Something that has become of a write.
public struct MutationEvent: Hashable, Sendable, Identifiable {
    /// The write's id.
    public let id: UUID
    /// What has become of it.
    public let outcome: MutationOutcome
}

extension OfflineError {
    /// What a caller is told whose write was rejected.
    ///
    /// - Parameters:
    ///   - rejection: Why.
    ///   - failure: Why there was no answer, if so.
    ///   - context: The call.
    init(_ rejection: MutationRejection, because failure: Reason?, in context: Context) {
        let reason: Reason =
            switch rejection {
            case .refused(let error), .persistentFailure(let error), .occupied(let error, _):
                .server(error)
            case .conflict(let conflict): .conflict(conflict)
            case .outcomeUnknown, .dependency: .outcomeUnknown(failure?.connectivity)
            }
        self.init(reason, in: context)
    }
}

extension OfflineError.Reason {
    fileprivate var connectivity: ConnectivityFailure? {
        switch self {
        case .connectivity(let failure): failure
        case .outcomeUnknown(let failure): failure
        default: nil
        }
    }
}
