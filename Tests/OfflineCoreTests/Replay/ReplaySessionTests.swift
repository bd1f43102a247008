import FoundationEssentials
import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

@Suite("Writes and whose they are", .timeLimit(.minutes(5)))
struct ReplaySessionTests {
    @Test func `go out with the token of their time, and no token is kept`() throws {
        let source = TokenSource(.token(token(for: "ada", salt: "first")))
        let storage = ReopenedStorage()
        try World.run(storage: storage, configure: { $0.accessToken = source.closure }) { world in
            try await world.offline { try await world.insert(1) }
            await world.client.close()
        }
        let first = token(for: "ada", salt: "first")
        var bytes = Bytes()
        try storage.reopened().read { transaction throws(StorageError) in
            for keyspace in Keyspace.all {
                try transaction.scan(in: keyspace) { key, value in
                    bytes.append(copying: key)
                    bytes.append(copying: value)
                    return .next
                }
            }
        }
        let kept = String(decoding: bytes, as: UTF8.self)
        #expect(!kept.contains(first) && !kept.contains("publishable"))
        #expect(kept.contains("title") && !kept.lowercased().contains("authorization"))
        let second = TokenSource(.token(token(for: "ada", salt: "second")))
        try World.run(storage: storage, configure: { $0.accessToken = second.closure }) { world in
            world.network.accept()
            await world.network.waitForRequests(1)
            #expect(
                world.network.requests.first?.headers["Authorization"]
                    == "Bearer \(token(for: "ada", salt: "second"))")
        }
    }

    @Test func `never go out with another's token, and are sent when their user is back`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            try await world.offline { try await world.insert(1) }
            await source.say(.token(token(for: "grace")))
            world.network.answer(json: "[]")
            try await world.tasks(.networkOnly).execute()
            try await world.runtime.clock.sleep(for: .seconds(600))
            let graces = await world.pending()
            #expect(graces.isEmpty && world.network.requests.count == 2)
            let unsent = try await world.client.unsentWrites
            #expect(unsent == [UnsentWrites(userID: "ada", pending: 1, rejected: 0)])
            await source.say(.token(token(for: "ada", salt: "again")))
            world.network.accept()
            // Any call asks for the token.
            _ = try? await world.tasks(.cacheOnly).execute()
            await world.network.waitForRequests(3)
            #expect(
                world.network.requests[2].headers["Authorization"]
                    == "Bearer \(token(for: "ada", salt: "again"))")
        }
    }

    @Test func `never go out on the key alone`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: {
            $0.accessToken = source.closure
            $0.currentUserID = { "ada" }
        }) { world in
            try await world.offline { try await world.insert(1) }
            await source.say(.noToken)
            let report = try await world.client.syncPendingMutations()
            #expect(report.stop == .authRequired && report.left == 1)
            #expect(world.client.currentSyncStatus.phase == .paused(.authRequired))
            #expect(world.network.requests.count == 1)
        }
    }

    @Test func `are kept while the session is restored, and sent once it settles`() throws {
        let session = SessionSwitch(.restoring(storedUserID: "ada"))
        try World.run(configure: { $0.sessionStates = session.states }) { world in
            await world.waitForSession { $0.owner != nil }
            let outcome = try await world.insert(1)
            #expect(outcome.mutation != nil && world.network.requests.isEmpty)
            world.network.accept()
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada"))
            let end = try await outcome.mutation?.outcome
            #expect(end == .applied(rows: 1))
            #expect(world.network.requests.first?.headers["Authorization"] != nil)
        }
    }

    @Test func `are kept for a user who is named only after they are made`() throws {
        let session = SessionSwitch(.refreshFailed(userID: "ada"))
        try World.run(configure: { $0.sessionStates = session.states }) { world in
            let outcome = try await world.insert(1)
            #expect(outcome.mutation != nil && world.network.requests.isEmpty)
            let unsent = try await world.client.unsentWrites
            #expect(unsent == [UnsentWrites(userID: "ada", pending: 1, rejected: 0)])
        }
    }

    @Test func `are kept while the token can't be renewed, which is tried again and again`() throws
    {
        let source = TokenSource(.token(token(for: "ada")))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            try await world.warm()
            await source.say(.failure)
            let outcome = try await world.insert(1)
            #expect(outcome.mutation != nil)
            try await world.runtime.clock.sleep(for: .seconds(4))
            await source.say(.token(token(for: "ada", salt: "renewed")))
            world.network.accept()
            let end = try await outcome.mutation?.outcome
            #expect(end == .applied(rows: 1) && world.elapsed == .seconds(5))
        }
    }

    @Test func `with a refused token renew it once, and then wait`() throws {
        let source = TokenSource(.token(token(for: "ada")))
        let gate = Gate()
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            world.network.refuseToken(after: gate)
            let first = world.runtime.task(name: "write") {
                await Result { try await world.insert(1) }
            }
            await world.network.waitForRequests(1)
            await source.say(.token(token(for: "ada", salt: "renewed")))
            world.network.refuseToken()
            gate.open()
            let outcome = try await first.value.get()
            #expect(outcome.mutation != nil)
            #expect(world.network.requests.count == 2)
            #expect(world.client.currentSyncStatus.phase == .paused(.authRequired))
            world.network.accept()
            let end = try await outcome.mutation?.outcome
            #expect(end == .applied(rows: 1))
        }
    }

    @Test func `of nobody go out on the key alone, after those of whoever is there`() throws {
        let session = SessionSwitch(.signedOut)
        try World.run(configure: { $0.sessionStates = session.states }) { world in
            await world.waitForSession { $0.isSettled }
            try await world.offline { try await world.insert(1) }
            session.state = .restoring(storedUserID: "ada")
            await world.waitForSession { !$0.isSettled }
            try await world.insert(2)
            #expect(world.network.requests.count == 1)
            world.network.accept()
            world.network.accept()
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada"))
            await world.network.waitForRequests(3)
            let (hers, nobodys) = (world.network.requests[1], world.network.requests[2])
            #expect(hers.headers["Authorization"] != nil && world.sent[1].contains(#""id":2"#))
            #expect(nobodys.headers["Authorization"] == nil && world.sent[2].contains(#""id":1"#))
        }
    }

    @Test func `of a session without a user are sent at once or not at all`() throws {
        try World.run(configure: { $0.accessToken = { token(for: nil) } }) { world in
            world.network.accept()
            let outcome = try await world.insert(1)
            #expect(outcome.response != nil)
            world.network.refuseConnection()
            let error = await #expect(throws: OfflineError.self) { try await world.insert(2) }
            #expect(error.map { OfflineError.notQueueable ~= $0 } == true)
            #expect(error?.reason == .notQueueable(.noUser))
            let unsent = try await world.client.unsentWrites
            #expect(unsent.isEmpty)
        }
    }

    @Test func `stay through a sign-out, and are sent after the next sign-in`() throws {
        let session = SessionSwitch(.signedIn(userID: "ada", accessToken: token(for: "ada")))
        try World.run(configure: { $0.sessionStates = session.states }) { world in
            await world.waitForSession { $0.isSettled }
            try await world.offline {
                for id in 1...5 { try await world.insert(id) }
            }
            session.state = .signedOut
            try await world.runtime.clock.sleep(for: .seconds(3_600))
            let nobodys = await world.pending()
            #expect(nobodys.isEmpty)
            world.network.accept()
            session.state = .signedIn(userID: "ada", accessToken: token(for: "ada"))
            await world.settle()
            await world.settle()
            let pending = await world.pending()
            #expect(pending.isEmpty)
            // Five inserts in one request.
            #expect(world.sent.last?.contains(#""id":1"#) == true)
            #expect(world.sent.last?.contains(#""id":5"#) == true)
        }
    }
}
