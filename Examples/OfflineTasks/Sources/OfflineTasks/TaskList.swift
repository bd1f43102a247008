import Foundation
import SupabaseOffline

/// The user's tasks.
struct TaskList {
    private let client: SupabaseOfflineClient

    init(_ client: SupabaseOfflineClient) { self.client = client }

    /// Reads all tasks, or those that are done or not.
    func read(_ strategy: ReadStrategy, isDone: Bool? = nil) async throws -> ShownList {
        var query = client.from("tasks").select(
            "id,title,done,priority,notes,updated_at", readStrategy: strategy)
        if let isDone { query = query.eq("done", value: isDone) }
        let response = try await query.order("created_at").order("id").execute([TaskRow].self)
        let unsent = response.hasPendingMutations ? await WriteQueue(client).pending() : []
        return ShownList(
            tasks: response.value, isFromCache: response.isFromCache,
            fetchedAt: response.fetchedAt, isStale: response.isStale,
            unsentCount: unsent.count, unsentIDs: Set(unsent.flatMap(\.taskIDs)))
    }

    /// Reads what this device has, without asking the server.
    func known() async throws -> KnownTasks {
        var lists: [ShownList] = []
        for isDone in [nil, false, true] {
            do {
                lists.append(try await read(.cacheOnly, isDone: isDone))
            } catch OfflineError.cacheMiss {
                // The user has not read this one.
            }
        }
        return KnownTasks(lists)
    }
}

// MARK: Writing

extension TaskList {
    func add(_ task: NewTask) async throws -> ChangeOutcome {
        try await outcome(of: task.id, after: client.from("tasks").insert(task))
    }

    /// Gives a task another title, unless somebody has changed it since this device read it.
    ///
    /// Without a row of this id among those that are known, the title is set in any case.
    func edit(_ id: String, title: String, asIn known: KnownTasks) async throws -> ChangeOutcome {
        var write = update(id, TaskColumns(title: title))
        if let seen = known[id] { write = write.ifUnchanged("updated_at", seen.updatedAt) }
        do {
            return try await outcome(of: id, after: write)
        } catch let error as OfflineError {
            guard case .conflict(let conflict) = error.reason else { throw error }
            throw TaskError.conflict(now: TaskRow(conflict).map { known.line(of: $0) })
        }
    }

    /// Marks a task as done or not, whatever else has become of it meanwhile.
    func mark(_ id: String, isDone: Bool) async throws -> ChangeOutcome {
        try await outcome(of: id, after: update(id, TaskColumns(done: isDone)))
    }

    /// Removes a task.
    func remove(_ id: String) async throws -> ChangeOutcome {
        try await outcome(of: id, after: client.from("tasks").delete().eq("id", value: id))
    }

    private func update(_ id: String, _ columns: TaskColumns) -> PostgrestWriteBuilder {
        client.from("tasks").update(columns).eq("id", value: id)
    }

    /// What has come of a write of one row; it is no success if the server found none.
    private func outcome(
        of id: String, after write: PostgrestWriteBuilder
    ) async throws -> ChangeOutcome {
        let outcome = try await write.select().execute([TaskRow].self)
        if let mutation = outcome.mutation { return .kept(mutation) }
        guard let row = outcome.response?.value.first else { throw TaskError.notOnServer(id) }
        return .taken(row)
    }
}

/// What has come of a change.
enum ChangeOutcome {
    /// The server has taken it; this is the row, for a removal as it was.
    case taken(TaskRow)
    /// It is on this device, and will be sent.
    case kept(PendingMutation)
}
