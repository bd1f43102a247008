import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("A token that the server refuses", .timeLimit(.minutes(5)))
struct RenewalTests {
    private static let first = token(for: "ada", salt: "first")
    private static let second = token(for: "ada", salt: "second")

    /// Runs `body` with a source that gives the first token until it is told to give another.
    private func withUser(
        _ body: @escaping @Sendable (World, CountingSource) async throws -> Void
    ) throws {
        let source = CountingSource(Self.first)
        try World.run(configure: { $0.accessToken = { await source.next() } }) { world in
            try await body(world, source)
        }
    }

    @Test func `is replaced once, and the read sent once more`() throws {
        try withUser { world, source in
            await source.say(Self.second, after: 1)
            world.network.refuseToken()
            try await world.warm()
            let sent = world.network.requests.map { $0.headers["Authorization"] }
            #expect(sent == ["Bearer \(Self.first)", "Bearer \(Self.second)"])
            #expect(await source.count == 2)
            #expect(world.elapsed == .zero)
        }
    }

    @Test(arguments: [1, 2, 3, UInt64.random(in: 4...UInt64.max)])
    func `is replaced by one renewal, however many reads it was refused to`(_ seed: UInt64) throws {
        let source = CountingSource(Self.first)
        let gate = Gate()
        try World.run(seed: seed, configure: { $0.accessToken = { await source.next() } }) {
            world in
            for _ in 0..<50 {
                world.network.answer(
                    status: 401, json: #"{"code":"PGRST303","message":"m"}"#, after: gate)
            }
            for _ in 0..<50 { world.network.answer(json: "[]") }
            let reads = (0..<50).map { number in
                world.runtime.task(name: "read") {
                    // Of fifty lists, since readers of one share its request.
                    await Result {
                        try await world.client.from("t\(number)").select().execute().text
                    }
                }
            }
            await world.network.waitForRequests(50)
            let asked = await source.count
            await source.say(Self.second, after: 0)
            gate.open()
            for read in reads {
                let text = try await read.value.get()
                #expect(text == "[]")
            }
            let renewals = await source.count - asked
            #expect(renewals == 1)
        }
    }

    @Test func `that can't be replaced by another is a session that has expired`() throws {
        try withUser { world, source in
            world.network.refuseToken()
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks().execute()
            }
            #expect(error?.reason == .sessionExpired)
            #expect((error?.underlying as? PostgrestError)?.code == "PGRST303")
            #expect(await source.count == 2)
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `after another one is the server's refusal`() throws {
        try withUser { world, source in
            await source.say(Self.second, after: 1)
            world.network.refuseToken()
            world.network.refuseToken()
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks().execute()
            }
            #expect(
                error?.reason
                    == .server(.init(status: 401, code: "PGRST303", message: "JWT expired")))
            #expect(world.network.requests.count == 2)
        }
    }

    @Test(arguments: ["PGRST301", "PGRST302", "PGRST303", nil])
    func `is known by its code, or by a gateway's lack of one`(_ code: String?) throws {
        try withUser { world, source in
            await source.say(Self.second, after: 1)
            let body = code.map { #"{"code":"\#($0)","message":"m"}"# } ?? #"{"message":"m"}"#
            world.network.answer(status: 401, json: body)
            try await world.warm()
            #expect(world.network.requests.count == 2)
        }
    }

    @Test func `is none where a row-level policy refuses`() throws {
        try withUser { world, source in
            await source.say(Self.second, after: 1)
            world.network.answer(status: 401, json: #"{"code":"42501","message":"m"}"#)
            await #expect(throws: OfflineError.self) { try await world.tasks().execute() }
            #expect(await source.count == 1)
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `is none where no token was sent`() throws {
        try World.run { world in
            world.network.answer(status: 401, json: #"{"message":"Invalid API key"}"#)
            let error = await #expect(throws: OfflineError.self) {
                try await world.tasks().execute()
            }
            #expect(error?.reason == .server(.init(status: 401, message: "Invalid API key")))
        }
    }

    @Test func `of one who has gone meanwhile is not replaced by another's`() throws {
        try withUser { world, source in
            await source.say(token(for: "grace"), after: 1)
            world.network.refuseToken()
            await #expect { try await world.tasks().execute() } throws: {
                OfflineError.identityChanged ~= $0
            }
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `is replaced for a function too, which was not carried out`() throws {
        try withUser { world, source in
            await source.say(Self.second, after: 1)
            world.network.refuseToken()
            world.network.answer(json: "1")
            let answer = try await world.client.rpc("change").execute()
            #expect(answer.text == "1")
            #expect(world.network.requests.count == 2)
        }
    }
}

/// A token source that counts how often it is asked.
private actor CountingSource {
    private(set) var count = 0
    private var token: String
    private var change: (token: String, after: Int)?

    init(_ token: String) { self.token = token }

    /// Gives another token once it was asked so many times more.
    func say(_ token: String, after: Int) { change = (token, count + after) }

    func next() -> String {
        if let change, count >= change.after { token = change.token }
        count += 1
        return token
    }
}
