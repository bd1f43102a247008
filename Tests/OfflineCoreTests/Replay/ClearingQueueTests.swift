import FoundationEssentials
import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

@Suite("Clearing with writes in mind", .timeLimit(.minutes(5)))
struct ClearingQueueTests {
    private static let rows = #"[{"id":1,"title":"a"}]"#

    @Test func `is refused if writes would be lost, and everything stays`() throws {
        try World.run { world in
            try await world.warm(Self.rows)
            try await world.offline {
                try await world.rename(1, "x")
                try await world.insert(2)
            }
            let error = await #expect(throws: OfflineError.self) { try await world.client.clear() }
            #expect(error?.reason == .unsentWrites(count: 2))
            let pending = await world.pending()
            let list = try await world.tasks(.cacheOnly).execute()
            #expect(pending.count == 2 && list.hasPendingMutations)
            // Rejected ones count too.
            world.network.refuse(403, "42501")
            world.network.accept()
            try await world.client.syncPendingMutations()
            let again = await #expect(throws: OfflineError.self) { try await world.client.clear() }
            #expect(again?.reason == .unsentWrites(count: 1))
        }
    }

    @Test func `drops them if it is told to, and sends none of them`() throws {
        try World.run { world in
            try await world.warm(Self.rows)
            let outcome = try await world.offline { try await world.rename(1, "x") }
            try await world.client.clear(droppingUnsentWrites: true)
            let pending = await world.pending()
            #expect(pending.isEmpty && world.client.currentSyncStatus.pendingCount == 0)
            await #expect(throws: OfflineError.self) { try await world.tasks(.cacheOnly).execute() }
            let error = await #expect(throws: OfflineError.self) {
                try await outcome.mutation?.outcome
            }
            #expect(error?.reason == .unknownMutation)
            try await world.runtime.clock.sleep(for: .seconds(600))
            #expect(world.network.requests.count == 2)
            // What comes after has a later place.
            try await world.offline { try await world.rename(1, "y") }
            let later = await world.pending()
            #expect(later.count == 1)
        }
    }

    @Test func `waits for the answer that is on its way`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.accept(after: gate)
            let write = world.runtime.task(name: "write") {
                await Result { try await world.insert(1) }
            }
            await world.network.waitForRequests(1)
            let clearing = world.runtime.task(name: "clear") {
                await Result { try await world.client.clear() }
            }
            await world.settle()
            gate.open()
            try await clearing.value.get()
            let outcome = try await write.value.get()
            #expect(outcome.response != nil)
        }
    }

    @Test func `ends a write without an answer as unknown, and a late one brings nothing back`()
        throws
    {
        let gate = Gate()
        try World.run(configure: { $0.requestTimeout = .seconds(5) }) { world in
            try await world.warm("[]")
            world.network.accept(json: Self.rows, after: gate)
            let write = world.runtime.task(name: "write") {
                await Result {
                    try await world.client.from("tasks").insert(["id": 1]).select().execute()
                }
            }
            await world.network.waitForRequests(2)
            try await world.runtime.clock.sleep(for: .seconds(1))
            try await world.client.clear(droppingUnsentWrites: true)
            let mutation = try #require(try await write.value.get().mutation)
            let error = await #expect(throws: OfflineError.self) { try await mutation.outcome }
            #expect(error?.reason == .outcomeUnknown(nil))
            gate.open()
            await world.settle()
            let pending = await world.pending()
            #expect(pending.isEmpty && world.client.currentSyncStatus.pendingCount == 0)
            await #expect(throws: OfflineError.self) { try await world.tasks(.cacheOnly).execute() }
        }
    }

    @Test func `of the cache alone leaves them, and shows them over the next answer`() throws {
        try World.run { world in
            try await world.warm(Self.rows)
            try await world.offline { try await world.rename(1, "x") }
            try await world.client.clearCache()
            world.network.answer(json: Self.rows)
            let list = try await world.tasks(.networkOnly).execute()
            #expect(list.text == #"[{"id":1,"title":"x"}]"# && list.hasPendingMutations)
        }
    }
}
