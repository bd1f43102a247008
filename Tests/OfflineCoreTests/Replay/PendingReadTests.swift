import FoundationEssentials
import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

@Suite("A list with writes in the queue", .timeLimit(.minutes(5)))
struct PendingReadTests {
    private static let rows = #"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#

    @Test func `shows them, from the device and from the server, and says so`() throws {
        try World.run { world in
            try await world.warm(Self.rows)
            try await world.offline {
                try await world.rename(1, "x")
                try await world.remove(2)
                try await world.insert(3, title: "c")
            }
            let shown = #"[{"id":1,"title":"x"},{"id":3,"title":"c"}]"#
            let cached = try await world.tasks(.cacheOnly).execute()
            #expect(cached.text == shown && cached.hasPendingMutations && cached.isFromCache)
            world.network.answer(json: Self.rows)
            let fetched = try await world.tasks(.networkOnly).execute()
            #expect(fetched.text == shown && fetched.hasPendingMutations && !fetched.isFromCache)
            #expect(!fetched.isStale)
        }
    }

    @Test func `shows them after a restart without a network`() throws {
        let storage = ReopenedStorage()
        try World.run(storage: storage) { world in
            try await world.warm(Self.rows)
            try await world.offline { try await world.rename(1, "x") }
            await world.client.close()
        }
        try World.run(storage: storage.reopened()) { world in
            world.network.setDown(true)
            let list = try await world.tasks(.networkFirst).execute()
            #expect(list.text == #"[{"id":1,"title":"x"},{"id":2,"title":"b"}]"#)
            #expect(list.hasPendingMutations)
        }
    }

    @Test func `keeps what the server has said without them`() throws {
        try World.run { world in
            try await world.warm(Self.rows)
            let outcome = try await world.offline { try await world.rename(1, "x") }
            world.network.answer(json: Self.rows)
            try await world.tasks(.networkOnly).execute()
            await world.client.reads.waitUntilStored()
            try await world.client.discard(try #require(outcome.mutation?.id))
            let list = try await world.tasks(.cacheOnly).execute()
            #expect(list.text == Self.rows && !list.hasPendingMutations)
        }
    }

    @Test func `of another table or schema shows nothing of them`() throws {
        try World.run { world in
            try await world.keep(Self.rows, world.client.from("notes").select())
            try await world.keep(Self.rows, world.client.schema("audit").from("tasks").select())
            try await world.offline { try await world.rename(1, "x") }
            for read in [
                world.client.from("notes").select(readStrategy: .cacheOnly),
                world.client.schema("audit").from("tasks").select(readStrategy: .cacheOnly),
            ] {
                let list = try await read.execute()
                #expect(list.text == Self.rows && !list.hasPendingMutations)
            }
        }
    }

    @Test func `shows an edit made while its row's insert is on its way, before and after`() throws
    {
        let gate = Gate()
        try World.run { world in
            try await world.warm("[]")
            world.network.accept(json: #"[{"id":1,"title":"a","n":0}]"#, after: gate)
            let insert = world.runtime.task(name: "insert") {
                await Result {
                    try await world.client.from("tasks")
                        .insert(["id": 1, "title": "a"] as JSONValue).select().execute()
                }
            }
            await world.network.waitForRequests(2)
            world.network.loseAnswer()
            let edit = world.runtime.task(name: "edit") {
                await Result { try await world.rename(1, "b") }
            }
            await world.settle()
            let during = try await world.tasks(.cacheOnly).execute()
            #expect(during.text == #"[{"id":1,"title":"b"}]"#)
            gate.open()
            _ = try await insert.value.get()
            let kept = try await edit.value.get()
            let after = try await world.tasks(.cacheOnly).execute()
            #expect(after.text == #"[{"id":1,"title":"b","n":0}]"# && after.hasPendingMutations)
            world.network.accept(200, json: #"[{"id":1,"title":"b","n":0}]"#)
            _ = try await kept.mutation?.outcome
            let end = try await world.tasks(.cacheOnly).execute()
            #expect(end.text == #"[{"id":1,"title":"b","n":0}]"# && !end.hasPendingMutations)
        }
    }

    @Test func `brings in a row that newly passes, from a list that knows it whole`() throws {
        try World.run { world in
            try await world.warm(#"[{"id":1,"title":"a","done":true}]"#)
            func undone(_ strategy: ReadStrategy) -> PostgrestFilterBuilder {
                world.tasks(strategy).eq("done", value: false)
            }
            try await world.keep("[]", undone(.networkOnly))
            try await world.offline {
                try await world.client.from("tasks").update(["done": false]).eq("id", value: 1)
                    .execute()
            }
            let list = try await undone(.cacheOnly).execute()
            #expect(list.text == #"[{"id":1,"title":"a","done":false}]"#)
        }
    }

    @Test func `leaves out rows that the app's type can't decode yet, and names them`() throws {
        struct Task: Decodable, Sendable {
            let id: Int
            let created: String
        }
        try World.run { world in
            try await world.warm(#"[{"id":1,"created":"now"}]"#)
            try await world.offline { try await world.insert(2) }
            let list = try await world.tasks(.cacheOnly).execute([Task].self)
            #expect(list.value.map(\.id) == [1] && list.undecodedKeys == [["id": 2]])
        }
    }

    @Test func `shows what the server has made of a row, and what is still to be sent`() throws {
        try World.run { world in
            try await world.warm(#"[{"id":1,"a":0,"b":0,"c":0}]"#)
            try await world.offline {
                let tasks = world.client.from("tasks")
                try await tasks.update(["a": 1, "b": 1]).eq("id", value: 1).separately().execute()
                try await tasks.update(["b": 2]).eq("id", value: 1).separately().execute()
            }
            // A trigger has had its say.
            world.network.accept(200, json: #"[{"id":1,"a":7,"b":7,"c":7}]"#)
            world.network.refuseConnection()
            let report = try await world.client.syncPendingMutations()
            #expect(report.sent == 1 && report.left == 1)
            let list = try await world.tasks(.cacheOnly).execute()
            #expect(list.text == #"[{"id":1,"a":7,"b":2,"c":7}]"# && list.hasPendingMutations)
        }
    }

    @Test func `of which one is rejected shows the server's rows with the others`() throws {
        try World.run { world in
            try await world.warm(Self.rows)
            try await world.offline {
                try await world.client.from("tasks").update(["title": "x"]).eq("id", value: 1)
                    .separately().execute()
                try await world.client.from("tasks").update(["title": "b", "n": 1] as JSONValue).eq(
                    "id", value: 1
                )
                .separately().execute()
            }
            world.network.refuse(403, "42501")
            world.network.loseAnswer()
            try await world.client.syncPendingMutations()
            let list = try await world.tasks(.cacheOnly).execute()
            #expect(list.text == #"[{"id":1,"title":"b"},{"id":2,"title":"b"}]"#)
            #expect(list.hasPendingMutations)
        }
    }
}
