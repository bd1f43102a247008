import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

@Suite("Writes, their order and their callers", .timeLimit(.minutes(5)))
struct SendingOrderTests {
    @Test func `of one user go one after the other, in the order in which they were made`() throws {
        let gates = [Gate(), Gate(), Gate()]
        try World.run { world in
            for gate in gates { world.network.accept(204, after: gate) }
            var writes: [Task<Result<Int?, any Error>, Never>] = []
            for id in 1...3 {
                writes.append(world.write(id))
                await world.settle()
            }
            for (index, gate) in gates.enumerated() {
                #expect(world.network.requests.count == index + 1)
                gate.open()
                let status = try await writes[index].value.get()
                #expect(status == 204)
                await world.settle()
            }
            #expect(
                world.network.requests.map { $0.url.suffix(7) } == [
                    "id=eq.1", "id=eq.2", "id=eq.3",
                ])
        }
    }

    @Test func `behind one that fails are made all the same`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.fail(TransportError(.unanswered, .connectionLost), after: gate)
            world.network.accept(204)
            let first = world.write(1)
            await world.network.waitForRequests(1)
            let second = world.write(2)
            await world.settle()
            gate.open()
            let (failed, done) = await (first.value, second.value)
            #expect { try failed.get() } throws: { OfflineError.outcomeUnknown ~= $0 }
            let status = try done.get()
            #expect(status == 204)
        }
    }

    @Test func `that are cancelled before they leave are not made`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.accept(204, after: gate)
            world.network.accept(204)
            let first = world.write(1)
            await world.network.waitForRequests(1)
            let second = world.write(2)
            await world.settle()
            second.cancel()
            let cancelled = await second.value
            #expect(throws: CancellationError.self) { try cancelled.get() }
            gate.open()
            _ = await first.value
            // The next one has its turn.
            _ = try await world.write(3).value.get()
            #expect(world.network.requests.map { $0.url.suffix(1) } == ["1", "3"])
        }
    }

    @Test func `that are cancelled on the way are made to the end, and change the lists`() throws {
        let gate = Gate()
        try World.run { world in
            try await world.warm(#"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#)
            world.network.accept(200, json: #"[{"id":1,"title":"a"}]"#, after: gate)
            let write = world.runtime.task(name: "write") {
                await Result {
                    try await world.client.from("tasks").delete(policy: .requireServer).eq(
                        "id", value: 1
                    ).execute()
                        .response?.status
                }
            }
            await world.network.waitForRequests(2)
            write.cancel()
            let cancelled = await write.value
            #expect { try cancelled.get() } throws: {
                ($0 as? OfflineError)?.reason == .outcomeUnknown(nil)
            }
            gate.open()
            await world.settle()
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":2,"title":"b"}]"#))
        }
    }

    @Test func `under way when the client closes are made to the end`() throws {
        let gate = Gate()
        let storage = ReopenedStorage()
        try World.run(storage: storage) { world in
            try await world.warm(#"[{"id":1,"title":"a"}]"#)
            world.network.accept(200, json: #"[{"id":1,"title":"b"}]"#, after: gate)
            let write = world.runtime.task(name: "write") {
                await Result {
                    try await world.client.from("tasks").update(
                        ["title": "b"], policy: .requireServer
                    )
                    .eq("id", value: 1).execute().response?.status
                }
            }
            await world.network.waitForRequests(2)
            let closing = world.runtime.task(name: "close") { await world.client.close() }
            await world.settle()
            let refused = await world.write(2).value
            #expect { try refused.get() } throws: { OfflineError.closed ~= $0 }
            gate.open()
            let status = try await write.value.get()
            #expect(status == 200)
            await closing.value
        }
        try World.run(storage: storage.reopened()) { world in
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":1,"title":"b"}]"#))
        }
    }

    @Test func `renew a refused token once, and are sent once more`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        let gate = Gate()
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            world.network.refuseToken(after: gate)
            let write = world.write(1)
            await world.network.waitForRequests(1)
            await source.say(.token(token(for: "ada", salt: "renewed")))
            world.network.refuseToken()
            gate.open()
            let refused = await write.value
            // A new token that is refused too won't get better.
            #expect(refused.reason?.isRefusedToken == true)
            #expect(world.network.requests.count == 2)
            #expect(Set(world.network.requests.map { $0.headers["Authorization"] }).count == 2)
        }
    }

    @Test func `are not sent for another user than who made them`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        let gate = Gate()
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            world.network.accept(204, after: gate)
            let first = world.write(1)
            await world.network.waitForRequests(1)
            let second = world.write(2)
            await world.settle()
            await source.say(.token(token(for: "grace")))
            gate.open()
            _ = await first.value
            let refused = await second.value
            #expect { try refused.get() } throws: { OfflineError.identityChanged ~= $0 }
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `on the way when the user changes are told, and change no list of the other's`()
        throws
    {
        let source = TokenSource(.token(token(for: "ada")))
        let gate = Gate()
        let rows = #"[{"id":1,"title":"a"}]"#
        try World.run(configure: {
            $0.accessToken = source.closure
            $0.signOutPolicy = .keepCache
        }) { world in
            try await world.keep(rows, world.tasks(.networkOnly))
            world.network.accept(200, range: "*/1", json: rows, after: gate)
            let write = world.runtime.task(name: "write") {
                await Result {
                    try await world.client.from("tasks").delete(policy: .requireServer).eq(
                        "id", value: 1
                    ).execute()
                        .response?.status
                }
            }
            await world.network.waitForRequests(2)
            await source.say(.token(token(for: "grace")))
            try await world.keep(rows, world.tasks(.networkOnly))
            gate.open()
            let status = try await write.value.get()
            #expect(status == 200)
            let graces = try await world.kept(world.tasks(.cacheOnly))
            #expect(graces == .init(rows))
            await source.say(.token(token(for: "ada")))
            let adas = try await world.kept(world.tasks(.cacheOnly))
            #expect(adas == .init("[]"))
        }
    }

    @Test func `of a user whose token is not to be had are not sent on the key alone`() throws {
        try World.run(configure: {
            $0.accessToken = { nil }
            $0.currentUserID = { "ada" }
        }) { world in
            let refused = await world.write(1).value
            #expect { try refused.get() } throws: { OfflineError.sessionExpired ~= $0 }
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `wait for a session that is being restored, and are sent as that user`() throws {
        let session = SessionSwitch(.restoring(storedUserID: "ada"))
        try World.run(configure: { $0.sessionStates = session.states }) { world in
            world.network.accept(204)
            let write = world.write(1)
            await world.settle()
            #expect(world.network.requests.isEmpty)
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada"))
            let status = try await write.value.get()
            #expect(status == 204)
            #expect(world.network.requests.first?.headers["Authorization"] != nil)
        }
    }

    @Test func `say so if the session does not settle, and nothing is sent`() throws {
        let session = SessionSwitch(.restoring(storedUserID: nil))
        try World.run(configure: { $0.sessionStates = session.states }) { world in
            let waited = await world.write(1).value
            #expect { try waited.get() } throws: { OfflineError.sessionNotSettled ~= $0 }
            #expect(world.elapsed == .milliseconds(3_600))
            session.state = .refreshFailed(userID: "ada")
            await world.settle()
            let expired = await world.write(1).value
            #expect { try expired.get() } throws: { OfflineError.sessionExpired ~= $0 }
            #expect(world.network.requests.isEmpty)
        }
    }

    @Test func `with their own session are nobody's, and wait for none`() throws {
        let gate = Gate()
        try World.run { world in
            try await world.warm(#"[{"id":1,"title":"a"}]"#)
            world.network.accept(204, after: gate)
            world.network.accept(200, json: #"[{"id":1,"title":"b"}]"#)
            let first = world.write(1)
            await world.network.waitForRequests(2)
            try await world.client.from("tasks").update(["title": "b"]).eq("id", value: 1)
                .setHeader(name: "Authorization", value: "Bearer x").execute()
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":1,"title":"a"}]"#))
            gate.open()
            _ = await first.value
        }
    }
}

extension World {
    /// Starts a delete.
    func write(_ id: Int) -> Task<Result<Int?, any Error>, Never> {
        runtime.task(name: "write") {
            await Result {
                try await client.from("tasks").delete(returning: .minimal, policy: .requireServer)
                    .eq("id", value: id)
                    .execute().response?.status
            }
        }
    }
}

extension OfflineError.Reason {
    fileprivate var isRefusedToken: Bool {
        if case .server(let error) = self { error.status == 401 } else { false }
    }
}
