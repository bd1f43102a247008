import SupabaseOffline

extension Commands {
    func list(_ options: ListOptions) async throws -> ShownList {
        let read = { (client: SupabaseOfflineClient) in
            try await TaskList(client).read(options.strategy, isDone: options.isDone)
        }
        if let session = options.session {
            return try await clients.withClient(session, isOffline: options.isOffline, read)
        }
        return try await clients.withClient(isOffline: options.isOffline, read)
    }

    /// Changes a task on the server, and tells the row as the lists have it now.
    func change(_ change: TaskChange) async throws -> String {
        // The server would refuse nobody with a code that tells a user little.
        guard accounts.store.present != nil else { throw AccountError.nobody }
        return try await clients.withClient(isOffline: change.isOffline) { client in
            let tasks = TaskList(client)
            let known = try await tasks.known()
            switch change.action {
            case .add(let title, let notes, let priority):
                let task = NewTask(title: title, notes: notes, priority: priority)
                return "Added:\n\(known.line(of: try await tasks.add(task)))"
            case .edit(let typed, let title):
                let task = try await tasks.edit(try known.id(typed), title: title, asIn: known)
                return "Changed:\n\(known.line(of: task))"
            case .mark(let typed, let isDone):
                let task = try await tasks.mark(try known.id(typed), isDone: isDone)
                return "\(isDone ? "Done" : "Not done"):\n\(known.line(of: task))"
            case .remove(let typed):
                let task = try await tasks.remove(try known.id(typed))
                return "Removed:\n\(known.line(of: task))"
            }
        }
    }
}
