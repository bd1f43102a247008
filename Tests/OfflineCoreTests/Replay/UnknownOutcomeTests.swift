import FoundationEssentials
import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

@Suite("A write whose answer is lost", .timeLimit(.minutes(5)))
struct UnknownOutcomeTests {
    private static let uuid = "0190a5b0-0000-7000-8000-000000000001"
    private static let there =
        #"{"code":"23505","message":"m","details":"Key (id)=(1) already exists."}"#

    /// Makes an insert whose answer is lost and that is refused the second time, as its key is there.
    private func insert(
        _ key: JSONValue, finding rows: String, _ world: World
    ) async throws -> MutationOutcome? {
        world.network.loseAnswer()
        let outcome = try await world.client.from("tasks")
            .insert(["id": key, "title": "a", "n": 1.50] as JSONValue).execute()
        world.network.answer(status: 409, json: Self.there)
        world.network.answer(json: rows)
        return try await outcome.mutation?.outcome
    }

    @Test func `has arrived, if the row that is in its way is its own`() throws {
        try World.run { world in
            try await world.warm("[]")
            let row = #"[{"id":1,"title":"a","n":1.5,"done":false}]"#
            let end = try await insert(1, finding: row, world)
            #expect(end == .applied(rows: 1))
            #expect(world.sent.last == "GET /tasks?id=eq.1")
            // As the server has it, and for certain.
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(row))
        }
    }

    @Test func `has arrived, if nobody else can have made its key`() throws {
        try World.run { world in
            let other = #"[{"id":"\#(Self.uuid)","title":"changed since"}]"#
            let end = try await insert(.string(Self.uuid), finding: other, world)
            #expect(end == .applied(rows: 1))
        }
        try World.run { world in
            try await world.warm("[]")
            let end = try await insert(.string(Self.uuid), finding: "[]", world)
            #expect(end == .applied(rows: nil))
            let list = try await world.tasks(.cacheOnly).execute()
            #expect(list.isStale)
        }
    }

    @Test func `is rejected with the server's row, if that is another one`() throws {
        try World.run { world in
            let end = try await insert(1, finding: #"[{"id":1,"title":"theirs"}]"#, world)
            guard case .rejected(.occupied(let error, let row))? = end else {
                Issue.record("\(String(describing: end))")
                return
            }
            #expect(error.code == "23505")
            #expect(row == Data(#"{"id":1,"title":"theirs"}"#.utf8))
        }
    }

    @Test func `stays unknown, if the row can't be seen and others make such keys`() throws {
        try World.run { world in
            let end = try await insert(1, finding: "[]", world)
            #expect(end == .rejected(.outcomeUnknown))
        }
    }

    @Test func `is refused for a key that was there from the start`() throws {
        try World.run { world in
            world.network.refuseConnection()
            let outcome = try await world.insert(1)
            world.network.answer(status: 409, json: Self.there)
            let end = try await outcome.mutation?.outcome
            // It never left before, so the row can't be its own, and nobody reads it.
            guard case .rejected(.refused)? = end else {
                Issue.record("\(String(describing: end))")
                return
            }
            #expect(world.sent.count == 2)
        }
    }

    @Test func `is asked about again where the row can't be read`() throws {
        try World.run { world in
            world.network.loseAnswer()
            let outcome = try await world.insert(1)
            world.network.answer(status: 409, json: Self.there)
            world.network.refuseConnection()
            world.network.answer(status: 409, json: Self.there)
            world.network.answer(json: #"[{"id":1,"title":"a"}]"#)
            let end = try await outcome.mutation?.outcome
            #expect(end == .applied(rows: 1))
        }
    }

    @Test func `is sent again if it sets the same values, and its count is unknown`() throws {
        try World.run { world in
            world.network.loseAnswer()
            let outcome = try await world.rename(1, "b")
            world.network.accept(200, json: #"[{"id":1,"title":"b"}]"#)
            let end = try await outcome.mutation?.outcome
            #expect(end == .applied(rows: nil))
            #expect(world.sent[0] == world.sent[1])
        }
    }

    @Test func `that was to hit a row as it was has changed the row itself`() throws {
        try World.run { world in
            world.network.loseAnswer()
            let outcome = try await world.client.from("tasks").update(["title": "b"])
                .eq("id", value: 1).ifUnchanged("version", 1).execute()
            world.network.accept(200, json: "[]")
            world.network.answer(json: #"[{"id":1,"title":"b","version":2}]"#)
            let end = try await outcome.mutation?.outcome
            #expect(end == .applied(rows: nil))
        }
        try World.run { world in
            world.network.loseAnswer()
            let outcome = try await world.client.from("tasks").update(["title": "b"])
                .eq("id", value: 1).ifUnchanged("version", 1).execute()
            world.network.accept(200, json: "[]")
            world.network.answer(json: #"[{"id":1,"title":"theirs","version":2}]"#)
            let end = try await outcome.mutation?.outcome
            guard case .rejected(.conflict(let conflict))? = end else {
                Issue.record("\(String(describing: end))")
                return
            }
            #expect(conflict.current == Data(#"{"id":1,"title":"theirs","version":2}"#.utf8))
        }
    }

    @Test func `is remembered over a restart`() throws {
        let storage = ReopenedStorage()
        try World.run(storage: storage) { world in
            world.network.loseAnswer()
            try await world.insert(1)
            await world.client.close()
        }
        try World.run(storage: storage.reopened()) { world in
            world.network.answer(status: 409, json: Self.there)
            world.network.answer(json: #"[{"id":1,"title":"a"}]"#)
            await world.network.waitForRequests(2)
            await world.settle()
            let (pending, rejected) = (await world.pending(), await world.rejected())
            #expect(pending.isEmpty && rejected.isEmpty)
        }
    }

    // MARK: Functions

    @Test func `is not made again if it calls a function that is not said to bear that`() throws {
        try World.run { world in
            func pay() async throws -> WriteOutcome<Void> {
                try await world.client.rpc("pay", params: ["sum": 1], queue: .whenOffline())
                    .execute()
            }
            // Who waits is told, and nothing stays.
            world.network.loseAnswer()
            let error = await #expect(throws: OfflineError.self) { try await pay() }
            guard case .outcomeUnknown(_?)? = error?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
            let outcome = try await world.offline { try await pay() }
            world.network.loseAnswer()
            let end = try await outcome.mutation?.outcome
            #expect(end == .rejected(.outcomeUnknown) && world.sent.count == 3)
            // Who retries it knows that.
            world.network.accept(200, json: "1")
            try await world.client.retry(try #require(outcome.mutation?.id))
            let second = try await outcome.mutation?.outcome
            #expect(second == .applied(rows: nil))
        }
        try World.run { world in
            world.network.loseAnswer()
            let outcome = try await world.client.rpc(
                "pay", params: ["sum": 1], queue: .whenOffline(isIdempotent: true)
            ).execute()
            world.network.accept(204)
            let end = try await outcome.mutation?.outcome
            #expect(end == .applied(rows: nil) && world.sent.count == 2)
        }
    }

    @Test func `and calls a function makes the lists stale that it changes`() throws {
        try World.run { world in
            try await world.warm(#"[{"id":1}]"#)
            let outcome = try await world.offline {
                try await world.client.rpc(
                    "f", queue: .whenOffline(invalidates: ["tasks"], isIdempotent: true)
                ).execute()
            }
            let before = try await world.kept(world.tasks(.cacheOnly))
            #expect(before == .init(#"[{"id":1}]"#))
            world.network.accept(204)
            _ = try await outcome.mutation?.outcome
            let after = try await world.kept(world.tasks(.cacheOnly))
            #expect(after == .init(#"[{"id":1}]"#, isStale: true))
        }
    }

    @Test func `and calls a function goes in order with the writes`() throws {
        try World.run { world in
            try await world.offline {
                try await world.insert(1)
                try await world.client.rpc("f", queue: .whenOffline()).execute()
                try await world.rename(1, "b")
            }
            world.network.accept()
            world.network.accept(200, json: "1")
            world.network.accept(200, json: "[]")
            try await world.client.syncPendingMutations()
            #expect(
                world.sent.suffix(3).map { $0.prefix(11) } == [
                    "POST /tasks", "POST /rpc/f", "PATCH /task",
                ])
        }
    }
}
