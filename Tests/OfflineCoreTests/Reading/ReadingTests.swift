import FoundationEssentials
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

@Suite("Reading", .timeLimit(.minutes(5)))
struct ReadingTests {
    private static let unreachable = TransportError(.notSent, .cannotConnect)

    // MARK: Online

    @Test func `the server's rows are returned byte for byte, with their time`() throws {
        try World.run { world in
            let json = #"[{"id":1,"n":1.50,"big":9007199254740993,  "x":"\u00e9"},\#n {"id":2}]"#
            world.network.answer(json: json, timeSinceHead: .seconds(2))
            let response = try await world.tasks().execute()
            #expect(response.text == json)
            #expect(!response.isFromCache)
            #expect(response.status == 200)
            #expect(response.fetchedAt == world.clock.date.addingTimeInterval(-2))
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == json)
            #expect(kept.isFromCache)
            #expect(kept.fetchedAt == response.fetchedAt)
        }
    }

    @Test func `rows are decoded into the app's type, also where it is inferred`() throws {
        struct Row: Decodable, Equatable { let id: Int, at: Date }
        try World.run { world in
            world.network.answer(json: #"[{"id":1,"at":"1970-01-01T00:00:01+00:00"}]"#)
            let rows: [Row] = try await world.tasks().execute().value
            #expect(rows == [Row(id: 1, at: Date(timeIntervalSince1970: 1))])
            let again = try await world.tasks(.cacheOnly).execute([Row].self)
            #expect(again.value == rows)
        }
    }

    @Test func `rows that don't fit the type are an error that carries the reason`() throws {
        struct Row: Decodable { let id: String }
        try World.run { world in
            world.network.answer(json: #"[{"id":1}]"#)
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks().execute([Row].self)
            }
            #expect(error?.reason == .decoding)
            #expect(error?.underlying is DecodingError)
        }
    }

    @Test func `an empty list that the server returned is a list`() throws {
        try World.run { world in
            try await world.warm("[]")
            let response = try await world.tasks(.cacheOnly).execute()
            #expect(response.text == "[]")
            #expect(response.isFromCache)
        }
    }

    @Test func `cacheFirst sends nothing while it has the list, and asks without`() throws {
        try World.run { world in
            world.network.answer(json: #"[{"id":1}]"#)
            let first = try await world.tasks(.cacheFirst).execute()
            let second = try await world.tasks(.cacheFirst).execute()
            #expect([first.isFromCache, second.isFromCache] == [false, true])
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `networkOnly asks every time and still keeps the answer`() throws {
        try World.run { world in
            try await world.warm(#"[{"id":1}]"#)
            try await world.warm(#"[{"id":2}]"#)
            #expect(world.network.requests.count == 2)
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":2}]"#)
        }
    }

    @Test func `lists with other filters, of another schema or another table are other lists`()
        throws
    {
        try World.run { world in
            try await world.warm()
            for builder in [
                world.tasks(.cacheOnly).eq("id", value: 1),
                world.client.from("notes").select(readStrategy: .cacheOnly),
                world.client.schema("archive").from("tasks").select(readStrategy: .cacheOnly),
            ] {
                await #expect { try await builder.execute() } throws: {
                    OfflineError.cacheMiss ~= $0
                }
            }
        }
    }

    // MARK: Offline

    @Test func `networkFirst answers from the device at once when the server is out of reach`()
        throws
    {
        try World.run { world in
            try await world.warm()
            let fetchedAt = try await world.tasks(.cacheOnly).execute().fetchedAt
            world.clock.advance(by: .seconds(180))
            world.network.fail(Self.unreachable)
            let response = try await world.tasks().execute()
            #expect(response.isFromCache)
            #expect(response.fetchedAt == fetchedAt)
            #expect(world.network.requests.count == 2)
            #expect(world.elapsed == .seconds(180))
        }
    }

    @Test(arguments: [
        ServerAnswerTests.Example("portal", 200, "<html>", type: "text/html", nil),
        ServerAnswerTests.Example("redirect", 302, "", nil),
        ServerAnswerTests.Example("cut", 200, "[{", nil),
    ])
    func `an answer that is not the server's is as good as none`(
        _ example: ServerAnswerTests.Example
    ) throws {
        try World.run { world in
            try await world.warm()
            world.network.answer(example.response)
            let response = try await world.tasks().execute()
            #expect(response.isFromCache)
            #expect(response.text == #"[{"id":1}]"#)
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":1}]"#)
        }
    }

    @Test(arguments: [ReadStrategy.networkFirst, .cacheFirst, .networkOnly])
    func `a cold read fails after four attempts and seven seconds`(_ strategy: ReadStrategy) throws
    {
        try World.run { world in
            world.network.setDown(true)
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks(strategy).execute()
            }
            #expect(error?.reason == .connectivity(.init(Self.unreachable)))
            #expect(world.elapsed == .seconds(7))
            let counts = world.network.requests.map { $0.headers["X-Retry-Count"] }
            #expect(counts == [nil, "1", "2", "3"])
        }
    }

    @Test func `networkOnly fails with the list on the device`() throws {
        try World.run { world in
            try await world.warm()
            world.network.setDown(true)
            await #expect(throws: OfflineError.self) {
                try await world.tasks(.networkOnly).execute()
            }
            #expect(world.network.requests.count == 5)
        }
    }

    @Test func `known down, every request is still sent, once`() throws {
        let connectivity = ConnectivitySwitch(isAvailable: false)
        try World.run(configure: { $0.networkAvailability = connectivity.signal }) { world in
            for await status in world.client.connectivity.updates where status == .unavailable {
                break
            }
            world.network.setDown(true)
            for strategy: ReadStrategy in [.networkFirst, .cacheFirst, .networkOnly] {
                await #expect(throws: OfflineError.self) {
                    try await world.tasks(strategy).execute()
                }
            }
            #expect(world.network.requests.count == 3)
            #expect(world.elapsed == .zero)
            world.network.setDown(false)
            world.network.answer(json: "[]")
            let response = try await world.tasks().execute()
            #expect(!response.isFromCache)
        }
    }

    @Test func `a retry that is answered is a success`() throws {
        try World.run { world in
            world.network.fail(Self.unreachable)
            world.network.answer(json: "[]")
            let response = try await world.tasks().execute()
            #expect(!response.isFromCache)
            #expect(world.elapsed == .seconds(1))
        }
    }

    @Test func `retry(enabled: false) sends once`() throws {
        try World.run { world in
            world.network.setDown(true)
            await #expect(throws: OfflineError.self) {
                try await world.tasks().retry(enabled: false).execute()
            }
            #expect(world.network.requests.count == 1)
        }
    }

    // MARK: Errors of the server

    @Test func `a server's error is thrown with the list on the device, at once`() throws {
        try World.run { world in
            try await world.warm()
            for status in [400, 401, 403, 404, 406, 500, 502, 504] {
                world.network.answer(status: status, json: #"{"code":"X","message":"m"}"#)
                let error = await #expect(throws: OfflineError.self) {
                    try await world.tasks().execute()
                }
                let expected = PostgrestError(status: status, code: "X", message: "m")
                #expect(error?.reason == .server(expected))
            }
            #expect(world.elapsed == .zero)
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":1}]"#)
        }
    }

    @Test(arguments: [503, 520])
    func `a busy server is asked four times and never stood in for`(_ status: Int) throws {
        try World.run { world in
            try await world.warm()
            for _ in 0..<4 { world.network.answer(status: status, json: #"{"message":"m"}"#) }
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks().execute()
            }
            #expect(error?.reason == .server(PostgrestError(status: status, message: "m")))
            #expect(world.network.requests.count == 5)
            #expect(world.elapsed == .seconds(7))
        }
    }

    @Test func `Retry-After takes the place of the wait`() throws {
        try World.run { world in
            world.network.answer(
                status: 503, headers: ["Retry-After": "20"], json: #"{"message":"m"}"#)
            world.network.answer(json: "[]")
            try await world.tasks().execute()
            #expect(world.elapsed == .seconds(20))
        }
    }

    @Test func `busy first and then out of reach, the device answers`() throws {
        try World.run { world in
            try await world.warm()
            world.network.answer(status: 503, json: #"{"message":"m"}"#)
            world.network.fail(Self.unreachable)
            let response = try await world.tasks().execute()
            #expect(response.isFromCache)
            #expect(world.elapsed == .seconds(1))
        }
    }

    @Test(arguments: ["{}", #""text""#, "null", "[1]"])
    func `an answer that is no list is an error and keeps nothing`(_ json: String) throws {
        try World.run { world in
            try await world.warm()
            world.network.answer(json: json)
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks().execute()
            }
            #expect(error?.reason == .unexpectedAnswer(status: 200))
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":1}]"#)
        }
    }

    // MARK: Age

    @Test func `a list is served up to its maxAge and not a microsecond longer`() throws {
        try World.run { world in
            try await world.warm()
            world.clock.advance(by: .seconds(60))
            world.network.setDown(true)
            for strategy: ReadStrategy in [
                .cacheOnly(maxAge: .seconds(60)), .cacheFirst(maxAge: .seconds(60)),
                .networkFirst(maxAge: .seconds(60)),
            ] {
                #expect(try await world.tasks(strategy).execute().isFromCache)
            }
            world.clock.advance(by: .microseconds(1))
            await #expect {
                try await world.tasks(.cacheOnly(maxAge: .seconds(60))).execute()
            } throws: { OfflineError.cacheMiss ~= $0 }
            for strategy: ReadStrategy in [
                .cacheFirst(maxAge: .seconds(60)), .networkFirst(maxAge: .seconds(60)),
            ] {
                let error = await #expect(throws: OfflineError.self) {
                    try await world.tasks(strategy).execute()
                }
                #expect(error?.reason == .connectivity(.init(Self.unreachable)))
            }
        }
    }

    @Test func `a clock set back a minute makes a list new, and further makes it too old`() throws {
        try World.run { world in
            try await world.warm()
            world.clock.setDate(by: .seconds(-60))
            let young = try await world.tasks(.cacheOnly(maxAge: .zero)).execute()
            #expect(young.isFromCache)
            world.clock.setDate(by: .microseconds(-1))
            await #expect {
                try await world.tasks(.cacheOnly(maxAge: .seconds(86_400))).execute()
            } throws: { OfflineError.cacheMiss ~= $0 }
            #expect(try await world.tasks(.cacheOnly).execute().isFromCache)
        }
    }

    // MARK: Limits

    @Test func `a read waits less for the network where the device could answer`() throws {
        try World.run(configure: {
            $0.requestTimeout = .seconds(50)
            $0.warmReadTimeout = .seconds(5)
        }) { world in
            try await world.warm()
            world.network.fail(TransportError(.unanswered, .timedOut))
            #expect(try await world.tasks().execute().isFromCache)
            let limits = world.network.requests.map(\.limits)
            #expect(limits.first == .init(total: .seconds(50)))
            #expect(
                limits.last
                    == .init(total: .seconds(50), head: .seconds(5), silence: .seconds(5)))
        }
    }

    // MARK: Storing

    @Test func `a read doesn't wait for the disk, and a later read sees its answer`() async throws {
        let disk = HeldExecutor()
        let network = ScriptedTransport()
        var config = SupabaseOfflineClient.Config()
        config.runtime = .held(by: disk)
        let client = try SupabaseOfflineClient(
            supabaseURL: .example, supabaseKey: "publishable", config: config,
            storage: MemoryStorage(keyspaces: Keyspace.all), transport: network)
        network.answer(json: #"[{"id":1}]"#)
        try await client.from("tasks").select().execute()
        let seen = try await client.from("tasks").select(readStrategy: .cacheOnly).execute()
        #expect(seen.text == #"[{"id":1}]"#)
        await disk.waitForJob()
        disk.release()
        await client.close()
    }

    @Test func `while answers are being stored, the one to the latest request counts`() async throws
    {
        let (disk, network, gate) = (HeldExecutor(), ScriptedTransport(), Gate())
        var config = SupabaseOfflineClient.Config()
        config.runtime = .held(by: disk)
        let client = try SupabaseOfflineClient(
            supabaseURL: .example, supabaseKey: "publishable", config: config,
            storage: MemoryStorage(keyspaces: Keyspace.all), transport: network)
        network.answer(json: #"[{"id":1}]"#, after: gate)
        network.answer(json: "null")
        network.answer(json: #"[{"id":2}]"#)
        async let slow = client.from("tasks").select().execute().text
        await network.waitForRequests(1)
        // Something changes on the server, so the next read is not content with the first request.
        try await client.rpc("change").execute()
        try await client.from("tasks").select().execute()
        gate.open()
        #expect(try await slow == #"[{"id":1}]"#)
        let seen = try await client.from("tasks").select(readStrategy: .cacheOnly).execute()
        #expect(seen.text == #"[{"id":2}]"#)
        disk.release()
        await client.close()
    }

    @Test func `an answer to an earlier request never replaces one to a later request`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.answer(json: #"[{"id":1}]"#, after: gate)
            let slow = world.runtime.task(name: "slow") {
                try? await world.tasks(.networkOnly).execute().text
            }
            await world.network.waitForRequests(1)
            // Something changes on the server, so the next read is not content with that request.
            world.network.answer(json: "null")
            try await world.client.rpc("change").execute()
            try await world.warm(#"[{"id":2}]"#)
            await world.client.reads.waitUntilStored()
            gate.open()
            #expect(await slow.value == #"[{"id":1}]"#)
            await world.client.reads.waitUntilStored()
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":2}]"#)
        }
    }

    @Test func `lists outlive the client`() throws {
        let storage = MemoryStorage(keyspaces: Keyspace.all)
        try World.run(storage: storage) { try await $0.warm() }
        try World.run(storage: storage) { world in
            world.network.setDown(true)
            let response = try await world.tasks().execute()
            #expect(response.text == #"[{"id":1}]"#)
        }
    }

    // MARK: Cancelling and closing

    @Test func `a cancelled read throws CancellationError and never the cached list`() throws {
        let gate = Gate()
        try World.run { world in
            try await world.warm()
            world.network.answer(json: "[]", after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(2)
            read.cancel()
            let outcome = await read.value
            #expect(throws: CancellationError.self) { try outcome.get() }
        }
    }

    @Test func `a read cancelled while it waits to retry throws CancellationError`() throws {
        try World.run { world in
            world.network.setDown(true)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.clock.waitForSleepers()
            read.cancel()
            let outcome = await read.value
            #expect(throws: CancellationError.self) { try outcome.get() }
            #expect(world.elapsed == .zero)
        }
    }

    @Test func `a closed client refuses, whatever the strategy, builders made before too`() throws {
        try World.run { world in
            try await world.warm()
            let builders = [ReadStrategy.networkFirst, .cacheFirst, .cacheOnly, .networkOnly].map {
                world.tasks($0)
            }
            await world.client.close()
            await world.client.close()
            for builder in builders + [world.tasks()] {
                await #expect { try await builder.execute() } throws: { OfflineError.closed ~= $0 }
            }
        }
    }
}
