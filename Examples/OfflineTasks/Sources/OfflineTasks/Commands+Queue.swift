import Foundation
import SupabaseOffline

extension Commands {
    /// Shows or changes what the server does not have.
    func queue(_ command: QueueCommand, now: Date) async throws -> String {
        guard accounts.store.present != nil else { throw AccountError.nobody }
        return try await clients.withClient(isOffline: false) { client in
            let queue = WriteQueue(client)
            switch command {
            case .pending:
                return await queue.pendingText(now: now)
            case .rejected:
                return await queue.rejectedText(now: now)
            case .sync:
                return try await queue.sync().text
            case .retry(let typed, let values):
                return try await queue.retryText(typed, values)
            case .discard(let typed):
                return try await queue.discardText(typed)
            }
        }
    }
}

extension WriteQueue {
    fileprivate func pendingText(now: Date) async -> String {
        let writes = await pending()
        guard !writes.isEmpty else { return "Nothing is to be sent." }
        let lines = WriteLines(writes)
        return writes.map { lines.text(of: $0, now: now) }.joined(separator: "\n")
    }

    fileprivate func rejectedText(now: Date) async -> String {
        let writes = await rejected()
        guard !writes.isEmpty else { return "Nothing was rejected." }
        let lines = WriteLines(writes.map(\.mutation))
        return writes.map { lines.text(of: $0, now: now) }.joined(separator: "\n")
    }

    fileprivate func retryText(
        _ typed: String, _ values: QueueCommand.NewValues
    ) async throws -> String {
        let writes = await rejected()
        let lines = WriteLines(writes.map(\.mutation))
        let write = try writes.one(typed) { lines.line(of: $0.mutation) }
        switch try await retry(write, values) {
        case nil: return "It is in the queue again, and not sent yet."
        case .applied(rows: 0)?: return "Nothing was changed: the server has no such task for you."
        case .applied?: return "The server has taken it."
        case .rejected(let rejection)?:
            return "It is rejected again: \(rejection.error?.message ?? rejection.description)"
        case _?: return "It came to nothing: another write has taken it back."
        }
    }

    fileprivate func discardText(_ typed: String) async throws -> String {
        let writes = await pending() + rejected().map(\.mutation)
        let lines = WriteLines(writes)
        let write = try writes.one(typed) { lines.line(of: $0) }
        let others = try await discard(write.id)
        let more = others.isEmpty ? [] : ["With it went what has no sense without it:"]
        return (["Discarded:", lines.line(of: write)] + more + others.map { lines.line(of: $0) })
            .joined(separator: "\n")
    }
}

extension Array where Element: Identifiable<UUID> {
    /// The write of whose id a beginning was typed.
    fileprivate func one(
        _ typed: String, _ line: (Element) -> String
    ) throws(WriteError) -> Element {
        let found = filter { $0.id.text.hasPrefix(typed.lowercased()) }
        guard let write = found.first else { throw .unknown(typed) }
        guard found.count == 1 else {
            throw .ambiguous(typed, among: found.map { line($0) })
        }
        return write
    }
}

extension SyncReport {
    /// What a pass over the queue has done, and why it stopped early if it did.
    fileprivate var text: String {
        let counts = "Sent: \(sent). Rejected: \(rejected). Still to be sent: \(left)."
        let help = rejected > 0 ? "\nSee rejected." : ""
        return counts + help + (stop.map { "\nIt stopped early: \($0.text)" } ?? "")
    }
}

extension SyncStop {
    fileprivate var text: String {
        switch self {
        case .unanswered: "the server can't be reached, or has no time now. Try again later."
        case .authRequired: "there is no token that the server takes. Sign in again with login."
        case .schemaReload: "the server doesn't know its tables yet. Try again in a minute."
        case .hold: "the project is paused or can't be written to now."
        case .storage: "this device can't be written to."
        case .sessionNotSettled, .identityChanged, .halted: "it is not known who is signed in."
        @unknown default: "\(self)."
        }
    }
}
