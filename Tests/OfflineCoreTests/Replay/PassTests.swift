import FoundationEssentials
import OfflineTesting
import Synchronization
import TestSupport
import Testing

@testable import OfflineCore

@Suite("A pass over the queue", .timeLimit(.minutes(5)))
struct PassTests {
    @Test func `sends ninety-nine writes and rejects the bad one among them`() throws {
        let storage = ReopenedStorage()
        try World.run(storage: storage) { world in
            try await world.offline {
                for id in 0..<100 { try await world.rename(id, "x") }
            }
            for id in 0..<100 {
                if id == 40 {
                    world.network.answer(
                        status: 400,
                        json: #"{"code":"22P02","message":"m","details":"d","hint":"h"}"#)
                } else {
                    world.network.accept(200, json: "[]")
                }
            }
            let before = world.network.requests.count
            let report = try await world.client.syncPendingMutations()
            #expect(report.sent == 99 && report.rejected == 1 && report.stop == nil)
            #expect(world.network.requests.count == before + 100)
            await world.client.close()
        }
        try World.run(storage: storage.reopened()) { world in
            let rejected = try #require(await world.rejected().first)
            let error = try #require(rejected.rejection.error)
            #expect(error.status == 400 && error.code == "22P02" && error.message == "m")
            #expect(error.details == "d" && error.hint == "h")
            #expect(rejected.mutation.rowKeys == [["id": 40]])
            #expect(rejected.mutation.payload == Data(#"{"title":"x"}"#.utf8))
            let pending = await world.pending()
            #expect(pending.isEmpty)
        }
    }

    @Test func `is shared by all who ask for one`() throws {
        let gate = Gate()
        try World.run { world in
            try await world.offline { try await world.insert(1) }
            world.network.accept(after: gate)
            let passes = (0..<3).map { _ in
                world.runtime.task(name: "sync") {
                    await Result { try await world.client.syncPendingMutations() }
                }
            }
            await world.network.waitForRequests(2)
            gate.open()
            for pass in passes {
                let report = try await pass.value.get()
                #expect(report.sent == 1)
            }
            #expect(world.network.requests.count == 2)
        }
    }

    @Test func `without a network makes no more requests than its schedule`() throws {
        try World.run { world in
            world.network.setDown(true)
            try await world.insert(1)
            try await world.runtime.clock.sleep(for: .seconds(600))
            // At 0, 1, 3, 7, 15, 31 and 63 seconds, then every minute, and each a little later.
            let count = world.network.requests.count
            #expect((13...16).contains(count))
        }
    }

    @Test func `after thirty days without a network still has every write`() throws {
        try World.run { world in
            world.network.setDown(true)
            let outcome = try await world.insert(1)
            try await world.rename(2, "b")
            // The device sleeps for most of them.
            world.clock.advance(by: .seconds(30 * 86_400))
            try await world.runtime.clock.sleep(for: .seconds(6 * 3_600))
            let pending = await world.pending()
            #expect(pending.count == 2 && (pending.first?.attempts ?? 0) > 200)
            world.network.setDown(false)
            world.network.accept()
            world.network.accept(200, json: "[]")
            let report = try await world.client.syncPendingMutations()
            #expect(report.sent == 2)
            let end = try await outcome.mutation?.outcome
            #expect(end == .applied(rows: 1))
        }
    }

    @Test func `gives an unknown column up after a minute, and it can be discarded alone`() throws {
        try World.run { world in
            for _ in 0..<4 { world.network.refuse(400, "PGRST204") }
            world.network.refuse(400, "PGRST204")
            let outcome = try await world.insert(1)
            try await world.insert(2)
            let id = try #require(outcome.mutation?.id)
            let end = try await outcome.mutation?.outcome
            #expect(end == .rejected(.refused(.init(status: 400, code: "PGRST204", message: "no"))))
            #expect(world.elapsed == .seconds(60))
            world.network.refuse(403, "42501")
            try await world.client.syncPendingMutations()
            let discarded = try await world.client.discard(id)
            let rejected = await world.rejected()
            #expect(discarded.map(\.id) == [id] && rejected.count == 1)
        }
    }

    @Test func `starts when the network comes back, within two seconds`() throws {
        let signal = ConnectivitySwitch(isAvailable: false)
        try World.run(configure: { $0.networkAvailability = signal.signal }) { world in
            await world.settle()
            try await world.offline { try await world.insert(1) }
            #expect(world.client.currentSyncStatus.phase == .paused(.offline))
            try await world.runtime.clock.sleep(for: .seconds(3_600))
            #expect(world.network.requests.count == 1)
            world.network.accept()
            let start = world.elapsed
            signal.isAvailable = true
            await world.network.waitForRequests(2)
            #expect(world.elapsed - start <= .seconds(2))
        }
    }

    @Test func `is made at once by another write, which cuts a wait short`() throws {
        try World.run { world in
            try await world.offline { try await world.insert(1) }
            world.network.accept()
            world.network.accept(200, json: "[]")
            let second = try await world.rename(1, "b")
            #expect(second.response != nil && world.elapsed == .zero)
        }
    }

    @Test func `waits as long as the server says`() throws {
        try World.run { world in
            world.network.answer(
                status: 429, headers: ["Retry-After": "17"], json: #"{"message":"slow down"}"#)
            let first = try await world.insert(1)
            world.network.accept()
            let end = try await first.mutation?.outcome
            #expect(end == .applied(rows: 1) && world.elapsed == .seconds(17))
        }
    }

    @Test func `is made only when the app asks, without autoSync`() throws {
        try World.run(configure: { $0.autoSync = false }) { world in
            try await world.offline { try await world.insert(1) }
            #expect(world.client.currentSyncStatus.phase == .paused(.autoSyncOff))
            try await world.runtime.clock.sleep(for: .seconds(3_600))
            #expect(world.network.requests.count == 1)
            world.network.accept()
            let report = try await world.client.syncPendingMutations()
            #expect(report.sent == 1)
        }
    }

    @Test func `is made when the client opens with writes of an earlier run`() throws {
        let storage = ReopenedStorage()
        try World.run(storage: storage) { world in
            try await world.offline { try await world.insert(1) }
            await world.client.close()
        }
        try World.run(storage: storage.reopened()) { world in
            world.network.accept()
            await world.network.waitForRequests(1)
            await world.settle()
            let pending = await world.pending()
            #expect(pending.isEmpty)
        }
    }

    @Test func `stops for a project that is paused, and asks every five minutes`() throws {
        try World.run { world in
            world.network.answer(status: 540, json: #"{"message":"paused"}"#)
            let first = try await world.insert(1)
            #expect(world.client.currentSyncStatus.phase == .paused(.hold))
            // Others wait too, and ask nothing.
            let second = try await world.insert(2)
            #expect(second.mutation != nil && world.network.requests.count == 1)
            world.network.accept()
            let end = try await first.mutation?.outcome
            #expect(end == .applied(rows: 1) && world.elapsed == .seconds(300))
        }
    }

    @Test func `tells how it is getting on`() throws {
        let gate = Gate()
        try World.run { world in
            try await world.offline {
                try await world.rename(1, "a")
                try await world.rename(2, "a")
            }
            world.network.accept(200, json: "[]")
            world.network.accept(200, json: "[]", after: gate)
            let pass = world.runtime.task(name: "sync") {
                await Result { try await world.client.syncPendingMutations() }
            }
            await world.network.waitForRequests(4)
            let status = world.client.currentSyncStatus
            #expect(status.phase == .syncing(sent: 1, of: 2) && status.pendingCount == 1)
            gate.open()
            _ = try await pass.value.get()
            #expect(world.client.currentSyncStatus.phase == .idle)
            #expect(world.client.currentSyncStatus.lastSuccess == world.clock.date)
            await world.client.close()
            #expect(world.client.currentSyncStatus.phase == .idle)
        }
    }

    @Test func `is not made while the store is away, and is when it is back`() throws {
        try World.run { world in
            try await world.offline { try await world.insert(1) }
            await world.client.suspend()
            try await world.runtime.clock.sleep(for: .seconds(600))
            #expect(world.network.requests.count == 1)
            world.network.accept()
            try await world.client.resume()
            await world.network.waitForRequests(2)
            await world.settle()
            let pending = await world.pending()
            #expect(pending.isEmpty)
        }
    }

    @Test func `ends with the request on its way when the client closes`() throws {
        let gate = Gate()
        let storage = ReopenedStorage()
        try World.run(storage: storage) { world in
            try await world.offline {
                try await world.rename(1, "a")
                try await world.rename(2, "a")
            }
            world.network.accept(200, json: "[]", after: gate)
            let pass = world.runtime.task(name: "sync") {
                await Result { try await world.client.syncPendingMutations() }
            }
            await world.network.waitForRequests(3)
            let closing = world.runtime.task(name: "close") { await world.client.close() }
            await world.settle()
            gate.open()
            let refused = await pass.value
            #expect { try refused.get() } throws: { OfflineError.closed ~= $0 }
            await closing.value
            #expect(world.network.requests.count == 3)
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.syncPendingMutations()
            }
            #expect(error?.reason == .closed)
        }
        try World.run(storage: storage.reopened()) { world in
            world.network.accept(200, json: "[]")
            await world.network.waitForRequests(1)
            #expect(world.sent == [#"PATCH /tasks?id=eq.2 {"title":"a"}"#])
        }
    }
}
