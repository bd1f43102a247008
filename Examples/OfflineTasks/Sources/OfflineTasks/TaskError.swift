/// Why a task was not changed, beyond what the library's errors tell.
enum TaskError: Error, Equatable, CustomStringConvertible {
    /// What was typed is the beginning of no id.
    case unknown(String)
    /// What was typed is the beginning of several ids; these are their tasks.
    case ambiguous(String, among: [String])
    /// The server found no row of this id to change.
    case notOnServer(String)
    /// Somebody has changed the task, which now is this; nil if it can't be seen.
    case conflict(now: String?)

    var description: String {
        switch self {
        case .unknown(let typed):
            "No task on this device has an id that begins with \(typed). Nothing was sent. "
                + "Read the list, which shows the ids, or give the whole id."
        case .ambiguous(let typed, let lines):
            "Several ids begin with \(typed). Nothing was sent. Give more of the one you mean:\n"
                + lines.joined(separator: "\n")
        case .notOnServer(let id):
            "Nothing was changed: the server has no task \(id) for you. "
                + "It may have been removed elsewhere; read the list again."
        case .conflict(let now?):
            "Nothing was changed. There is a conflict: somebody has changed the task since this "
                + "device read it. On the server it is now:\n\(now)\n"
                + "So this device has it too; edit again if you still want to."
        case .conflict(nil):
            "Nothing was changed. There is a conflict: somebody has changed the task since this "
                + "device read it, and it is gone or can't be read now. Read the list again."
        }
    }
}
