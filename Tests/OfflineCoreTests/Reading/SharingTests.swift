import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("Reads that ask the same", .timeLimit(.minutes(5)))
struct SharingTests {
    private static let unreachable = TransportError(.notSent, .cannotConnect)

    @Test func `at the same time share one request and its age`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.answer(json: #"[{"id":1}]"#, after: gate)
            let reads = (0..<30).map { index in
                world.read(index.isMultiple(of: 2) ? .networkFirst : .networkOnly)
            }
            await world.network.waitForRequests(1)
            await world.settle()
            gate.open()
            var responses: [OfflineResponse<Void>] = []
            for read in reads { responses.append(try await read.value.get()) }
            #expect(Set(responses.map(\.text)) == [#"[{"id":1}]"#])
            #expect(Set(responses.map(\.fetchedAt)).count == 1)
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `one after the other ask anew`() throws {
        try World.run { world in
            try await world.warm(#"[{"id":1}]"#)
            try await world.warm(#"[{"id":2}]"#)
            #expect(world.network.requests.count == 2)
        }
    }

    @Test func `but for the order of their filters share too, and others don't`() throws {
        let gate = Gate()
        try World.run { world in
            for _ in 0..<3 { world.network.answer(json: "[]", after: gate) }
            let requests = [
                world.tasks().eq("a", value: 1).eq("b", value: 2),
                world.tasks().eq("b", value: 2).eq("a", value: 1),
                world.tasks().eq("a", value: 2), world.tasks().eq("a", value: 1),
            ]
            let reads = requests.map { request in
                world.runtime.task(name: "read") {
                    await Result { try await request.execute().text }
                }
            }
            await world.network.waitForRequests(3)
            await world.settle()
            gate.open()
            for read in reads {
                let text = try await read.value.get()
                #expect(text == "[]")
            }
            #expect(world.network.requests.count == 3)
        }
    }

    @Test func `for different users don't share`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        let gate = Gate()
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            for _ in 0..<3 { world.network.answer(json: "[]", after: gate) }
            let first = world.read()
            await world.network.waitForRequests(1)
            await source.say(.token(token(for: "ada", salt: "renewed")))
            let renewed = world.read()
            await world.network.waitForRequests(2)
            await source.say(.token(token(for: "grace")))
            let other = world.read()
            await world.network.waitForRequests(3)
            gate.open()
            _ = await (first.value, renewed.value, other.value)
            #expect(world.network.requests.count == 3)
        }
    }

    @Test func `end their request when the last of them is gone, and not before`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.answer(json: #"[{"id":1}]"#, after: gate)
            let reads = (0..<3).map { _ in world.read() }
            await world.network.waitForRequests(1)
            await world.settle()
            reads[0].cancel()
            let first = await reads[0].value
            #expect(throws: CancellationError.self) { try first.get() }
            reads[1].cancel()
            let second = await reads[1].value
            #expect(throws: CancellationError.self) { try second.get() }
            gate.open()
            let third = try await reads[2].value.get()
            #expect(third.text == #"[{"id":1}]"#)
            #expect(world.network.cancelledRequests == 0)
            world.network.answer(json: "[]", after: Gate())
            let last = (0..<2).map { _ in world.read() }
            await world.network.waitForRequests(2)
            await world.settle()
            for read in last { read.cancel() }
            for read in last { _ = await read.value }
            await world.settle()
            #expect(world.network.cancelledRequests == 1)
        }
    }

    @Test func `after a function was called are not content with an older request`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.answer(json: #"[{"id":1}]"#, after: gate)
            let early = world.read()
            await world.network.waitForRequests(1)
            world.network.answer(json: "null")
            try await world.client.rpc("change").execute()
            world.network.answer(json: #"[{"id":2}]"#)
            let late = try await world.tasks().execute()
            #expect(late.text == #"[{"id":2}]"#)
            gate.open()
            let first = try await early.value.get()
            #expect(first.text == #"[{"id":1}]"#)
        }
    }

    @Test func `thirty warm ones wait for one failure, and not each for its own`() throws {
        let gate = Gate()
        try World.run { world in
            try await world.warm()
            world.network.fail(TransportError(.unanswered, .timedOut), after: gate)
            let reads = (0..<30).map { _ in world.read() }
            await world.network.waitForRequests(2)
            await world.settle()
            gate.open()
            for read in reads {
                let response = try await read.value.get()
                #expect(response.isFromCache)
            }
            #expect(world.network.requests.count == 2)
            #expect(world.elapsed < .milliseconds(1))
        }
    }

    @Test func `thirty warm ones are answered at once while the network is known down`() throws {
        let connectivity = ConnectivitySwitch(isAvailable: false)
        try World.run(configure: { $0.networkAvailability = connectivity.signal }) { world in
            for await status in world.client.connectivity.updates where status == .unavailable {
                break
            }
            try await world.warm()
            world.network.setDown(true)
            let reads = (0..<30).map { _ in world.read() }
            for read in reads {
                let response = try await read.value.get()
                #expect(response.isFromCache)
            }
            #expect(world.elapsed < .milliseconds(1))
        }
    }

    @Test func `wait for a silent server no longer the more of them there are`() throws {
        let gates = [Gate(), Gate(), Gate()]
        try World.run { world in
            for gate in gates {
                world.network.fail(TransportError(.unanswered, .timedOut), after: gate)
            }
            let reads = (0..<5).map { _ in
                world.runtime.task(name: "read") {
                    await Result {
                        try await world.tasks().retry(enabled: false).execute().text
                    }
                }
            }
            await world.network.waitForRequests(1)
            await world.settle()
            gates[0].open()
            await world.network.waitForRequests(2)
            await world.settle()
            gates[1].open()
            for read in reads {
                let outcome = await read.value
                #expect(throws: OfflineError.self) { try outcome.get() }
            }
            #expect(world.network.requests.count == 2)
        }
    }

    @Test func `keep each its own time: who joined late asks again after a timeout`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.fail(TransportError(.unanswered, .timedOut), after: gate)
            let early = world.runtime.task(name: "early") {
                await Result { try await world.tasks().retry(enabled: false).execute().text }
            }
            await world.network.waitForRequests(1)
            let late = world.runtime.task(name: "late") {
                await Result { try await world.tasks().retry(enabled: false).execute().text }
            }
            await world.settle()
            world.network.answer(json: "[]")
            gate.open()
            let failed = await early.value
            #expect(throws: OfflineError.self) { try failed.get() }
            let text = try await late.value.get()
            #expect(text == "[]")
        }
    }
}

extension World {
    fileprivate func read(
        _ strategy: ReadStrategy = .networkFirst
    ) -> Task<Result<OfflineResponse<Void>, any Error>, Never> {
        runtime.task(name: "read") { await Result { try await tasks(strategy).execute() } }
    }
}
