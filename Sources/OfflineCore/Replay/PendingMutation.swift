public import FoundationEssentials

/// A write that is kept on the device.
public struct PendingMutation: Sendable, Identifiable {
    /// What tells the write from others; it stays the same for as long as anything is known of it.
    public let id: UUID
    /// The table; the function, for a call.
    public let table: String
    /// The schema of the table.
    public let schema: String
    /// What it does.
    public let operation: MutationOperation
    /// The keys of the rows that it names, each as its key columns by name; none if its filters name
    /// no keys.
    public let rowKeys: [[String: JSONValue]]
    /// When it was made, by the device's clock.
    public let createdAt: Date
    /// How often it was tried to send it, whether or not the request has left.
    public let attempts: Int
    /// The server's last answer to it, if that was none that counts.
    public let lastFailure: PostgrestError?
    /// The rows or columns that it writes, as JSON; nil for a delete.
    public let payload: Data?

    private let client: SupabaseOfflineClient
    private let identity: Identity

    init(_ write: QueuedWrite, of identity: Identity, _ client: SupabaseOfflineClient) {
        id = write.id
        table = write.request.target.name
        schema = write.request.schema
        operation = write.operation
        createdAt = write.createdAt.date
        attempts = Int(write.attempts)
        lastFailure = write.lastRefusal
        payload = write.request.body.map { Data($0) }
        let facts = client.settings.facts(of: write.request)
        let plan = write.table.flatMap { _ in try? PlannedWrite(write.request, facts) }
        rowKeys = plan?.namedKeys ?? []
        self.client = client
        self.identity = identity
    }

    /// What becomes of the write in the end; it waits for that.
    ///
    /// - Throws: ``OfflineError`` with the reason `unknownMutation` if it ended more than seven days ago,
    ///   or `closed`; `CancellationError` if the calling task is cancelled.
    public var outcome: MutationOutcome {
        get async throws { try await client.outcome(of: id, identity) }
    }
}

extension PendingMutation: Hashable {
    /// Whether both are the same write, after the same attempts and with the same values.
    public static func == (lhs: PendingMutation, rhs: PendingMutation) -> Bool {
        lhs.id == rhs.id && lhs.attempts == rhs.attempts && lhs.payload == rhs.payload
            && lhs.lastFailure == rhs.lastFailure
    }

    /// Mixes the id in.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A write that was rejected and waits for the app's decision.
///
/// It stays until it is retried or discarded, over launches of the app.
public struct RejectedMutation: Sendable, Identifiable, Hashable {
    /// The write.
    public let mutation: PendingMutation
    /// Why it was rejected.
    public let rejection: MutationRejection
    /// When, by the device's clock.
    public let rejectedAt: Date

    /// The write's id.
    public var id: UUID { mutation.id }
}

// Payloads are there to be read, not to be logged.
extension PendingMutation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// What the write does, and its id.
    public var description: String { "\(operation.rawValue) \(table) \(id.lowercased)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["mutation": description]) }
}

extension PlannedWrite {
    /// The keys of the rows that it names, by the names of their columns.
    fileprivate var namedKeys: [[String: JSONValue]] {
        switch change {
        case .insert(let rows), .upsert(let rows, _, _):
            return rows.map { $0.object().keyValues(facts.keyNames) }
        case .update(_, let filter), .delete(let filter):
            var keys: [[String: JSONValue]] = [[:]]
            for name in facts.keyNames {
                guard let texts = filter.pins[name] else { return [] }
                keys = keys.flatMap { key in
                    texts.map { text in key.merging([name: JSONValue(spelled: text)]) { $1 } }
                }
            }
            return keys
        case .nothing, .unknown: return []
        }
    }
}

extension JSONValue {
    /// A value as a filter spells it: what looks like a whole number is one.
    fileprivate init(spelled text: Bytes) {
        let json = text.span.isCanonicalInteger ? text : text.jsonString
        self = (try? JSONDecoder().decode(JSONValue.self, from: Data(json))) ?? .null
    }
}
