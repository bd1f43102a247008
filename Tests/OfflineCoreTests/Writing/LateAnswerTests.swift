import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("An answer to a read that was sent before a write was taken", .timeLimit(.minutes(5)))
struct LateAnswerTests {
    private static let before = #"[{"id":1,"t":"a"},{"id":2,"t":"b"}]"#

    /// What the device has of the list when the answer comes.
    enum State: CaseIterable { case warm, cold, evicted, cleared }

    enum Change: CaseIterable {
        case insert, minimalInsert, update, minimalUpdate, unpinned, delete, minimalDelete

        var after: String {
            switch self {
            case .insert, .minimalInsert: #"[{"id":1,"t":"a"},{"id":2,"t":"b"},{"id":3,"t":"c"}]"#
            case .update, .minimalUpdate, .unpinned: #"[{"id":1,"t":"x"},{"id":2,"t":"b"}]"#
            case .delete, .minimalDelete: #"[{"id":2,"t":"b"}]"#
            }
        }
    }

    @Test(arguments: State.allCases, Change.allCases)
    func `doesn't undo it`(_ state: State, _ change: Change) throws {
        let gate = Gate()
        try World.run(configure: { $0.cacheSize = .bytes(4_096) }) { world in
            if state != .cold { try await world.keep(Self.before, world.tasks(.networkOnly)) }
            let count = world.network.requests.count
            let read = world.late(Self.before, gate)
            await world.network.waitForRequests(count + 1)
            try await world.make(change)
            switch state {
            case .warm, .cold: break
            case .evicted:
                let long = String(repeating: "x", count: 4_000)
                try await world.keep(
                    #"[{"id":"\#(long)"}]"#,
                    world.client.from("notes").select(readStrategy: .networkOnly))
            case .cleared: try await world.client.clearCache()
            }
            gate.open()
            let answer = try await read.value.get()
            // Somebody else may have written too, of which the answer would have told.
            #expect((answer.text, answer.isStale) == (change.after, true))
            await world.client.reads.waitUntilStored()
            if state == .cleared {
                await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                    OfflineError.cacheMiss ~= $0
                }
            } else {
                let list = try await world.kept(world.tasks(.cacheOnly))
                #expect(list == .init(change.after, isStale: true))
            }
        }
    }

    @Test(arguments: [Change.insert, .update, .delete])
    func `is fresh if it has the write already`(_ change: Change) throws {
        let gate = Gate()
        try World.run { world in
            let read = world.late(change.after, gate)
            await world.network.waitForRequests(1)
            try await world.make(change)
            gate.open()
            let answer = try await read.value.get()
            #expect((answer.text, answer.isStale) == (change.after, false))
        }
    }

    @Test func `to a request that is sent again counts as newly sent`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.fail(TransportError(.unanswered, .connectionLost), after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks(.networkOnly).execute() }
            }
            await world.network.waitForRequests(1)
            try await world.make(.update)
            // Somebody else has changed the row again since.
            world.network.answer(json: #"[{"id":1,"t":"theirs"}]"#)
            gate.open()
            let answer = try await read.value.get()
            #expect((answer.text, answer.isStale) == (#"[{"id":1,"t":"theirs"}]"#, false))
        }
    }

    @Test func `takes every write since, in their order`() throws {
        let gate = Gate()
        try World.run { world in
            let read = world.late(Self.before, gate)
            await world.network.waitForRequests(1)
            for change in [Change.update, .insert, .minimalDelete] { try await world.make(change) }
            gate.open()
            let answer = try await read.value.get()
            #expect(answer.text == #"[{"id":2,"t":"b"},{"id":3,"t":"c"}]"#)
        }
    }

    @Test func `is remembered for, until the last read that was out has ended`() throws {
        let gates = [Gate(), Gate()]
        try World.run { world in
            world.network.answer(json: "[]", after: gates[0])
            let other = world.runtime.task(name: "read") {
                await Result {
                    try await world.client.from("tasks").select("id").eq("t", value: "z").execute()
                }
            }
            await world.network.waitForRequests(1)
            let read = world.late(Self.before, gates[1])
            await world.network.waitForRequests(2)
            try await world.make(.update)
            gates[0].open()
            _ = await other.value
            await world.settle()
            gates[1].open()
            let answer = try await read.value.get()
            #expect(answer.text == Change.update.after)
        }
    }

    @Test func `is not joined by reads that begin after it`() throws {
        let gate = Gate()
        try World.run { world in
            let read = world.late(Self.before, gate)
            await world.network.waitForRequests(1)
            try await world.make(.update)
            world.network.answer(json: Change.update.after)
            let later = try await world.tasks(.networkOnly).execute()
            #expect((later.text, later.isStale) == (Change.update.after, false))
            gate.open()
            _ = try await read.value.get()
            await world.client.reads.waitUntilStored()
            // The later answer stays.
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(Change.update.after))
        }
    }

    @Test func `of another table, schema or user is left as it is`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        let gate = Gate()
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            let client = world.client
            let others = [
                client.from("notes").select(), client.schema("audit").from("tasks").select(),
            ]
            var reads: [Task<Result<OfflineResponse<Void>, any Error>, Never>] = []
            for other in others {
                world.network.answer(json: Self.before, after: gate)
                reads.append(
                    world.runtime.task(name: "read") { await Result { try await other.execute() } })
                await world.network.waitForRequests(reads.count)
            }
            try await world.make(.update)
            gate.open()
            for read in reads {
                let answer = try await read.value.get()
                #expect((answer.text, answer.isStale) == (Self.before, false))
            }
        }
    }

    @Test func `is stale if nobody knows whether the write was done`() throws {
        let gate = Gate()
        try World.run { world in
            let read = world.late(Self.before, gate)
            await world.network.waitForRequests(1)
            world.network.fail(TransportError(.unanswered, .connectionLost))
            _ = try? await world.change(1, by: "DELETE")
            gate.open()
            let answer = try await read.value.get()
            #expect((answer.text, answer.isStale) == (Self.before, true))
        }
    }

    @Test(arguments: Array(1...200) + (0..<100).map { _ in UInt64.random(in: 1_000...UInt64.max) })
    func `doesn't undo it if both come at the same moment`(_ seed: UInt64) throws {
        let gate = Gate()
        try World.run(seed: seed) { world in
            try await world.keep(Self.before, world.tasks(.networkOnly))
            let read = world.late(Self.before, gate)
            await world.network.waitForRequests(2)
            world.network.accept(200, json: #"[{"id":1,"t":"x"}]"#, after: gate)
            let write = world.runtime.task(name: "write") {
                await Result {
                    try await world.client.from("tasks").update(["t": "x"]).eq("id", value: 1)
                        .execute().response?.status
                }
            }
            await world.network.waitForRequests(3)
            gate.open()
            _ = try await write.value.get()
            let seen = try await world.kept(world.tasks(.cacheOnly))
            #expect(seen.text == Change.update.after)
            _ = try await read.value.get()
            await world.client.reads.waitUntilStored()
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list.text == Change.update.after)
        }
    }

    @Test(arguments: [(1, false), (2, true), (3, true)])
    func `is stale if another client had the store meanwhile`(
        _ openings: UInt32, _ isStale: Bool
    ) throws {
        let gate = Gate()
        try World.run { world in
            let numbers = world.client.store.numbers
            let read = world.late(Self.before, gate)
            await world.network.waitForRequests(1)
            // The first is this client's own, when it has its store back.
            numbers.advance(toOpening: UInt32(numbers.last >> 32) + openings)
            gate.open()
            let answer = try await read.value.get()
            #expect((answer.text, answer.isStale) == (Self.before, isStale))
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(Self.before, isStale: isStale))
        }
    }

    @Test func `leaves nothing behind once it has ended`() throws {
        let gate = Gate()
        try World.run { world in
            let first = world.late(Self.before, gate)
            await world.network.waitForRequests(1)
            let reads =
                [first]
                + (0..<2).map { _ in
                    world.runtime.task(name: "read") {
                        await Result { try await world.tasks(.networkOnly).execute() }
                    }
                }
            await world.settle()
            try await world.make(.update)
            reads[0].cancel()
            gate.open()
            for read in reads { _ = await read.value }
            await world.settle()
            #expect(await world.client.reads.remembersNothing)
        }
    }
}

extension World {
    /// Starts a read of the tasks whose answer comes later.
    fileprivate func late(
        _ json: String, _ gate: Gate
    ) -> Task<Result<OfflineResponse<Void>, any Error>, Never> {
        network.answer(json: json, after: gate)
        return runtime.task(name: "read") {
            await Result { try await tasks(.networkOnly).execute() }
        }
    }

    fileprivate func make(_ change: LateAnswerTests.Change) async throws {
        let table = client.from("tasks")
        switch change {
        case .insert:
            network.accept(json: #"[{"id":3,"t":"c"}]"#)
            try await table.insert(["t": "c"]).select().execute()
        case .minimalInsert:
            network.accept()
            try await table.insert(["id": 3, "t": "c"] as JSONValue).execute()
        case .update:
            network.accept(200, range: "0-0/*", json: #"[{"id":1,"t":"x"}]"#)
            try await table.update(["t": "x"]).eq("id", value: 1).execute()
        case .minimalUpdate:
            network.accept(204, range: "0-0/*")
            try await table.update(["t": "x"], returning: .minimal).eq("id", value: 1).execute()
        case .unpinned:
            network.accept(204, range: "0-0/*")
            try await table.update(["t": "x"], returning: .minimal).eq("t", value: "a").execute()
        case .delete:
            network.accept(200, json: #"[{"id":1,"t":"a"}]"#)
            try await table.delete().eq("id", value: 1).execute()
        case .minimalDelete:
            network.accept(204)
            try await table.delete(returning: .minimal).eq("id", value: 1).execute()
        }
    }
}
