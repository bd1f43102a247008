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

    /// Changes a task, and tells the row as the lists have it now and whether the server has it too.
    func change(_ change: TaskChange) async throws -> String {
        // What nobody has written would be sent on the key alone, and be refused.
        guard accounts.store.present != nil else { throw AccountError.nobody }
        return try await clients.withClient(isOffline: change.isOffline) { client in
            let tasks = TaskList(client)
            let known = try await tasks.known()
            switch change.action {
            case .add(let title, let notes, let priority):
                let task = NewTask(title: title, notes: notes, priority: priority)
                let outcome = try await tasks.add(task)
                return try await tasks.text("Added", outcome, of: task.id, task.row, known)
            case .edit(let typed, let title):
                let id = try known.id(typed)
                let outcome = try await tasks.edit(id, title: title, asIn: known)
                return try await tasks.text("Changed", outcome, of: id, known[id], known)
            case .mark(let typed, let isDone):
                let id = try known.id(typed)
                let outcome = try await tasks.mark(id, isDone: isDone)
                let done = isDone ? "Done" : "Not done"
                return try await tasks.text(done, outcome, of: id, known[id], known)
            case .remove(let typed):
                let id = try known.id(typed)
                let outcome = try await tasks.remove(id)
                return try await tasks.text("Removed", outcome, of: id, known[id], known)
            }
        }
    }
}

extension TaskList {
    /// What is said of a change: with the row as the server has it, as the lists have it now, or as it
    /// was seen before.
    fileprivate func text(
        _ done: String, _ outcome: ChangeOutcome, of id: String, _ seen: TaskRow?,
        _ known: KnownTasks
    ) async throws -> String {
        switch outcome {
        case .taken(let row):
            return "\(done):\n\(known.line(of: row))"
        case .kept(let mutation):
            let row = try await self.known()[id] ?? seen
            return "\(done) on this device, not sent yet (write \(mutation.id.text)):\n"
                + (row.map { known.line(of: $0) } ?? "    \(id)")
        }
    }
}
