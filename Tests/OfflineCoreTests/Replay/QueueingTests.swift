import FoundationEssentials
import OfflineTesting
import StorageMemory
import TestSupport
import Testing

@testable import OfflineCore

@Suite("A write without the network", .timeLimit(.minutes(5)))
struct QueueingTests {
    @Test func `is kept, and says so`() throws {
        try World.run { world in
            let outcome = try await world.offline { try await world.insert(1) }
            let mutation = try #require(outcome.mutation)
            #expect(mutation.table == "tasks" && mutation.operation == .insert)
            #expect(mutation.rowKeys == [["id": 1]] && mutation.createdAt == world.clock.date)
            #expect(mutation.payload == Data(#"{"id":1,"title":"a"}"#.utf8))
            let pending = await world.pending()
            #expect(pending.map(\.id) == [mutation.id])
            #expect(world.client.currentSyncStatus.pendingCount == 1)
        }
    }

    @Test func `is sent when the app asks, as exactly that request`() throws {
        try World.run { world in
            let outcome = try await world.offline {
                try await world.client.from("tasks").upsert(
                    ["id": 1, "t": "é"] as JSONValue, onConflict: "id"
                ).setHeader(name: "X-App", value: "1").select("id").execute()
            }
            let direct = try #require(world.network.requests.first)
            world.network.accept(200, json: #"[{"id":1}]"#)
            let report = try await world.client.syncPendingMutations()
            #expect(report.sent == 1 && report.left == 0 && report.stop == nil)
            let replayed = try #require(world.network.requests.last)
            #expect(replayed.url == direct.url && replayed.method == direct.method)
            #expect(replayed.headers == direct.headers && replayed.body == direct.body)
            let end = try await outcome.mutation?.outcome
            #expect(end == .applied(rows: 1))
            let pending = await world.pending()
            #expect(pending.isEmpty)
        }
    }

    @Test func `is sent by itself after a wait`() throws {
        try World.run { world in
            world.network.refuseConnection()
            let outcome = try await world.insert(1)
            #expect(outcome.mutation != nil)
            world.network.accept()
            let end = try await outcome.mutation?.outcome
            #expect(end == .applied(rows: 1))
            #expect(world.elapsed >= .seconds(1) && world.elapsed <= .milliseconds(1_300))
        }
    }

    @Test func `is there after a restart, and sent`() throws {
        let storage = ReopenedStorage()
        try World.run(storage: storage) { world in
            try await world.offline {
                try await world.insert(1)
                try await world.rename(1, "b")
                try await world.remove(2)
            }
            await world.client.close()
        }
        try World.run(storage: storage.reopened()) { world in
            for status in [201, 200, 200] { world.network.accept(status, json: "[]") }
            try await world.client.syncPendingMutations()
            #expect(
                world.sent == [
                    #"POST /tasks {"id":1,"title":"a"}"#, #"PATCH /tasks?id=eq.1 {"title":"b"}"#,
                    "DELETE /tasks?id=eq.2",
                ])
        }
    }

    @Test func `keeps its place: nothing behind it is sent before it`() throws {
        try World.run { world in
            try await world.offline { try await world.insert(1) }
            world.network.refuse(503, "PGRST001")
            let second = try await world.rename(1, "b")
            #expect(second.mutation != nil)
            #expect(world.sent.count == 2 && world.sent[1].hasPrefix("POST"))
            world.network.accept()
            world.network.accept(200, json: #"[{"id":1,"title":"b"}]"#)
            let end = try await second.mutation?.outcome
            // What the first attempt has done is known: it was never sent.
            #expect(end == .applied(rows: 1))
        }
    }

    @Test func `that is refused while its caller waits is thrown, and nothing stays`() throws {
        try World.run { world in
            world.network.refuse(403, "42501")
            let error = await #expect(throws: OfflineError.self) { try await world.insert(1) }
            #expect(error?.refusal?.code == "42501")
            let (pending, rejected) = (await world.pending(), await world.rejected())
            #expect(pending.isEmpty && rejected.isEmpty)
        }
    }

    @Test func `behind others gets its own answer`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.accept(after: gate)
            world.network.refuse(403, "42501")
            world.network.accept(200, json: #"[{"id":3}]"#)
            let writes = [
                world.runtime.task(name: "1") { await Result { try await world.insert(1) } },
                world.runtime.task(name: "2") {
                    await world.settle()
                    return await Result { try await world.insert(2) }
                },
                world.runtime.task(name: "3") {
                    await world.settle()
                    await world.settle()
                    return await Result { try await world.rename(3, "c") }
                },
            ]
            for _ in 0..<4 { await world.settle() }
            gate.open()
            let first = try await writes[0].value.get()
            let third = try await writes[2].value.get()
            let second = await writes[1].value
            #expect(first.response?.status == 201 && third.response?.status == 200)
            #expect(throws: OfflineError.self) { try second.get() }
            #expect(world.sent.map { $0.prefix(5) } == ["POST ", "POST ", "PATCH"])
        }
    }

    @Test func `behind others is kept when the queue stops, and after the time of a request`()
        throws
    {
        let gate = Gate()
        try World.run(configure: { $0.requestTimeout = .seconds(20) }) { world in
            world.network.accept(after: gate)
            let first = world.runtime.task(name: "1") { await Result { try await world.insert(1) } }
            await world.network.waitForRequests(1)
            let second = try await world.insert(2)
            #expect(second.mutation != nil && world.elapsed == .seconds(20))
            gate.open()
            _ = try await first.value.get()
        }
    }
}

extension OfflineError {
    /// The server's refusal.
    var refusal: PostgrestError? {
        if case .server(let error) = reason { error } else { nil }
    }
}
