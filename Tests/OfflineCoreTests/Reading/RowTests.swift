import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("One row of a list", .timeLimit(.minutes(5)))
struct RowTests {
    private struct Row: Decodable, Equatable {
        let title: String
    }

    private static let id = "8c3b0f5e-6c5d-4d6b-9f1c-0e6a2b7c8d9e"
    private static let list =
        #"[{"id":1,"title":"a"},{"id":"\#(id)","title":"b"},{"id":"c","title":"c"}]"#

    @Test func `is taken out of the list's own answer, online and offline`() throws {
        try World.run { world in
            world.network.answer(json: Self.list)
            let fresh = try await world.tasks().row(1, as: Row.self)
            #expect((fresh.value, fresh.isFromCache) == (Row(title: "a"), false))
            world.network.setDown(true)
            let kept = try await world.tasks().row(1, as: Row.self)
            #expect((kept.value, kept.isFromCache) == (Row(title: "a"), true))
            #expect(kept.fetchedAt == fresh.fetchedAt)
            #expect(kept.text == #"{"id":1,"title":"a"}"#)
        }
    }

    @Test func `is found by its key's value`() throws {
        try World.run { world in
            try await world.warm(Self.list)
            let id = try #require(UUID(uuidString: Self.id))
            #expect(try await world.tasks(.cacheOnly).row(id, as: Row.self).value?.title == "b")
            #expect(try await world.tasks(.cacheOnly).row("c", as: Row.self).value?.title == "c")
            #expect(try await world.tasks(.cacheOnly).row("1", as: Row.self).value?.title == "a")
            #expect(try await world.tasks(.cacheOnly).row(1.0, as: Row.self).value?.title == "a")
            #expect(try await world.tasks(.cacheOnly).row(7, as: Row.self).value == nil)
        }
    }

    @Test func `is nil where the list doesn't hold it, which is no error`() throws {
        try World.run { world in
            try await world.warm("[]")
            let none = try await world.tasks(.cacheOnly).row(1, as: Row.self)
            #expect((none.value, none.isFromCache) == (nil, true))
            await #expect {
                try await world.tasks(.cacheOnly).eq("a", value: 1).row(1, as: Row.self)
            } throws: { OfflineError.cacheMiss ~= $0 }
        }
    }

    @Test func `is found by a key of several columns`() throws {
        try World.run(configure: { $0.primaryKeys = ["tasks": ["list", "id"]] }) { world in
            try await world.warm(
                #"[{"id":1,"list":"x","title":"a"},{"id":1,"list":"y","title":"b"}]"#)
            let row = try await world.tasks(.cacheOnly).row(["id": 1, "list": "y"], as: Row.self)
            #expect(row.value?.title == "b")
            for key: [String: any PostgrestFilterValue] in [["id": 1], ["id": 1, "x": 2], [:]] {
                let error = await #expect(throws: OfflineError.self) {
                    try await world.tasks(.cacheOnly).row(key, as: Row.self)
                }
                #expect(error?.isInvalidRequest == true)
            }
            let single = await #expect(throws: OfflineError.self) {
                try await world.tasks(.cacheOnly).row(1, as: Row.self)
            }
            #expect(single?.isInvalidRequest == true)
        }
    }

    @Test func `can't be taken out of what is no list, nor by what is no key`() throws {
        try World.run { world in
            for read in [
                { try await world.tasks().single().row(1, as: Row.self) },
                { try await world.tasks().row(Date(), as: Row.self) },
                { try await world.tasks().row([1, 2], as: Row.self) },
                { try await world.tasks().row(Double.nan, as: Row.self) },
            ] as [@Sendable () async throws -> OfflineResponse<Row?>] {
                let error = await #expect(throws: OfflineError.self) { _ = try await read() }
                #expect(error?.isInvalidRequest == true)
            }
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `that doesn't fit the type is an error`() throws {
        try World.run { world in
            try await world.warm(#"[{"id":1}]"#)
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks(.cacheOnly).row(1, as: Row.self)
            }
            #expect(error?.reason == .decoding)
        }
    }
}

@Suite("Fetching beforehand", .timeLimit(.minutes(5)))
struct PrefetchTests {
    @Test func `reads each list from the server, four at a time, and reports each in order`() throws
    {
        let gates = (0..<4).map { _ in Gate() }
        try World.run { world in
            for gate in gates { world.network.answer(json: "[]", after: gate) }
            world.network.fail(TransportError(.notSent, .cannotConnect))
            for _ in 0..<3 { world.network.fail(TransportError(.notSent, .cannotConnect)) }
            let reads = (0..<5).map { world.client.from("t\($0)").select(readStrategy: .cacheOnly) }
            let prefetch = world.runtime.task(name: "prefetch") {
                await world.client.prefetch(reads.map { $0.order("id") })
            }
            await world.network.waitForRequests(4)
            try? await world.runtime.clock.sleep(for: .milliseconds(1))
            #expect(world.network.requests.count == 4)
            for gate in gates { gate.open() }
            let outcomes = await prefetch.value
            #expect(outcomes.map { (try? $0.get()) != nil } == [true, true, true, true, false])
            await world.client.reads.waitUntilStored()
            let kept = try await reads[0].order("id").execute()
            #expect(kept.isFromCache)
        }
    }

    @Test func `of nothing is nothing`() throws {
        try World.run { world in
            let outcomes = await world.client.prefetch([])
            #expect(outcomes.isEmpty)
        }
    }
}
