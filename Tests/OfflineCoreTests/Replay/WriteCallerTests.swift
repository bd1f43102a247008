import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("Somebody who waits for a write", .timeLimit(.minutes(5)))
struct WriteCallerTests {
    @Test func `hears the first word, and no other`() throws {
        try World.run { world in
            let caller = WriteCaller()
            #expect(caller.landed.status == nil)
            caller.land(.sent(HTTPResponse(status: 201)))
            caller.land(.sent(HTTPResponse(status: 500)))
            caller.land(.failed(CancellationError()))
            #expect(caller.landed.status == 201)
            #expect(await caller.wait(within: nil, world.runtime).status == 201)
        }
    }

    @Test func `waits until there is something to tell`() throws {
        try World.run { world in
            let caller = WriteCaller()
            let waiting = world.runtime.task(name: "caller") {
                await caller.wait(within: nil, world.runtime).status
            }
            await world.settle()
            caller.land(.sent(HTTPResponse(status: 204)))
            #expect(await waiting.value == 204)
        }
    }

    @Test func `waits as long as it wants`() throws {
        try World.run { world in
            let caller = WriteCaller()
            #expect(await caller.wait(within: .seconds(30), world.runtime).status == nil)
            #expect(world.elapsed == .seconds(30))
            #expect(caller.landed.status == nil)
        }
    }

    @Test func `hears what comes before the limit`() throws {
        try World.run { world in
            let caller = WriteCaller()
            _ = world.runtime.task(name: "answer") {
                try? await world.runtime.clock.sleep(for: .seconds(29))
                caller.land(.queued(QueueEntry(7, .delete())))
            }
            let landing = await caller.wait(within: .seconds(30), world.runtime)
            guard case .queued(let entry)? = landing else {
                Issue.record("\(String(describing: landing)) is another word")
                return
            }
            #expect(entry.sequence == 7)
            #expect(world.elapsed == .seconds(29))
        }
    }

    @Test func `may wait again, and hears what came meanwhile`() throws {
        try World.run { world in
            let caller = WriteCaller()
            #expect(await caller.wait(within: .seconds(1), world.runtime).status == nil)
            let waiting = world.runtime.task(name: "caller") {
                await caller.wait(within: nil, world.runtime).status
            }
            await world.settle()
            caller.land(.sent(HTTPResponse(status: 201)))
            #expect(await waiting.value == 201)
            #expect(await caller.wait(within: .seconds(1), world.runtime).status == 201)
        }
    }

    @Test func `stops waiting when it is cancelled, and can still be told`() throws {
        try World.run { world in
            let caller = WriteCaller()
            let waiting = world.runtime.task(name: "caller") {
                await caller.wait(within: nil, world.runtime).status
            }
            await world.settle()
            waiting.cancel()
            #expect(await waiting.value == nil)
            caller.land(.failed(CancellationError()))
            guard case .failed? = caller.landed else {
                Issue.record("nothing was told")
                return
            }
        }
    }
}

extension WriteCaller.Landing? {
    /// The status of the answer, if the server has taken the write.
    fileprivate var status: Int? {
        if case .sent(let response) = self { response.status } else { nil }
    }
}
