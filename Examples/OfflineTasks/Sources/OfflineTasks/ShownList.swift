import Foundation

/// A list with the caption that says where it came from.
struct ShownList {
    let tasks: [TaskRow]
    let isFromCache: Bool
    let fetchedAt: Date?
    /// Whether a write may have changed the list in a way that this device could not follow.
    var isStale = false

    func text(now: Date) -> String {
        let idLength = tasks.idLength
        let lines = tasks.map { $0.line(idLength: idLength) }
        return (lines.isEmpty ? ["No tasks."] : lines).joined(separator: "\n")
            + "\n" + caption(now: now)
    }

    func caption(now: Date) -> String {
        guard let fetchedAt else { return "Not from a list that is kept" }
        let age = Self.age(now.timeIntervalSince(fetchedAt))
        return (isFromCache ? "From this device, \(age)" : "Updated \(age)")
            + (isStale ? ", perhaps out of date" : "")
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
