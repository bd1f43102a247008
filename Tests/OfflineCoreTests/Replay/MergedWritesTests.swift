import FoundationEssentials
import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

@Suite("Writes that travel together", .timeLimit(.minutes(5)))
struct MergedWritesTests {
    @Test func `are one request for fifty keystrokes, with one outcome`() throws {
        try World.run { world in
            let outcomes = try await world.offline {
                var outcomes: [WriteOutcome<Void>] = []
                for length in 1...50 {
                    outcomes.append(
                        try await world.rename(1, String(repeating: "x", count: length)))
                }
                return outcomes
            }
            #expect(Set(outcomes.map(\.mutation?.id)).count == 1)
            world.network.accept(200, json: "[]")
            let report = try await world.client.syncPendingMutations()
            #expect(report.sent == 1)
            #expect(
                world.sent.last
                    == #"PATCH /tasks?id=eq.1 {"title":"\#(String(repeating: "x", count: 50))"}"#)
        }
    }

    @Test func `are not if they are to stay apart, or one may have left`() throws {
        try World.run { world in
            try await world.offline {
                try await world.rename(1, "a")
                try await world.client.from("tasks").update(["title": "b"]).eq("id", value: 1)
                    .separately().execute()
                try await world.rename(1, "c")
            }
            let three = await world.pending()
            #expect(three.count == 3)
        }
        try World.run { world in
            world.network.loseAnswer()
            try await world.rename(1, "a")
            try await world.offline { try await world.rename(1, "b") }
            let two = await world.pending()
            #expect(two.count == 2)
        }
    }

    @Test func `are inserts of one kind, in one request`() throws {
        try World.run { world in
            try await world.offline {
                for id in 1...3 { try await world.insert(id) }
            }
            world.network.accept()
            let report = try await world.client.syncPendingMutations()
            #expect(report.sent == 3)
            #expect(
                world.sent.last
                    == #"POST /tasks [{"id":1,"title":"a"},{"id":2,"title":"a"},{"id":3,"title":"a"}]"#
            )
        }
    }

    @Test func `are written through as what the server has returned of them`() throws {
        try World.run { world in
            try await world.warm("[]")
            let outcomes = try await world.offline {
                var outcomes: [WriteOutcome<Void>] = []
                for id in 1...2 {
                    outcomes.append(
                        try await world.client.from("tasks").insert(["id": id]).select().execute())
                }
                return outcomes
            }
            world.network.accept(json: #"[{"id":1,"n":0},{"id":2,"n":0}]"#)
            try await world.client.syncPendingMutations()
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":1,"n":0},{"id":2,"n":0}]"#))
            for outcome in outcomes {
                let end = try await outcome.mutation?.outcome
                #expect(end == .applied(rows: 1))
            }
        }
    }

    @Test(arguments: [
        (400, "23502"), (409, "23505"), (500, "57014"), (504, ""), (413, ""), (404, "PGRST205"),
    ])
    func `are sent one by one if they are refused together`(_ refusal: (Int, String)) throws {
        try World.run { world in
            try await world.offline {
                for id in 1...3 { try await world.insert(id) }
            }
            let before = world.network.requests.count
            if refusal.1.isEmpty {
                world.network.answer(status: refusal.0, json: #"{"message":"gateway"}"#)
            } else {
                world.network.refuse(refusal.0, refusal.1)
            }
            world.network.accept()
            world.network.refuse(400, "23502")
            world.network.accept()
            let report = try await world.client.syncPendingMutations()
            #expect(report.sent == 2 && report.rejected == 1 && report.stop == nil)
            #expect(
                world.sent.dropFirst(before + 1) == [
                    #"POST /tasks {"id":1,"title":"a"}"#, #"POST /tasks {"id":2,"title":"a"}"#,
                    #"POST /tasks {"id":3,"title":"a"}"#,
                ])
        }
    }

    @Test func `and are refused together are refused as each would be alone`() throws {
        try World.run { world in
            let outcomes = try await world.offline {
                (try await world.insert(1), try await world.insert(2))
            }
            // The key is another's, whatever its row looks like.
            world.network.refuse(409, "23505")
            world.network.accept()
            world.network.refuse(409, "23505")
            let before = world.network.requests.count
            let report = try await world.client.syncPendingMutations()
            #expect(report.sent == 1 && report.rejected == 1)
            #expect(world.network.requests.count == before + 3)
            let end = try await outcomes.1.mutation?.outcome
            guard case .rejected(.refused)? = end else {
                Issue.record("\(String(describing: end))")
                return
            }
        }
    }

    @Test func `are asked about one by one if nobody has answered`() throws {
        try World.run { world in
            try await world.offline {
                for id in 1...2 { try await world.insert(id) }
            }
            let before = world.network.requests.count
            world.network.loseAnswer()
            for id in 1...2 {
                world.network.refuse(409, "23505")
                world.network.answer(json: #"[{"id":\#(id),"title":"a"}]"#)
            }
            try await world.client.syncPendingMutations()
            await world.network.waitForRequests(before + 5)
            await world.settle()
            let pending = await world.pending()
            #expect(pending.isEmpty)
            #expect(
                world.sent.dropFirst(before + 1) == [
                    #"POST /tasks {"id":1,"title":"a"}"#, "GET /tasks?id=eq.1",
                    #"POST /tasks {"id":2,"title":"a"}"#, "GET /tasks?id=eq.2",
                ])
        }
    }

    @Test func `come from eight tasks in order, and none is missing`() throws {
        try World.run(seed: 7) { world in
            world.network.setDown(true)
            let tasks = (0..<8).map { task in
                world.runtime.task(name: "writer") {
                    for number in 0..<62 {
                        _ = try? await world.insert(task * 1_000 + number)
                    }
                }
            }
            for task in tasks { await task.value }
            let pending = await world.pending()
            let keys = pending.compactMap { mutation -> Int? in
                if case .integer(let key)? = mutation.rowKeys.first?["id"] { key } else { nil }
            }
            #expect(keys.count == 496 && Set(keys).count == 496)
            for task in 0..<8 {
                let own = keys.filter { $0 / 1_000 == task }
                #expect(own == own.sorted())
            }
        }
    }
}
