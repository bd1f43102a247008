/// What every call of this package throws, but for `CancellationError`.
///
/// Branch on the ``reason``; catch the frequent ones by name:
///
/// ```swift
/// do { … } catch OfflineError.cacheMiss { … }
/// ```
///
/// An error never holds a token, a key, a row or the value of a filter, and neither does its
/// description.
public struct OfflineError: Error, Sendable {
    /// What went wrong.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// The device holds no list that this read may serve.
        case cacheMiss
        /// The user's token has expired, or can't be had now, and the server was not asked.
        case sessionExpired
        /// The app's session has not said in time who the user is.
        case sessionNotSettled
        /// Another user, or nobody, is signed in than when the call began.
        case identityChanged
        /// The server could not be reached, or what came back is not its answer.
        case connectivity(ConnectivityFailure)
        /// The server refused.
        case server(PostgrestError)
        /// The server's answer is whole but not what was asked for.
        case unexpectedAnswer(status: Int)
        /// The write was sent, and whether the server has carried it out is not known; the failure says
        /// why, unless the calling task was cancelled.
        case outcomeUnknown(ConnectivityFailure?)
        /// The write was not carried out: its row is not as the user saw it any more.
        case conflict(WriteConflict)
        /// The write can't wait for the network, for this reason, and the server could not be reached;
        /// ``OfflineError/underlying`` tells why not.
        case notQueueable(NotQueueable)
        /// The write needs the server, and so many writes before it can't be sent now.
        case behindQueue(count: Int)
        /// What was to be dropped holds so many writes that were never sent.
        case unsentWrites(count: Int)
        /// The write's request has left, so it can't be taken back.
        case inFlight
        /// The write was taken back before it was sent.
        case discarded
        /// Nothing is known of this write: it never was, or ended too long ago.
        case unknownMutation
        /// The rows don't fit the type; ``OfflineError/underlying`` is the `DecodingError`.
        case decoding
        /// The request can't be sent as it is.
        case invalidRequest(String)
        /// The client can't be made with this configuration.
        case invalidConfiguration(String)
        /// Another client, here or in another process, holds the data directory.
        case databaseInUse
        /// The data directory can't be used.
        case storageUnavailable(String)
        /// There is no room left on the device.
        case storageFull
        /// The store was written by a newer version of this package.
        case storageTooNew
        /// The client has been closed.
        case closed
    }

    /// What the call was about.
    public struct Context: Hashable, Sendable {
        /// The operation, such as `select`.
        public let operation: String
        /// The table, with its schema unless that is the default one.
        public let table: String?

        package init(_ operation: String, table: String? = nil) {
            self.operation = operation
            self.table = table
        }

        /// Whether the call changes rows.
        var isWrite: Bool { ["insert", "upsert", "update", "delete"].contains(operation) }
    }

    /// The reason to branch on.
    public let reason: Reason
    /// The call that failed.
    public let context: Context
    /// The error that caused this one, if another layer raised it.
    public let underlying: (any Error)?

    package init(_ reason: Reason, in context: Context, underlying: (any Error)? = nil) {
        self.reason = reason
        self.context = context
        self.underlying = underlying
    }
}

extension OfflineError {
    /// Matches ``Reason/cacheMiss`` in a `catch`.
    public static var cacheMiss: Reason { .cacheMiss }
    /// Matches ``Reason/sessionExpired`` in a `catch`.
    public static var sessionExpired: Reason { .sessionExpired }
    /// Matches ``Reason/sessionNotSettled`` in a `catch`.
    public static var sessionNotSettled: Reason { .sessionNotSettled }
    /// Matches ``Reason/identityChanged`` in a `catch`.
    public static var identityChanged: Reason { .identityChanged }
    /// Matches ``Reason/outcomeUnknown(_:)``, whatever the failure, in a `catch`.
    public static var outcomeUnknown: ReasonPattern { .outcomeUnknown }
    /// Matches ``Reason/conflict(_:)`` in a `catch`.
    public static var conflict: ReasonPattern { .conflict }
    /// Matches ``Reason/notQueueable(_:)``, whatever the cause, in a `catch`.
    public static var notQueueable: ReasonPattern { .notQueueable }
    /// Matches ``Reason/behindQueue(count:)``, whatever the number, in a `catch`.
    public static var behindQueue: ReasonPattern { .behindQueue }
    /// Matches ``Reason/unsentWrites(count:)``, whatever the number, in a `catch`.
    public static var unsentWrites: ReasonPattern { .unsentWrites }
    /// Matches ``Reason/inFlight`` in a `catch`.
    public static var inFlight: Reason { .inFlight }
    /// Matches ``Reason/discarded`` in a `catch`.
    public static var discarded: Reason { .discarded }
    /// Matches ``Reason/unknownMutation`` in a `catch`.
    public static var unknownMutation: Reason { .unknownMutation }
    /// Matches ``Reason/decoding`` in a `catch`.
    public static var decoding: Reason { .decoding }
    /// Matches ``Reason/databaseInUse`` in a `catch`.
    public static var databaseInUse: Reason { .databaseInUse }
    /// Matches ``Reason/storageFull`` in a `catch`.
    public static var storageFull: Reason { .storageFull }
    /// Matches ``Reason/closed`` in a `catch`.
    public static var closed: Reason { .closed }
}

extension OfflineError.Reason {
    /// Lets `catch OfflineError.cacheMiss` match by reason.
    public static func ~= (reason: OfflineError.Reason, error: any Error) -> Bool {
        (error as? OfflineError)?.reason == reason
    }
}

extension OfflineError {
    /// Reasons that are told with more, to be matched without it in a `catch`.
    public enum ReasonPattern: Hashable, Sendable {
        case outcomeUnknown
        case conflict
        case notQueueable
        case behindQueue
        case unsentWrites

        /// Lets `catch OfflineError.conflict` match by reason.
        public static func ~= (pattern: ReasonPattern, error: any Error) -> Bool {
            switch ((error as? OfflineError)?.reason, pattern) {
            case (.outcomeUnknown?, .outcomeUnknown), (.conflict?, .conflict),
                (.notQueueable?, .notQueueable), (.behindQueue?, .behindQueue),
                (.unsentWrites?, .unsentWrites):
                true
            default: false
            }
        }
    }
}

// What another layer raised may quote a row; it is there to be read, not to be logged.
extension OfflineError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What was asked, what went wrong and what to do.
    public var description: String {
        let asked = context.table.map { "\(context.operation) \($0)" } ?? context.operation
        return "\(asked): " + (ofWrite ?? reason.explanation)
    }

    /// What is to be said of a write where its reason is explained for reads.
    private var ofWrite: String? {
        guard context.isWrite else { return nil }
        switch reason {
        case .decoding: return "The server has taken the write. " + reason.explanation
        case .sessionExpired:
            return "The user's token has expired or can't be had now. Nothing was written. "
                + "Sign in again."
        default: return nil
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows the reason and the call, without ``underlying``.
    public var customMirror: Mirror {
        Mirror(self, children: ["reason": reason, "context": context])
    }
}

extension OfflineError.Reason {
    fileprivate var explanation: String {
        switch self {
        case .cacheMiss:
            "This list is not on the device, or is older than maxAge. "
                + "Read it once with a strategy that asks the server."
        case .sessionExpired:
            "The user's token has expired or can't be had now. "
                + "Sign in again, or read with cacheFirst or cacheOnly."
        case .sessionNotSettled:
            "The session is still being restored, and it is not known whose call this is. "
                + "Nothing was sent. Try again once the user is known."
        case .identityChanged:
            "Another user is signed in than when the call began. Ask again for the present user."
        case .connectivity(let failure):
            failure.description
        case .server(let error):
            "The server refused: \(error.description)"
        case .unexpectedAnswer(let status):
            "The server answered \(status) with something other than rows. "
                + "Check that the URL leads to PostgREST."
        case .outcomeUnknown(let failure):
            "The write was sent, and whether the server has carried it out is not known. "
                + (failure?.event ?? "Nobody waited for the answer.")
                + " Read the rows before you write again."
        case .conflict(let conflict): conflict.description
        case .notQueueable(let cause): "The server can't be reached. \(cause)"
        case .behindQueue(let count):
            "It needs the server, and \(count) earlier writes wait for it too. Try again when the "
                + "queue has been sent, or let it be kept."
        case .unsentWrites(let count):
            "\(count) writes were never sent and would be lost. Send them first, or drop them with "
                + "droppingUnsentWrites: true."
        case .inFlight:
            "The write's request has left, so the server may have carried it out. Wait for its outcome."
        case .discarded: "The write was taken back before it was sent."
        case .unknownMutation:
            "Nothing is known of this write. What became of a write is kept for seven days."
        case .decoding:
            "The rows don't fit the type. The underlying DecodingError names the column."
        case .invalidRequest(let problem):
            problem
        case .invalidConfiguration(let problem):
            problem
        case .databaseInUse:
            "Another client holds this data directory. "
                + "Close it first, share one client, or give each its own directory."
        case .storageUnavailable(let problem):
            problem
        case .storageFull:
            "There is no room left on the device. Nothing was changed; free some and try again."
        case .storageTooNew:
            "A newer version of this package wrote this store. Update the app; nothing was touched."
        case .closed:
            "The client has been closed. Make a new one."
        }
    }
}
