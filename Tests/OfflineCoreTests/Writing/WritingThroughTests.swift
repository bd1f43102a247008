import FoundationEssentials
import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

@Suite("The lists on the device, after a write", .timeLimit(.minutes(5)))
struct WritingThroughTests {
    private struct Row: Codable, Equatable, Sendable {
        var id: Int
        var t: String
    }

    private static let rows = #"[{"id":1,"t":"a"},{"id":2,"t":"b"}]"#
    private static let changed = #"[{"id":1,"t":"x"},{"id":2,"t":"b"}]"#

    @Test func `have it when the call returns, and after a restart`() throws {
        let storage = ReopenedStorage()
        try World.run(storage: storage) { world in
            try await world.keep(Self.rows, world.tasks(.networkOnly))
            let fetchedAt = try await world.tasks(.cacheOnly).execute().fetchedAt
            world.clock.advance(by: .seconds(5))
            try await world.changeFirst()
            let list = try await world.tasks(.cacheOnly).execute()
            #expect((list.text, list.isStale) == (Self.changed, false))
            // A write makes a list no younger.
            #expect(list.fetchedAt == fetchedAt)
            await world.client.close()
        }
        try World.run(storage: storage.reopened()) { world in
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(Self.changed))
        }
    }

    @Test func `have it too while they are still on their way to the disk`() throws {
        try World.run { world in
            world.network.answer(json: Self.rows)
            try await world.tasks(.networkOnly).execute()
            try await world.changeFirst()
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(Self.changed))
        }
    }

    @Test func `of another table or schema are not touched, whatever their keys`() throws {
        try World.run { world in
            let others = [
                world.client.from("notes").select(readStrategy: .networkOnly),
                world.client.schema("audit").from("tasks").select(readStrategy: .networkOnly),
            ]
            for list in others + [world.tasks(.networkOnly)] {
                try await world.keep(Self.rows, list)
            }
            try await world.changeFirst()
            let kept = [
                world.client.from("notes").select(readStrategy: .cacheOnly),
                world.client.schema("audit").from("tasks").select(readStrategy: .cacheOnly),
            ]
            for list in kept {
                let list = try await world.kept(list)
                #expect(list == .init(Self.rows))
            }
            let own = try await world.kept(world.tasks(.cacheOnly))
            #expect(own == .init(Self.changed))
        }
    }

    @Test func `of another user are not touched`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: {
            $0.accessToken = source.closure
            $0.signOutPolicy = .keepCache
        }) { world in
            try await world.keep(Self.rows, world.tasks(.networkOnly))
            await source.say(.token(token(for: "grace")))
            try await world.keep(Self.rows, world.tasks(.networkOnly))
            try await world.changeFirst()
            await source.say(.token(token(for: "ada")))
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(Self.rows))
        }
    }

    @Test(arguments: [
        ("*,tasks(id)", true), ("*,open:tasks(id)", true), ("*,photos(*,tasks!inner(id))", true),
        // A column, or a constraint, may refer to any table.
        ("*,next:next_id(t)", true), ("*,photos(id)", false), ("*", false),
    ])
    func `that have the table's rows beside their own are stale`(
        _ select: String, _ isStale: Bool
    ) throws {
        try World.run(configure: { $0.primaryKeys = ["photos": ["id"]] }) { world in
            let projects = world.client.from("projects")
            try await world.keep(
                #"[{"id":1}]"#, projects.select(select, readStrategy: .networkOnly))
            try await world.changeFirst()
            let list = try await world.kept(projects.select(select, readStrategy: .cacheOnly))
            #expect(list == .init(#"[{"id":1}]"#, isStale: isStale))
        }
    }

    @Test func `that have rows of a table that is known by its own lists stay fresh`() throws {
        try World.run { world in
            let projects = world.client.from("projects")
            try await world.keep(
                "[]", world.client.from("photos").select(readStrategy: .networkOnly))
            try await world.keep("[]", projects.select("*,photos(id)", readStrategy: .networkOnly))
            try await world.changeFirst()
            let list = try await world.kept(
                projects.select("*,photos(id)", readStrategy: .cacheOnly))
            #expect(list == .init("[]"))
        }
    }

    @Test func `may follow a table that only connects others, and are stale`() throws {
        try World.run(configure: {
            $0.primaryKeys = ["task_tags": ["task_id", "tag_id"], "tags": ["id"]]
        }) { world in
            try await world.keep(
                "[]", world.client.from("tasks").select("*,tags(*)", readStrategy: .networkOnly))
            world.network.accept(json: #"[{"task_id":1,"tag_id":2}]"#)
            try await world.client.from("task_tags").insert(["task_id": 1, "tag_id": 2]).select()
                .execute()
            let list = try await world.kept(
                world.client.from("tasks").select("*,tags(*)", readStrategy: .cacheOnly))
            #expect(list == .init("[]", isStale: true))
        }
    }

    @Test func `are asked for again if they are stale, and are fresh then`() throws {
        try World.run { world in
            try await world.keep(Self.rows, world.tasks(.networkOnly))
            world.network.accept()
            try await world.client.from("tasks").insert(["t": "c"]).execute()
            world.network.answer(json: #"[{"id":7,"t":"c"}]"#)
            let list = try await world.tasks(.cacheFirst).execute()
            #expect(!list.isFromCache && !list.isStale && list.text == #"[{"id":7,"t":"c"}]"#)
        }
    }

    @Test func `leave out and name a row of the user's own that the app's type can't decode`()
        throws
    {
        try World.run { world in
            try await world.keep(Self.rows, world.tasks(.networkOnly))
            world.network.accept()
            try await world.client.from("tasks").insert([["id": 3], ["id": 4]]).execute()
            world.network.accept()
            try await world.client.from("tasks").insert(["id": 5, "t": "e"] as JSONValue).execute()
            let list = try await world.tasks(.cacheOnly).execute([Row].self)
            #expect(list.value == [Row(id: 1, t: "a"), Row(id: 2, t: "b"), Row(id: 5, t: "e")])
            #expect(list.undecodedKeys == [["id": 3], ["id": 4]])
            #expect(list.text.contains(#"{"id":3}"#))
            let row = try await world.tasks(.cacheOnly).row(4, as: Row.self)
            #expect(row.value == nil && row.undecodedKeys == [["id": 4]])
            // The server's own rows have to fit.
            await #expect {
                try await world.tasks(.cacheOnly).execute([[String: Int]].self)
            } throws: {
                OfflineError.decoding ~= $0
            }
        }
    }

    @Test func `name no row any more once the server has told it`() throws {
        try World.run { world in
            try await world.keep(Self.rows, world.tasks(.networkOnly))
            world.network.accept()
            try await world.client.from("tasks").insert(["id": 3]).execute()
            world.network.accept(200, json: #"[{"id":3,"t":"c"}]"#)
            try await world.client.from("tasks").update(["t": "c"]).eq("id", value: 3).execute()
            let list = try await world.tasks(.cacheOnly).execute([Row].self)
            #expect(list.value.last == Row(id: 3, t: "c") && list.undecodedKeys.isEmpty)
        }
    }

    @Test func `count as stale if the disk could not take a write`() throws {
        let storage = FailingStorage()
        let log = MessageRecorder()
        try World.run(
            storage: storage,
            configure: {
                $0.logLevel = .warning
                $0.logHandler = log.note
            }
        ) { world in
            try await world.keep(Self.rows, world.tasks(.networkOnly))
            storage.failWrites(with: .full)
            // A write that is to be kept first is not even sent.
            try await world.changeFirst(policy: .requireServer)
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(Self.rows, isStale: true))
            #expect(log.messages.contains { $0.contains("count as stale") })
            world.network.answer(json: Self.changed)
            let asked = try await world.tasks(.cacheFirst).execute()
            #expect(!asked.isFromCache && !asked.isStale)
            storage.failWrites(with: nil)
            try await world.keep(Self.changed, world.tasks(.networkOnly))
            let fresh = try await world.kept(world.tasks(.cacheOnly))
            #expect(fresh == .init(Self.changed))
        }
    }

    @Test func `that answer a later request have it in them, and stay as they are`() throws {
        try World.run { world in
            try await world.keep(Self.rows, world.tasks(.networkOnly))
            let write = try FoldCase.Write.update(
                #"{"t":"x"}"#, "id=eq.1", returning: #"[{"id":1,"t":"x"}]"#
            ).accepted()
            let identity = Identity(project: "xyz.supabase.co", owner: .visitor)
            let number = world.client.store.numbers.last
            let lists = world.client.store.lists
            try await lists.writeThrough([write], of: identity, acceptedAs: number, [])
            let later = try await world.kept(world.tasks(.cacheOnly))
            #expect(later == .init(Self.rows))
            try await lists.writeThrough([write], of: identity, acceptedAs: number + 1, [])
            let earlier = try await world.kept(world.tasks(.cacheOnly))
            #expect(earlier == .init(Self.changed))
        }
    }

    @Test(arguments: FailingStoreTests.Damage.allCases)
    func `that are damaged don't fail a write`(_ damage: FailingStoreTests.Damage) throws {
        try World.run { world in
            for keyspace in [Keyspace.lists, .bodies, .rows, .embedding] {
                let read = world.client.from("tasks").select(
                    "*,photos(*)", readStrategy: .networkOnly)
                try await world.keep(Self.rows, read)
                try world.storage.damage(keyspace, damage)
                try await world.changeFirst()
            }
        }
    }

    @Test func `grow by it, and make room`() throws {
        try World.run(configure: { $0.cacheSize = .bytes(4_096) }) { world in
            let text = String(repeating: "x", count: 3_000)
            try await world.keep(
                #"[{"id":"\#(text)"}]"#,
                world.client.from("notes").select(readStrategy: .networkOnly))
            world.clock.advance(by: .seconds(1))
            try await world.keep(Self.rows, world.tasks(.networkOnly))
            world.network.accept(json: #"[{"id":3,"t":"\#(text)"}]"#)
            try await world.client.from("tasks").insert(["id": 3]).select().execute()
            #expect(try world.listCount() == 1)
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list.text.count > 3_000)
        }
    }

    @Test func `keep room for what their rows take, whatever is written`() throws {
        try World.run { world in
            try await world.keep(Self.rows, world.tasks(.networkOnly))
            world.network.accept(200, json: #"[{"id":1,"t":"a"}]"#)
            try await world.client.from("tasks").delete().eq("id", value: 1).execute()
            let length = try world.storage.read { transaction throws(StorageError) in
                try transaction.value(KeyLayout.cachedLength, in: .meta)
            }
            #expect(length?.last == UInt8(#"[{"id":2,"t":"b"}]"#.utf8.count))
        }
    }
}

extension World {
    /// Changes the first row of the tasks, as the server returns it.
    fileprivate func changeFirst(policy: WritePolicy = .queueWhenOffline) async throws {
        network.accept(200, json: #"[{"id":1,"t":"x"}]"#)
        try await client.from("tasks").update(["t": "x"], policy: policy).eq("id", value: 1)
            .execute()
    }
}
