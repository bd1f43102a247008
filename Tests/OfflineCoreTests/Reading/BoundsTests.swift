import FoundationEssentials
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

/// What a client costs, whatever happens around it.
@Suite("A client", .timeLimit(.minutes(5)))
struct BoundsTests {
    @Test func `that nobody uses sets no timer`() throws {
        try World.run { world in
            try await world.warm()
            world.network.setDown(true)
            _ = try? await world.tasks(.networkOnly).execute()
            await world.client.reads.waitUntilStored()
            #expect(!world.clock.advanceToNextDeadline())
        }
    }

    @Test(arguments: [1, 2, 3] + (0..<30).map { _ in UInt64.random(in: 4...UInt64.max) })
    func `sends at most four requests for a read, whatever the server answers`(_ seed: UInt64)
        throws
    {
        try World.run(seed: seed) { world in
            var random = SplitMix64(seed: seed)
            let strategies: [ReadStrategy] = [.networkFirst, .cacheFirst, .networkOnly, .cacheOnly]
            for _ in 0..<40 {
                let (before, start) = (world.network.requests.count, world.elapsed)
                for _ in 0..<6 { world.network.answerSomehow(&random) }
                let strategy = strategies.randomElement(using: &random) ?? .networkFirst
                _ = try? await world.tasks(strategy).execute()
                #expect(world.network.requests.count - before <= 4)
                // Three waits of at most 30 s, which a busy server can ask for.
                #expect(world.elapsed - start <= .seconds(90))
                world.network.forgetScript()
            }
        }
    }

    @Test(arguments: [1, 2, 3] + (0..<20).map { _ in UInt64.random(in: 4...UInt64.max) })
    func `survives reads that are cancelled at any moment`(_ seed: UInt64) throws {
        try World.run(seed: seed) { world in
            var random = SplitMix64(seed: seed)
            for _ in 0..<50 {
                world.network.answerSomehow(&random)
                let pause = Duration.milliseconds(Int.random(in: 0..<3_000, using: &random))
                let read = world.runtime.task(name: "read") {
                    await Result { try await world.tasks().execute().text }
                }
                for _ in 0..<Int.random(in: 0..<12, using: &random) { await Task.yield() }
                if Bool.random(using: &random) {
                    try await world.runtime.clock.sleep(for: pause)
                }
                read.cancel()
                if case .failure(let error) = await read.value {
                    #expect(error is CancellationError || error is OfflineError)
                }
                world.network.forgetScript()
            }
            try await world.warm(#"[{"id":9}]"#)
            await world.client.reads.waitUntilStored()
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":9}]"#)
        }
    }

    @Test func `keeps no more for a user who signs in and out a thousand times`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            var sizes: Set<Int> = []
            for round in 0..<1_000 {
                await source.say(.token(token(for: "ada", salt: "\(round)")))
                try await world.warm()
                await source.say(.noToken)
                try await world.warm("[]")
                await world.client.reads.waitUntilStored()
                sizes.insert(try world.storage.size())
            }
            #expect(sizes.count == 1)
        }
    }
}

extension ScriptedTransport {
    /// Scripts an answer, or a failure, that somebody somewhere could give.
    fileprivate func answerSomehow(_ random: inout SplitMix64) {
        let statuses = [200, 200, 206, 204, 302, 400, 401, 404, 407, 429, 500, 503, 503, 511, 520]
        let bodies = [#"[{"id":1}]"#, "[]", "{}", "", "[{", "<html>", #"{"code":"42501"}"#]
        let waits = [nil, "0", "1", "30", "31", "-1", "soon", "99999999999999999999"]
        guard Int.random(in: 0..<5, using: &random) > 0 else {
            return fail(TransportError(.unanswered, .connectionLost))
        }
        var headers: HTTPHeaders = [:]
        headers["Retry-After"] = waits.randomElement(using: &random) ?? nil
        answer(
            status: statuses.randomElement(using: &random) ?? 200, headers: headers,
            json: bodies.randomElement(using: &random) ?? "")
    }
}

extension Storage {
    /// The bytes of all keys and values.
    fileprivate func size() throws(StorageError) -> Int {
        try read { transaction throws(StorageError) in
            var size = 0
            for keyspace in Keyspace.all {
                try transaction.scan(in: keyspace) { key, value in
                    size += key.count + value.count
                    return .next
                }
            }
            return size
        }
    }
}
