import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("Clearing", .timeLimit(.minutes(5)))
struct ClearingTests {
    enum Extent: CaseIterable { case cache, everything }

    @Test(arguments: Extent.allCases)
    func `removes the present identity's lists and no other's`(_ extent: Extent) throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: {
            $0.accessToken = source.closure
            $0.signOutPolicy = .keepCache
        }) { world in
            try await world.warm()
            await source.say(.token(token(for: "grace")))
            try await world.warm(#"[{"id":"grace's"}]"#)
            try await world.client.clear(extent)
            await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
            await source.say(.token(token(for: "ada")))
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":1}]"#)
        }
    }

    @Test func `everything forgets the identity too, and no number is used again`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            try await world.warm()
            await world.client.reads.waitUntilStored()
            let before = try world.identityNumbers()
            #expect(before.count == 1)
            try await world.client.clear()
            #expect(try world.identityNumbers() == [])
            try await world.warm()
            await world.client.reads.waitUntilStored()
            let after = try world.identityNumbers()
            #expect(after.count == 1 && after != before)
        }
    }

    @Test(arguments: Extent.allCases)
    func `keeps nothing of an answer that was on its way, and all of a later one`(
        _ extent: Extent
    ) throws {
        let gate = Gate()
        try World.run { world in
            world.network.answer(json: #"[{"id":"late"}]"#, after: gate)
            let read = world.runtime.task(name: "read") {
                await Result { try await world.tasks().execute().text }
            }
            await world.network.waitForRequests(1)
            try await world.client.clear(extent)
            gate.open()
            let late = try await read.value.get()
            #expect(late == #"[{"id":"late"}]"#)
            await #expect { try await world.tasks(.cacheOnly).execute() } throws: {
                OfflineError.cacheMiss ~= $0
            }
            try await world.warm(#"[{"id":"new"}]"#)
            await world.client.reads.waitUntilStored()
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":"new"}]"#)
        }
    }

    @Test(arguments: [1, 2, 3] + (0..<20).map { _ in UInt64.random(in: 4...UInt64.max) })
    func `completes under running reads, and leaves nothing that came before`(_ seed: UInt64) throws
    {
        try World.run(seed: seed) { world in
            for number in 0..<10 { world.network.answer(json: #"[{"id":\#(number)}]"#) }
            let reads = (0..<10).map { number in
                world.runtime.task(name: "read") {
                    _ = try? await world.client.from("t\(number)").select().execute()
                }
            }
            for _ in 0..<Int(seed % 40) { await Task.yield() }
            let before = world.network.requests.count
            try await world.client.clear(Extent.allCases[Int(seed % 2)])
            for read in reads { await read.value }
            await world.client.reads.waitUntilStored()
            // What was asked for before is gone; only a later request can have left a list.
            #expect(try world.listCount() <= 10 - before)
        }
    }

    @Test(arguments: Extent.allCases)
    func `of a closed client is refused, and a full disk is said to be one`(
        _ extent: Extent
    ) throws {
        let storage = FailingStorage()
        try World.run(storage: storage) { world in
            try await world.warm()
            await world.client.reads.waitUntilStored()
            storage.failWrites(with: .full)
            await #expect { try await world.client.clear(extent) } throws: {
                OfflineError.storageFull ~= $0
            }
            storage.failWrites(with: nil)
            let kept = try await world.tasks(.cacheOnly).execute()
            #expect(kept.text == #"[{"id":1}]"#)
            await world.client.close()
            await #expect { try await world.client.clear(extent) } throws: {
                OfflineError.closed ~= $0
            }
        }
    }
}

extension SupabaseOfflineClient {
    fileprivate func clear(_ extent: ClearingTests.Extent) async throws {
        switch extent {
        case .cache: try await clearCache()
        case .everything: try await clear()
        }
    }
}

extension World {
    /// The numbers of those who have data on the device.
    fileprivate func identityNumbers() throws -> [Bytes] {
        try storage.read { transaction throws(StorageError) in
            var numbers: [Bytes] = []
            try transaction.scan(in: .identities) { _, value in
                numbers.append(Bytes(Bytes(copying: value).prefix(4)))
                return .next
            }
            return numbers
        }
    }
}
