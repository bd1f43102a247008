import OfflineCore

/// How far an exchange has come; it never goes back, not even when it begins again.
enum Progress: Comparable {
    /// Nothing of the request can have left.
    case connecting
    /// The request may have left.
    case sending
    /// The head of the answer is whole.
    case receiving

    /// What an error says of an exchange that ends here.
    var stage: TransportError.Stage {
        switch self {
        case .connecting: .notSent
        case .sending: .unanswered
        case .receiving: .answeredBadly
        }
    }
}
