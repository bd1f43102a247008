import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

extension World {
    /// Inserts a row of the table that most tests are about.
    @discardableResult
    func insert(_ id: Int, title: String = "a") async throws -> WriteOutcome<Void> {
        try await client.from("tasks").insert(
            ["id": .integer(id), "title": .string(title)] as JSONValue
        )
        .execute()
    }

    /// Changes the title of a row.
    @discardableResult
    func rename(_ id: Int, _ title: String) async throws -> WriteOutcome<Void> {
        try await client.from("tasks").update(["title": title]).eq("id", value: id).execute()
    }

    /// Deletes a row.
    @discardableResult
    func remove(_ id: Int) async throws -> WriteOutcome<Void> {
        try await client.from("tasks").delete().eq("id", value: id).execute()
    }

    /// Makes writes while there is no network.
    @discardableResult
    func offline<Value>(_ writes: () async throws -> Value) async rethrows -> Value {
        network.setDown(true)
        defer { network.setDown(false) }
        return try await writes()
    }

    /// The writes in the queue.
    func pending() async -> [PendingMutation] {
        for await mutations in client.pendingMutations { return mutations }
        return []
    }

    /// The rejected writes.
    func rejected() async -> [RejectedMutation] {
        for await mutations in client.rejectedMutations { return mutations }
        return []
    }

    /// What was sent, as method, query and body.
    var sent: [String] {
        network.requests.map { request in
            let query = request.url.split(separator: "/rest/v1").last.map(String.init) ?? ""
            guard case .bytes(let body) = request.body else { return "\(request.method) \(query)" }
            return "\(request.method) \(query) \(String(decoding: body, as: UTF8.self))"
        }
    }
}

extension ScriptedTransport {
    /// Scripts that the request leaves and nobody answers.
    func loseAnswer(after gate: Gate? = nil) {
        fail(TransportError(.unanswered, .connectionLost), after: gate)
    }

    /// Scripts that the request doesn't leave.
    func refuseConnection() { fail(TransportError(.notSent, .cannotConnect)) }
}
