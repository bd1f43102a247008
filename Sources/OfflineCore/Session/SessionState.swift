/// What an app says of its session.
///
/// The library shows a user's lists and keeps answers by it. A state describes itself without its
/// token.
public enum SessionState: Hashable, Sendable {
    /// A stored session is being loaded; requests go out on the publishable key.
    case restoring(storedUserID: String?)
    /// This user is signed in.
    case signedIn(userID: String, accessToken: String)
    /// Nobody is signed in.
    case signedOut
    /// The stored user's token has expired and can't be renewed now.
    case refreshFailed(userID: String)
}

extension SessionState: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The state's name.
    public var description: String {
        switch self {
        case .restoring: "restoring"
        case .signedIn: "signed in"
        case .signedOut: "signed out"
        case .refreshFailed: "refresh failed"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["state": description]) }
}
