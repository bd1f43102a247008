import FoundationEssentials
import OfflineCore
import OfflineTesting
import Testing

/// Tests as an app would write them: no network, no file and no sleep.
@Suite("A test of an app", .timeLimit(.minutes(5)))
struct AppTests {
    @Test func `reads what was scripted and, without a network, what was kept`() async throws {
        let (clock, network) = (ManualClock(), ScriptedTransport())
        let client = try client(.inMemory(clock: clock, transport: network))
        network.answer(json: #"[{"id":1}]"#)
        let fresh = try await client.from("tasks").select().execute()
        clock.advance(by: .seconds(180))
        network.setDown(true)
        let kept = try await client.from("tasks").select().execute()
        #expect(kept.isFromCache)
        #expect(kept.fetchedAt == fresh.fetchedAt)
        #expect(kept.fetchedAt.map { clock.date.timeIntervalSince($0) } == 180)
        #expect(client.networkStatus == .unknown)
        await client.close()
    }

    @Test func `waits for a retry by moving the clock`() async throws {
        let (clock, network) = (ManualClock(), ScriptedTransport())
        let client = try client(.inMemory(clock: clock, transport: network))
        network.answer(status: 503, json: #"{"message":"later"}"#)
        network.answer(json: "[]")
        async let response = client.from("tasks").select().execute()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        let status = try await response.status
        #expect(status == 200)
        await client.close()
    }

    @Test func `takes the network away with a switch`() async throws {
        let (network, connectivity) = (ScriptedTransport(), ConnectivitySwitch(isAvailable: false))
        var config = SupabaseOfflineClient.Config.inMemory(transport: network)
        config.networkAvailability = connectivity.signal
        let client = try client(config)
        while client.networkStatus != .unavailable { await Task.yield() }
        network.setDown(true)
        await #expect(throws: OfflineError.self) { try await client.from("t").select().execute() }
        #expect(network.requests.count == 1)
        await client.close()
    }

    private func client(_ config: SupabaseOfflineClient.Config) throws -> SupabaseOfflineClient {
        let url = try #require(URL(string: "https://xyz.supabase.co"))
        let storage = try #require(config.storage)
        let transport = try #require(config.transport)
        return try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: "publishable", config: config, storage: storage,
            transport: transport)
    }
}
