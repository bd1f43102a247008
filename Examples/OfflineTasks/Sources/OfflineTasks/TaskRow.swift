import Foundation
import SupabaseOffline

/// A row of the table `tasks`.
struct TaskRow: Decodable, Equatable {
    /// As the server spells it, in lower case.
    let id: String
    let title: String
    let done: Bool
    let priority: Int?
    let notes: String?
    /// As the server spells it, so that it can be compared there to the last digit.
    let updatedAt: String?

    enum CodingKeys: String, CodingKey {
        case id, title, done, priority, notes
        case updatedAt = "updated_at"
    }

    /// The task in a list that shows so much of each id.
    func line(idLength: Int, isUnsent: Bool = false) -> String {
        let mark = done ? "x" : " "
        let priority = priority.map { "  (priority \($0))" } ?? ""
        let sending = isUnsent ? "  (not sent yet)" : ""
        let notes = notes.map { "\n    \($0)" } ?? ""
        return "[\(mark)] \(id.prefix(idLength))  \(title)\(priority)\(sending)\(notes)"
    }
}

extension TaskRow {
    /// The task as it is on the server, where a write found it changed; nil if it can't be seen.
    init?(_ conflict: WriteConflict) {
        guard let row = conflict.current,
            let task = try? JSONDecoder().decode(TaskRow.self, from: row)
        else { return nil }
        self = task
    }
}

extension Sequence<TaskRow> {
    /// How many characters of their ids tell the tasks apart; eight at least.
    var idLength: Int { map(\.id).idLength }
}

extension Sequence<String> {
    /// How many characters tell these ids apart; eight at least.
    var idLength: Int {
        let ids = Set(self).sorted()
        return zip(ids, ids.dropFirst()).map { $0.commonPrefix(with: $1).count + 1 }.reduce(
            8, Swift.max)
    }
}

/// A task that is not on the server yet.
struct NewTask: Encodable {
    /// Made here and not by the server, so that the task has its id before any answer comes, and
    /// sending it twice adds it once.
    let id = UUID().uuidString.lowercased()
    let title: String
    let notes: String?
    let priority: Int?
    // The server would fill these in, but hours may pass until it hears of the task. Lists show it
    // before, and an edit says which edit it follows.
    let done = false
    let createdAt = Date()
    let updatedAt = Date()

    enum CodingKeys: String, CodingKey {
        case id, title, notes, priority, done
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// The task as a list shows it.
    var row: TaskRow {
        TaskRow(
            id: id, title: title, done: done, priority: priority, notes: notes, updatedAt: nil)
    }
}

/// Columns of a task that are to change.
struct TaskColumns: Encodable {
    var title: String?
    var done: Bool?
    /// The table doesn't set it by itself, and edits by others are noticed by it.
    let updatedAt = Date()

    enum CodingKeys: String, CodingKey {
        case title, done
        case updatedAt = "updated_at"
    }
}
