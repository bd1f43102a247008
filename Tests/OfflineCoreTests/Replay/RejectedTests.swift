import FoundationEssentials
import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

@Suite("A rejected write", .timeLimit(.minutes(5)))
struct RejectedTests {
    /// Has an insert of a row rejected that nobody waits for, with what was written behind it.
    private func reject(
        _ world: World, _ status: Int = 403, _ code: String = "42501",
        then later: () async throws -> Void = {}
    ) async throws -> UUID {
        let outcome = try await world.offline {
            let outcome = try await world.insert(1)
            try await later()
            return outcome
        }
        world.network.refuse(status, code)
        try await world.client.syncPendingMutations()
        return try #require(outcome.mutation?.id)
    }

    @Test func `is told: to who waits for its end, to who listens, and in the list`() throws {
        try World.run { world in
            let events = world.client.mutationOutcomes
            let outcome = try await world.offline { try await world.insert(1) }
            let mutation = try #require(outcome.mutation)
            let end = world.runtime.task(name: "end") {
                await Result { try await mutation.outcome }
            }
            await world.settle()
            world.network.refuse(403, "42501")
            try await world.client.syncPendingMutations()
            let refusal = PostgrestError(status: 403, code: "42501", message: "no")
            let outcomeTold = try await end.value.get()
            #expect(outcomeTold == .rejected(.refused(refusal)))
            for await event in events {
                #expect(event == MutationEvent(id: mutation.id, outcome: outcomeTold))
                break
            }
            // Who listens later has the list at once.
            let rejected = await world.rejected()
            #expect(rejected.map(\.rejection) == [.refused(refusal)])
            #expect(rejected.first?.rejectedAt == world.clock.date)
            #expect(world.client.currentSyncStatus.rejectedCount == 1)
        }
    }

    @Test func `shows in no list any more`() throws {
        try World.run { world in
            try await world.warm("[]")
            _ = try await reject(world)
            let list = try await world.tasks(.cacheOnly).execute()
            #expect(list.text == "[]" && !list.hasPendingMutations)
        }
    }

    @Test func `takes along what names only its row, and is retried with it in the old order`()
        throws
    {
        try World.run { world in
            let id = try await reject(world) {
                try await world.rename(1, "b")
                try await world.rename(2, "other")
            }
            // The other one was sent, and had no answer left.
            let rejected = await world.rejected()
            #expect(rejected.map(\.rejection.dependsOn) == [nil, id])
            let requests = world.network.requests.count
            world.network.accept(200, json: "[]")
            try await world.client.syncPendingMutations()
            world.network.accept()
            world.network.accept(200, json: #"[{"id":1,"title":"b"}]"#)
            let again = try await world.client.retry(id)
            #expect(again.map(\.operation) == [.insert, .update])
            await world.network.waitForRequests(requests + 3)
            await world.settle()
            #expect(
                world.sent.suffix(2) == [
                    #"POST /tasks {"id":1,"title":"a"}"#, #"PATCH /tasks?id=eq.1 {"title":"b"}"#,
                ])
            let (pending, left) = (await world.pending(), await world.rejected())
            #expect(pending.isEmpty && left.isEmpty)
            let end = try await world.client.outcome(of: id)
            #expect(end == .applied(rows: 1))
        }
    }

    @Test func `counts as never sent: nothing is read back for it, and it can be taken back`()
        throws
    {
        try World.run { world in
            let id = try await reject(world)
            try await world.offline {
                try await world.client.retry(id)
                await world.settle()
            }
            world.network.refuse(409, "23505")
            try await world.client.syncPendingMutations()
            let rejected = await world.rejected()
            #expect(rejected.map(\.rejection.error?.code) == ["23505"])
            #expect(!world.sent.contains { $0.hasPrefix("GET") })
            try await world.offline {
                try await world.client.retry(id)
                await world.settle()
                try await world.client.discard(id)
            }
        }
    }

    @Test func `counts as perhaps sent if the answer to an earlier attempt was lost`() throws {
        try World.run { world in
            world.network.loseAnswer()
            let mutation = try #require(try await world.rename(1, "b").mutation)
            world.network.refuse(403, "42501")
            try await world.client.syncPendingMutations()
            try await world.offline {
                try await world.client.retry(mutation.id)
                await world.settle()
            }
            await #expect(throws: OfflineError.self) {
                try await world.client.discard(mutation.id)
            }
        }
    }

    @Test func `keeps writes made later that name only its row from the void`() throws {
        try World.run { world in
            let id = try await reject(world)
            let later = try await world.rename(1, "b")
            let end = try await later.mutation?.outcome
            #expect(end == .rejected(.dependency(on: id)))
            #expect(!world.sent.contains { $0.hasPrefix("PATCH") })
            // Nor does it count as sent once it is in the queue again.
            try await world.offline {
                try await world.client.retry(id)
                await world.settle()
                try await world.client.discard(try #require(later.mutation?.id))
            }
        }
    }

    @Test func `goes with a delete of its row, and so does what lies between`() throws {
        try World.run { world in
            let id = try await reject(world) {
                try await world.rename(1, "b")
                try await world.remove(1)
            }
            let (pending, rejected) = (await world.pending(), await world.rejected())
            #expect(pending.isEmpty && rejected.isEmpty)
            let end = try await world.client.outcome(of: id)
            #expect(end == .cancelledOut)
            #expect(!world.sent.contains { $0.hasPrefix("DELETE") || $0.hasPrefix("PATCH") })
        }
    }

    @Test func `goes with a delete of its row that is made later`() throws {
        try World.run { world in
            let id = try await reject(world)
            let deletion = try await world.remove(1)
            let ends = [
                try await deletion.mutation?.outcome, try await world.client.outcome(of: id),
            ]
            #expect(ends == [.cancelledOut, .cancelledOut])
            let rejected = await world.rejected()
            #expect(rejected.isEmpty && !world.sent.contains { $0.hasPrefix("DELETE") })
        }
    }

    @Test func `leaves behind what only comes after it, when its row is deleted`() throws {
        try World.run { world in
            let (first, second) = try await world.offline {
                let first = try #require(try await world.insert(1).mutation)
                let second = try await world.client.from("photos").insert(["id": 9]).after(first)
                    .execute()
                try await world.rename(1, "b")
                return (first, try #require(second.mutation))
            }
            world.network.refuse(403, "42501")
            try await world.client.syncPendingMutations()
            let deletion = try await world.remove(1)
            let ends = [
                try await deletion.mutation?.outcome,
                try await world.client.outcome(of: first.id),
            ]
            #expect(ends == [.cancelledOut, .cancelledOut])
            let rejected = await world.rejected()
            #expect(rejected.map(\.id) == [second.id])
            #expect(rejected.map(\.rejection) == [.dependency(on: first.id)])
            #expect(world.client.currentSyncStatus.rejectedCount == 1)
            // Retried, it goes alone.
            world.network.accept()
            try await world.client.retry(second.id)
            let end = try await second.outcome
            #expect(end == .applied(rows: 1))
        }
    }

    @Test(arguments: ["insert", "upsert", "requireServer", "later"])
    func `holds up no edit of its row once another write has brought it`(_ again: String) throws {
        try World.run { world in
            _ = try await reject(world)
            let row: JSONValue = ["id": 1, "title": "again"]
            let tasks = world.client.from("tasks")
            if again != "later" { world.network.accept() }
            switch again {
            case "insert": try await tasks.insert(row).execute()
            case "upsert": try await tasks.upsert(row).execute()
            case "requireServer": try await tasks.insert(row, policy: .requireServer).execute()
            default:
                try await world.offline { try await tasks.insert(row).execute() }
                world.network.accept()
                try await world.client.syncPendingMutations()
            }
            world.network.accept(204)
            let edit = try await world.rename(1, "b")
            #expect(edit.mutation == nil)
            world.network.accept(204)
            let deletion = try await world.remove(1)
            #expect(deletion.mutation == nil)
            #expect(
                world.sent.suffix(2) == [
                    #"PATCH /tasks?id=eq.1 {"title":"b"}"#, "DELETE /tasks?id=eq.1",
                ])
            let rejected = await world.rejected()
            #expect(rejected.map(\.rejection.error?.code) == ["42501"])
        }
    }

    @Test func `takes along what was made to come after it`() throws {
        try World.run { world in
            let (first, second) = try await world.offline {
                let first = try #require(try await world.insert(1).mutation)
                let second = try await world.client.from("photos").insert(["id": 9]).after(first)
                    .execute()
                return (first, try #require(second.mutation))
            }
            world.network.refuse(403, "42501")
            try await world.client.syncPendingMutations()
            let end = try await second.outcome
            #expect(end == .rejected(.dependency(on: first.id)))
            #expect(!world.sent.contains { $0.contains("/photos") })
        }
    }

    @Test func `takes along a row that needs its row`() throws {
        try World.run { world in
            let id = try await reject(world)
            world.network.answer(
                status: 409,
                json: #"""
                    {"code":"23503","message":"m",
                    "details":"Key (task_id)=(1) is not present in table \"tasks\"."}
                    """#)
            let photo = try await world.client.from("photos")
                .insert(["id": 9, "task_id": 1] as JSONValue).execute()
            let end = try await photo.mutation?.outcome
            #expect(end == .rejected(.dependency(on: id)))
        }
    }

    @Test func `is retried with other values, and keeps its key`() throws {
        try World.run { world in
            let id = try await reject(world, 400, "22001")
            await #expect(throws: OfflineError.self) {
                try await world.client.retry(id, replacing: ["id": 2])
            }
            await #expect(throws: OfflineError.self) {
                try await world.client.retry(id, replacing: 7)
            }
            let rejected = await world.rejected()
            #expect(rejected.count == 1)
            world.network.accept()
            try await world.client.retry(id, replacing: ["title": "short"])
            let end = try await world.client.outcome(of: id)
            #expect(end == .applied(rows: 1))
            #expect(world.sent.last == #"POST /tasks {"title":"short","id":1}"#)
        }
    }

    @Test func `is discarded, alone or with all others`() throws {
        try World.run { world in
            let id = try await reject(world) { try await world.rename(1, "b") }
            let discarded = try await world.client.discard(id)
            #expect(discarded.map(\.operation) == [.insert, .update])
            let rejected = await world.rejected()
            #expect(rejected.isEmpty)
            let end = try await world.client.outcome(of: id)
            #expect(end == .discarded)
            _ = try await reject(world)
            let all = try await world.client.discardAll()
            #expect(all.count == 1)
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.retry(id)
            }
            #expect(error?.reason == .unknownMutation)
        }
    }
}

extension MutationRejection {
    /// The write that it depends on.
    fileprivate var dependsOn: UUID? {
        if case .dependency(let id) = self { id } else { nil }
    }
}
