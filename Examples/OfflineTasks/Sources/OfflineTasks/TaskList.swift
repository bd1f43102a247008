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
        return ShownList(
            tasks: response.value, isFromCache: response.isFromCache,
            fetchedAt: response.fetchedAt, isStale: response.isStale)
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
    func add(_ task: NewTask) async throws -> TaskRow {
        try await client.from("tasks").insert(task, policy: .requireServer)
            .select().single().execute(TaskRow.self).answer
    }

    /// Gives a task another title, unless somebody has changed it since this device read it.
    ///
    /// Without a row of this id among those that are known, the title is set in any case.
    func edit(_ id: String, title: String, asIn known: KnownTasks) async throws -> TaskRow {
        var write = update(id, TaskColumns(title: title))
        if let seen = known[id] { write = write.ifUnchanged("updated_at", seen.updatedAt) }
        do {
            return try await row(of: id, after: write)
        } catch let error as OfflineError {
            guard case .conflict(let conflict) = error.reason else { throw error }
            let now = conflict.current.flatMap { try? JSONDecoder().decode(TaskRow.self, from: $0) }
            throw TaskError.conflict(now: now.map { known.line(of: $0) })
        }
    }

    /// Marks a task as done or not, whatever else has become of it meanwhile.
    func mark(_ id: String, isDone: Bool) async throws -> TaskRow {
        try await row(of: id, after: update(id, TaskColumns(done: isDone)))
    }

    /// Removes a task.
    ///
    /// - Returns: The task as it was.
    func remove(_ id: String) async throws -> TaskRow {
        let write = client.from("tasks").delete(policy: .requireServer).eq("id", value: id)
        return try await row(of: id, after: write)
    }

    private func update(_ id: String, _ columns: TaskColumns) -> PostgrestWriteBuilder {
        client.from("tasks").update(columns, policy: .requireServer).eq("id", value: id)
    }

    /// The one row that a write hit; it is no success to hit none.
    private func row(
        of id: String, after write: PostgrestWriteBuilder
    ) async throws -> TaskRow {
        let rows = try await write.select().execute([TaskRow].self).answer
        guard let row = rows.first else { throw TaskError.notOnServer(id) }
        return row
    }
}

extension WriteOutcome {
    /// What the server answered to a write that needed it.
    fileprivate var answer: Value {
        switch self {
        case .sent(let response): response.value
        @unknown default: preconditionFailure("the policy lets no write be anything but sent")
        }
    }
}
