import Foundation
import SupabaseOffline

/// Writes as they are shown, with as much of their ids as tells them apart.
struct WriteLines {
    private let idLength: Int
    private let taskIDLength: Int

    init(_ writes: [PendingMutation]) {
        idLength = writes.map(\.id.text).idLength
        taskIDLength = writes.flatMap(\.taskIDs).idLength
    }

    /// What a write does.
    func line(of write: PendingMutation) -> String {
        let tasks = write.taskIDs.map { $0.prefix(taskIDLength) }.joined(separator: ", ")
        let values = write.values.map { ": \($0)" } ?? ""
        let id = write.id.text.prefix(idLength)
        return "\(id)  \(write.operation.rawValue) task \(tasks)\(values)"
    }

    /// What a write does, and how it is getting on.
    func text(of write: PendingMutation, now: Date) -> String {
        let tries = write.attempts == 0 ? "never tried" : "tried \(counted(write.attempts, "time"))"
        let failure = write.lastFailure.map { error in
            "\n    the server last answered \(error): \(error.message)"
        }
        return line(of: write)
            + "\n    made \(write.createdAt.age(at: now)), \(tries)\(failure ?? "")"
    }

    /// What a write would have done, and why it has not.
    func text(of rejected: RejectedMutation, now: Date) -> String {
        let reasons = rejected.rejection.reasons(taskIDLength: taskIDLength)
        let lines = [line(of: rejected.mutation), "rejected \(rejected.rejectedAt.age(at: now))"]
        return (lines + reasons).joined(separator: "\n    ")
    }
}

extension UUID {
    /// The id as it is shown and typed.
    var text: String { uuidString.lowercased() }
}

extension PendingMutation {
    /// The columns that say what it is about; nil for a removal.
    fileprivate var values: String? {
        struct Columns: Decodable {
            let title: String?
            let done: Bool?
        }
        guard let payload,
            let columns = try? JSONDecoder().decode(Columns.self, from: payload)
        else { return nil }
        let isNew = operation == .insert
        let done = isNew ? nil : columns.done.map { $0 ? "done" : "not done" }
        return [columns.title, done].compactMap { $0 }.joined(separator: ", ")
    }
}

extension MutationRejection {
    /// What happened, in the server's words as far as it has said something.
    fileprivate func reasons(taskIDLength: Int) -> [String] {
        if let error {
            let hint = error.hint.map { "hint: \($0)" }
            return [description, error.message, hint].compactMap { $0 }
        }
        guard case .conflict(let conflict) = self else { return [description] }
        let now = TaskRow(conflict).map { task in
            task.line(idLength: taskIDLength).replacing("\n", with: "\n    ")
        }
        return [
            "there is a conflict: somebody has changed the task since this device read it",
            now.map { "on the server it is now: \($0)" } ?? "it is gone or can't be read now",
        ]
    }
}
