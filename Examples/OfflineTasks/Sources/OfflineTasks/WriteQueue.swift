import Foundation
import SupabaseOffline

/// The user's writes that the server does not have.
struct WriteQueue {
    private let client: SupabaseOfflineClient

    init(_ client: SupabaseOfflineClient) { self.client = client }

    /// Those that are to be sent, in their order.
    func pending() async -> [PendingMutation] {
        // The first value is the one of this moment.
        for await writes in client.pendingMutations { return writes }
        return []
    }

    /// Those that the server has refused for good.
    func rejected() async -> [RejectedMutation] {
        for await writes in client.rejectedMutations { return writes }
        return []
    }

    func sync() async throws -> SyncReport { try await client.syncPendingMutations() }

    /// Puts a rejected write into the queue again and sends that.
    ///
    /// - Returns: What has come of the write; nil if it still is to be sent.
    func retry(
        _ rejected: RejectedMutation, _ values: QueueCommand.NewValues
    ) async throws -> MutationOutcome? {
        if values.isEmpty {
            try await client.retry(rejected.id)
        } else {
            try await client.retry(
                rejected.id, replacing: try rejected.mutation.payload(with: values))
        }
        try await client.syncPendingMutations()
        if await pending().contains(where: { $0.id == rejected.id }) { return nil }
        return try await client.outcome(of: rejected.id)
    }

    /// Takes a write back.
    ///
    /// - Returns: The others that went with it.
    func discard(_ id: UUID) async throws -> [PendingMutation] {
        try await client.discard(id).filter { $0.id != id }
    }
}

extension PendingMutation {
    /// The ids of the tasks that it changes.
    var taskIDs: [String] {
        rowKeys.compactMap { key in
            if case .string(let id) = key["id"] { id } else { nil }
        }
    }

    /// What it writes, with other values.
    fileprivate func payload(
        with values: QueueCommand.NewValues
    ) throws -> [String: JSONValue] {
        guard let payload else { throw WriteError.hasNoValues }
        var columns = try JSONDecoder().decode([String: JSONValue].self, from: payload)
        if let title = values.title { columns["title"] = .string(title) }
        if let priority = values.priority { columns["priority"] = .integer(priority) }
        return columns
    }
}

/// Why nothing was done about a write, beyond what the library's errors tell.
enum WriteError: Error, Equatable, CustomStringConvertible {
    /// What was typed is the beginning of no id.
    case unknown(String)
    /// What was typed is the beginning of several ids; these are their writes.
    case ambiguous(String, among: [String])
    /// The write that was to have other values removes a task.
    case hasNoValues

    var description: String {
        switch self {
        case .unknown(let typed):
            "There is no such write with an id that begins with \(typed). Nothing was changed. "
                + "See pending and rejected, which show the ids."
        case .ambiguous(let typed, let lines):
            "Several ids begin with \(typed). Nothing was changed. Give more of the one you mean:\n"
                + lines.joined(separator: "\n")
        case .hasNoValues:
            "The write removes a task, and has no title or priority. Retry it as it is, or discard it."
        }
    }
}
