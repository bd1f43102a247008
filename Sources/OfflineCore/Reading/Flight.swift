/// A request on its way, for everybody who asks the same meanwhile.
///
/// It is judged once: its rows are found once, and its age is the same for all.
final class Flight: Sendable {
    /// What came of it.
    struct Landing: Sendable {
        let answer: ServerAnswer
        let response: HTTPResponse
        /// When the head of the answer arrived, by the device's clock.
        let fetchedAt: Timestamp
    }

    /// What makes two reads one flight.
    struct Key: Hashable {
        private enum Subject: Hashable {
            case list(ListKey)
            case other(PostgrestRequest)
        }

        private let subject: Subject
        private let ticket: SessionTicket.ID
        /// A reader whom the device could answer too waits less, so they have a flight of their own.
        private let isWarm: Bool

        init(_ request: PostgrestRequest, _ ticket: SessionTicket, isWarm: Bool) {
            subject = request.shape == .list ? .list(ListKey(request)) : .other(request)
            self.ticket = ticket.id
            self.isWarm = isWarm
        }
    }

    /// The number of the request; a later one has a greater one.
    let sequence: UInt64
    /// By which others find it; nil for one that is nobody else's.
    let key: Key?
    let landing: Task<Landing, Never>

    init(sequence: UInt64, key: Key?, landing: Task<Landing, Never>) {
        self.sequence = sequence
        self.key = key
        self.landing = landing
    }
}

extension HTTPResponse {
    /// The status and the body, as much of it as a log has room for.
    var logText: String { status == 0 ? "none" : "\(status) \(body.logText)" }
}

extension Bytes {
    private static var longestLogText: Int { 4 << 10 }

    /// The text, as much of it as a log has room for.
    var logText: String {
        let text = String(decoding: prefix(Self.longestLogText), as: UTF8.self)
        return count > Self.longestLogText ? "\(text)… (\(count) bytes)" : text
    }
}
