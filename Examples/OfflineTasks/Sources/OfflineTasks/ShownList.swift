import Foundation

/// A list with the caption that says where it came from.
struct ShownList {
    let tasks: [TaskRow]
    let isFromCache: Bool
    let fetchedAt: Date?
    /// Whether a write may have changed the list in a way that this device could not follow.
    var isStale = false
    /// How many writes of the user are still to be sent, if one of them changes the list.
    var unsentCount = 0
    /// The ids of the tasks that those writes change.
    var unsentIDs: Set<String> = []

    func text(now: Date) -> String {
        let idLength = tasks.idLength
        let lines = tasks.map { task in
            task.line(idLength: idLength, isUnsent: unsentIDs.contains(task.id))
        }
        return (head + (lines.isEmpty ? ["No tasks."] : lines) + [caption(now: now)])
            .joined(separator: "\n")
    }

    private var head: [String] {
        guard unsentCount > 0 else { return [] }
        return ["With \(counted(unsentCount, "change")) that the server does not have yet:"]
    }

    func caption(now: Date) -> String {
        guard let fetchedAt else { return "Not from a list that is kept" }
        let age = fetchedAt.age(at: now)
        return (isFromCache ? "From this device, \(age)" : "Updated \(age)")
            + (isStale ? ", perhaps out of date" : "")
    }
}

extension Date {
    /// How long ago it is.
    func age(at now: Date) -> String {
        let seconds = now.timeIntervalSince(self)
        let units: [(length: Double, name: String)] = [
            (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"),
        ]
        guard let unit = units.first(where: { seconds >= $0.length }) else { return "just now" }
        return "\(counted(Int(seconds / unit.length), unit.name)) ago"
    }
}

/// So many of something.
func counted(_ count: Int, _ name: String) -> String { "\(count) \(name)\(count == 1 ? "" : "s")" }
