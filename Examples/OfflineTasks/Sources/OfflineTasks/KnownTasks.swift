import Foundation

/// The tasks that are in the lists on this device.
struct KnownTasks {
    private let tasks: [String: TaskRow]

    init(_ lists: [ShownList]) {
        let inOrder = lists.sorted {
            ($0.fetchedAt ?? .distantPast) < ($1.fetchedAt ?? .distantPast)
        }
        // What the user saw last of a task is what the list has that was read last.
        tasks = Dictionary(
            inOrder.flatMap(\.tasks).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    subscript(id: String) -> TaskRow? { tasks[id] }

    /// The whole id of which a beginning was typed.
    ///
    /// One that is whole need not be known.
    func id(_ typed: String) throws(TaskError) -> String {
        if let id = UUID(uuidString: typed) { return id.uuidString.lowercased() }
        let found = tasks.values.filter { $0.id.hasPrefix(typed.lowercased()) }
        guard let task = found.first else { throw .unknown(typed) }
        guard found.count == 1 else {
            let lines = found.sorted { $0.id < $1.id }.map { $0.line(idLength: found.idLength) }
            throw .ambiguous(typed, among: lines)
        }
        return task.id
    }

    /// A task as it stands in a list with the others.
    func line(of task: TaskRow) -> String {
        task.line(idLength: (Array(tasks.values) + [task]).idLength)
    }
}
