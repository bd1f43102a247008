import Foundation
import SupabaseOffline
import Testing

@testable import OfflineTasks

/// A row of the table as the server has it.
struct SampleTask {
    static let moment = "2026-01-05T09:00:00.123456+00:00"

    let json: String

    init(
        _ id: String, title: String = "old", done: Bool = false, notes: String? = nil,
        updatedAt: String = moment
    ) {
        json = """
            {"id":"\(id)","user_id":"\(AuthSession.ada.userID)","title":"\(title)","done":\(done),\
            "priority":null,"notes":\(notes.map { "\"\($0)\"" } ?? "null"),\
            "created_at":"\(Self.moment)","updated_at":"\(updatedAt)"}
            """
    }
}

extension Device {
    /// Signs Ada in and lets her see these tasks.
    func show(_ tasks: SampleTask...) async throws {
        try signIn(.ada)
        answer(tasks)
        _ = try await list()
    }

    /// Lets the server answer the next request with these rows.
    func answer(_ tasks: SampleTask...) { answer(tasks) }

    private func answer(_ tasks: [SampleTask]) {
        network.answer(json: "[\(tasks.map(\.json).joined(separator: ","))]")
    }

    /// What the app says to a change.
    func change(_ typed: String...) async throws -> String { try await change(typed) }

    func change(_ typed: [String]) async throws -> String {
        try await run(.change(try TaskChange(typed)))
    }

    /// What the app says to a change without a network.
    func changeOffline(_ typed: String...) async throws -> KeptChange {
        try await changeOffline(typed)
    }

    func changeOffline(_ typed: [String]) async throws -> KeptChange {
        network.setDown(true)
        defer { network.setDown(false) }
        return try KeptChange(try await change(typed))
    }

    /// What the app says to a command about the queue, to which everything is just now.
    func queue(_ typed: String...) async throws -> String {
        try await commands().queue(try QueueCommand(typed), now: .distantPast)
    }

    /// Lets the server refuse the next request.
    func refuse(_ status: Int, _ code: String, _ message: String, hint: String? = nil) {
        network.answer(
            status: status,
            json: """
                {"code":"\(code)","message":"\(message)","details":null,\
                "hint":\(hint.map { "\"\($0)\"" } ?? "null")}
                """)
    }

    /// What the device shows by itself.
    func kept(_ options: String...) async throws -> String {
        network.setDown(true)
        defer { network.setDown(false) }
        return try await run(.list(try ListOptions(["--strategy", "cacheOnly"] + options)))
    }
}

/// What the app says to a change that it keeps.
struct KeptChange {
    let text: String
    let writeID: String

    init(_ text: String) throws {
        self.text = text
        let match = try #require(text.firstMatch(of: /, not sent yet \(write ([-0-9a-f]{36})\):\n/))
        writeID = String(match.1)
    }
}

extension HTTPRequest {
    /// The query, as a reader would write it.
    var query: String {
        (url.split(separator: "?").last.map { String($0) } ?? "").removingPercentEncoding ?? ""
    }

    var json: Data {
        guard case .bytes(let bytes) = body else { return Data() }
        return Data(bytes)
    }
}
