import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("Connectivity", .timeLimit(.minutes(5)))
struct ConnectivityTests {
    @Test func `is unknown before the signal has said anything`() throws {
        try World.run { world in #expect(world.client.networkStatus == .unknown) }
    }

    @Test func `follows the app's signal`() throws {
        let connectivity = ConnectivitySwitch(isAvailable: false)
        try World.run(configure: { $0.networkAvailability = connectivity.signal }) { world in
            var updates = world.client.connectivity.updates.makeAsyncIterator()
            while await updates.next() != .unavailable {}
            connectivity.isAvailable = true
            while await updates.next() != .available {}
            #expect(world.client.networkStatus == .available)
        }
    }

    @Test func `is unknown once the signal has ended, and says so in the log`() throws {
        let connectivity = ConnectivitySwitch(isAvailable: false)
        let log = MessageRecorder()
        try World.run(configure: {
            $0.networkAvailability = connectivity.signal
            $0.logLevel = .warning
            $0.logHandler = log.note
        }) { world in
            var updates = world.client.connectivity.updates.makeAsyncIterator()
            while await updates.next() != .unavailable {}
            connectivity.end()
            while await updates.next() != .unknown {}
            #expect(log.messages.contains { $0.contains("networkAvailability ended") })
        }
    }

    @Test func `the signal is asked for once and let go when the client closes`() throws {
        let (signal, continuation) = AsyncStream.makeStream(
            of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let ended = Gate()
        continuation.onTermination = { _ in ended.open() }
        let calls = Counter()
        try World.run(configure: {
            $0.networkAvailability = {
                calls.increment()
                return signal
            }
        }) { world in
            var updates = world.client.connectivity.updates.makeAsyncIterator()
            continuation.yield(false)
            while await updates.next() != .unavailable {}
            await world.client.close()
            await ended.wait()
            #expect(calls.value == 1)
        }
    }

    @Test func `a signal that flaps leaves its last word`() throws {
        let connectivity = ConnectivitySwitch()
        try World.run(configure: { $0.networkAvailability = connectivity.signal }) { world in
            for round in 0..<100 { connectivity.isAvailable = !round.isMultiple(of: 2) }
            connectivity.isAvailable = false
            for await status in world.client.connectivity.updates where status == .unavailable {
                break
            }
            #expect(world.client.networkStatus == .unavailable)
        }
    }
}
