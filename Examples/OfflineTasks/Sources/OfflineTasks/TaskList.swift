import Foundation
import SupabaseOffline

/// A row of the table `tasks`.
struct TaskRow: Decodable, Equatable {
    let id: UUID
    let title: String
    let done: Bool
    let priority: Int?
}

/// The user's tasks.
struct TaskList {
    private let client: SupabaseOfflineClient

    init(_ client: SupabaseOfflineClient) { self.client = client }

    func read(_ options: ListOptions) async throws -> ShownList {
        var query = client.from("tasks").select(
            "id,title,done,priority", readStrategy: options.strategy)
        if let isDone = options.isDone { query = query.eq("done", value: isDone) }
        let response = try await query.order("created_at").order("id").execute([TaskRow].self)
        return ShownList(
            tasks: response.value, isFromCache: response.isFromCache,
            fetchedAt: response.fetchedAt)
    }
}

/// A list with the caption that says where it came from.
struct ShownList {
    let tasks: [TaskRow]
    let isFromCache: Bool
    let fetchedAt: Date?

    func text(now: Date) -> String {
        let lines = tasks.map { task in
            let mark = task.done ? "x" : " "
            let priority = task.priority.map { "  (priority \($0))" } ?? ""
            return "[\(mark)] \(task.title)\(priority)"
        }
        return (lines.isEmpty ? ["No tasks."] : lines).joined(separator: "\n")
            + "\n" + caption(now: now)
    }

    func caption(now: Date) -> String {
        guard let fetchedAt else { return "Not from a list that is kept" }
        let age = Self.age(now.timeIntervalSince(fetchedAt))
        return isFromCache ? "From this device, \(age)" : "Updated \(age)"
    }

    private static func age(_ seconds: TimeInterval) -> String {
        let units: [(length: Double, name: String)] = [
            (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"),
        ]
        guard let unit = units.first(where: { seconds >= $0.length }) else { return "just now" }
        let count = Int(seconds / unit.length)
        return "\(count) \(unit.name)\(count == 1 ? "" : "s") ago"
    }
}
