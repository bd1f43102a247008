import FoundationEssentials
import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

@Suite("A write and its caller", .timeLimit(.minutes(5)))
struct CallerTests {
    @Test func `that is cancelled once it is kept gets it as kept, and the request goes on`() throws
    {
        let gate = Gate()
        try World.run { world in
            try await world.warm("[]")
            world.network.accept(json: #"[{"id":1,"title":"a"}]"#, after: gate)
            let write = world.runtime.task(name: "write") {
                await Result {
                    try await world.client.from("tasks")
                        .insert(["id": 1, "title": "a"] as JSONValue).select().execute()
                }
            }
            await world.network.waitForRequests(2)
            write.cancel()
            let outcome = try await write.value.get()
            let mutation = try #require(outcome.mutation)
            gate.open()
            let end = try await mutation.outcome
            #expect(end == .applied(rows: 1))
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":1,"title":"a"}]"#))
        }
    }

    @Test func `that is gone doesn't lose a refusal`() throws {
        let gate = Gate()
        try World.run { world in
            world.network.answer(
                status: 403, json: #"{"code":"42501","message":"no"}"#, after: gate)
            let write = world.runtime.task(name: "write") {
                await Result { try await world.insert(1) }
            }
            await world.network.waitForRequests(1)
            write.cancel()
            _ = try await write.value.get()
            gate.open()
            await world.settle()
            let rejected = await world.rejected()
            #expect(rejected.count == 1)
        }
    }

    @Test func `that is cancelled before anything is kept keeps nothing`() throws {
        let source = TokenSource(.pending(Gate(), then: nil))
        try World.run(configure: { $0.accessToken = source.closure }) { world in
            let write = world.runtime.task(name: "write") {
                await Result { try await world.insert(1) }
            }
            await source.waitUntilAsked()
            write.cancel()
            let cancelled = await write.value
            #expect(throws: CancellationError.self) { try cancelled.get() }
            let unsent = try await world.client.unsentWrites
            #expect(unsent.isEmpty && world.network.requests.isEmpty)
        }
    }

    @Test func `may take it back as long as it has not left`() throws {
        let gate = Gate()
        try World.run { world in
            let (first, second) = try await world.offline {
                (try await world.insert(1), try await world.rename(1, "b"))
            }
            let other = try await world.offline { try await world.rename(7, "x") }
            let id = try #require(first.mutation?.id)
            let taken = try await world.client.discard(id)
            #expect(taken.map(\.id) == [id, second.mutation?.id])
            let pending = await world.pending()
            #expect(pending.map(\.id) == [other.mutation?.id])
            let end = try await second.mutation?.outcome
            #expect(end == .discarded)
            world.network.accept(200, json: "[]", after: gate)
            let pass = world.runtime.task(name: "sync") {
                await Result { try await world.client.syncPendingMutations() }
            }
            await world.network.waitForRequests(4)
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.discard(try #require(other.mutation?.id))
            }
            #expect(error?.reason == .inFlight)
            gate.open()
            _ = try await pass.value.get()
            let unknown = await #expect(throws: OfflineError.self) {
                try await world.client.discard(UUID())
            }
            #expect(unknown?.reason == .unknownMutation)
        }
    }

    @Test func `who needs the server is told at once, and nothing is kept`() throws {
        try World.run { world in
            world.network.refuseConnection()
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.from("tasks").insert(["id": 1], policy: .requireServer)
                    .execute()
            }
            guard case .connectivity(let failure)? = error?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(failure.stage == .notSent)
            let pending = await world.pending()
            #expect(pending.isEmpty)
        }
    }

    @Test func `who needs the server is told how many writes can't be sent before`() throws {
        try World.run { world in
            try await world.offline {
                try await world.rename(1, "a")
                try await world.rename(2, "a")
                let error = await #expect(throws: OfflineError.self) {
                    try await world.client.from("tasks").insert(["id": 1], policy: .requireServer)
                        .execute()
                }
                #expect(error?.reason == .behindQueue(count: 2))
            }
            // Once they can be sent, it goes behind them.
            for _ in 0..<2 { world.network.accept(200, json: "[]") }
            world.network.accept()
            let outcome = try await world.client.from("tasks")
                .insert(["id": 1], policy: .requireServer).execute()
            #expect(outcome.response != nil)
            #expect(world.sent.suffix(3).map { $0.prefix(5) } == ["PATCH", "PATCH", "POST "])
        }
    }

    @Test func `whose write can't be kept is told why, if the server is not there`() throws {
        try World.run { world in
            world.network.setDown(true)
            let error = await #expect(throws: OfflineError.self) {
                try await world.client.from("tasks").insert(["title": "a"]).execute()
            }
            #expect(error?.reason == .notQueueable(.missingPrimaryKey))
            let cause = try #require(error?.underlying as? OfflineError)
            guard case .connectivity = cause.reason else {
                Issue.record("\(cause)")
                return
            }
            #expect(error?.description.contains("uuidKeys") == true)
            world.network.setDown(false)
            world.network.accept()
            let outcome = try await world.client.from("tasks").insert(["title": "a"]).execute()
            #expect(outcome.response != nil)
        }
    }

    @Test func `need make no key, where the app has asked for keys`() throws {
        try World.run(configure: { $0.uuidKeys = ["tasks"] }) { world in
            let outcome = try await world.offline {
                try await world.client.from("tasks").insert([["title": "a"], ["title": "b"]])
                    .execute()
            }
            let keys = try #require(outcome.mutation?.rowKeys)
            let texts = keys.compactMap { key -> String? in
                if case .string(let text)? = key["id"] { text } else { nil }
            }
            #expect(Set(texts).count == 2)
            for text in texts {
                #expect(UUID(uuidString: text) != nil && text == text.lowercased())
                #expect(Array(text)[14] == "7")
            }
            let offline = world.network.requests
            world.network.accept()
            try await world.client.syncPendingMutations()
            // The same keys, whenever it is sent.
            #expect(offline.first?.body == world.network.requests.last?.body)
            #expect(world.network.requests.last?.url.contains("columns=%22id%22") == true)
        }
        // One that finds its rows by another column must not change their keys.
        try World.run(configure: { $0.uuidKeys = ["tasks"] }) { world in
            world.network.accept()
            try await world.client.from("tasks").upsert(["mail": "a"], onConflict: "mail").execute()
            #expect(world.sent.first?.hasSuffix(#"{"mail":"a"}"#) == true)
        }
    }

    @Test func `gets an error if the disk is full, and the queue is as it was`() throws {
        let storage = FailingStorage()
        try World.run(storage: storage) { world in
            try await world.offline { try await world.insert(1) }
            let before = await world.pending()
            storage.failWrites(with: .full)
            let error = await #expect(throws: OfflineError.self) { try await world.insert(2) }
            #expect(error?.reason == .storageFull)
            storage.failWrites(with: nil)
            let after = await world.pending()
            #expect(before == after && world.network.requests.count == 1)
        }
    }
}
