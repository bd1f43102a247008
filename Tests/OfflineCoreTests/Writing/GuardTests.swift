import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("A write that asks for something first", .timeLimit(.minutes(5)))
struct GuardTests {
    private static let rows = #"[{"id":1,"t":"a","at":"2026-01-01T00:00:00+00:00"}]"#

    // MARK: ifUnchanged

    @Test func `may say the same as a filter, which stays one`() throws {
        try World.run { world in
            world.network.accept(200, json: #"[{"id":1,"t":"x"}]"#)
            let outcome = try await world.client.from("tasks").update(["t": "x"])
                .eq("t", value: "a").ifUnchanged("t", "a").execute()
            #expect(outcome.response?.status == 200)
            #expect(world.network.requests.first?.url.hasSuffix("?t=eq.a&t=eq.a") == true)
        }
    }

    @Test func `sends the value that the user saw along as a filter`() throws {
        try World.run { world in
            let table = world.client.from("tasks")
            let update = table.update(["t": "x"]).eq("id", value: 1)
            #expect(
                update.ifUnchanged("at", "2026").request.query == "id=eq.1&at=eq.2026")
            #expect(
                update.ifUnchanged("at", String?.none).request.query == "id=eq.1&at=is.null")
        }
    }

    @Test func `is done if nobody has changed the row`() throws {
        try World.run { world in
            try await world.warm(Self.rows)
            world.network.accept(200, json: #"[{"id":1,"t":"x","at":"2026-02-02T00:00:00+00:00"}]"#)
            try await world.client.from("tasks").update(["t": "x"]).eq("id", value: 1)
                .ifUnchanged("at", "2026-01-01T00:00:00+00:00").execute()
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":1,"t":"x","at":"2026-02-02T00:00:00+00:00"}]"#))
        }
    }

    enum Kind: CaseIterable { case update, minimalUpdate, delete, minimalDelete, single }

    @Test(arguments: Kind.allCases)
    func `is a conflict if somebody has, and tells the row as it is`(_ kind: Kind) throws {
        try World.run { world in
            try await world.warm(Self.rows)
            let present = #"{"id":1,"t":"theirs","at":"2026-02-02T00:00:00+00:00"}"#
            world.network.miss(kind)
            world.network.answer(json: "[\(present)]")
            let error = await #expect(throws: OfflineError.self) { try await world.change(kind) }
            guard case .conflict(let conflict)? = error?.reason else {
                Issue.record("\(String(describing: error)) is another reason")
                return
            }
            #expect(conflict.current.map { String(decoding: $0, as: UTF8.self) } == present)
            #expect(error?.description.contains("theirs") == false)
            #expect(error.map { OfflineError.conflict ~= $0 } == true)
            let read = try #require(world.network.requests.last)
            #expect((read.method, read.url.suffix(7)) == ("GET", "id=eq.1"))
            // The lists have it too; but what else has changed, they don't know.
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init("[\(present)]", isStale: true))
        }
    }

    @Test func `is a conflict without a row if that is gone or can't be read`() throws {
        try World.run { world in
            for failure in [true, false] {
                world.network.miss(.update)
                if failure {
                    world.network.fail(TransportError(.unanswered, .timedOut))
                } else {
                    world.network.answer(json: "[]")
                }
                let error = await #expect(throws: OfflineError.self) {
                    try await world.change(.update)
                }
                #expect(error?.reason == .conflict(WriteConflict(failure ? .unknown : .gone)))
            }
        }
    }

    @Test func `asks for a count where the answer would not tell`() throws {
        try World.run { world in
            world.network.accept(204, range: "*/1")
            try await world.change(.minimalDelete)
            let prefer = world.network.requests.first?.headers["Prefer"]
            #expect(prefer == "return=minimal,count=exact")
        }
    }

    // MARK: dryRun

    @Test func `leaves no trace if the server has rolled it back`() throws {
        try World.run { world in
            try await world.warm(Self.rows)
            let undone: HTTPHeaders = [
                "Content-Range": "0-0/*",
                "Preference-Applied": "return=representation, tx=rollback",
            ]
            world.network.answer(status: 200, headers: undone, json: #"[{"id":1,"t":"x"}]"#)
            let outcome = try await world.client.from("tasks").update(["t": "x"])
                .eq("id", value: 1).dryRun().execute()
            #expect(outcome.response?.status == 200)
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(Self.rows))
        }
    }

    @Test func `is a write like any if the server has not rolled it back, and warns`() throws {
        let log = MessageRecorder()
        try World.run(configure: {
            $0.logLevel = .warning
            $0.logHandler = log.note
        }) { world in
            try await world.warm(Self.rows)
            world.network.accept(200, range: "0-0/*", json: #"[{"id":1,"t":"x","at":null}]"#)
            try await world.client.from("tasks").update(["t": "x"]).eq("id", value: 1).dryRun()
                .execute()
            let list = try await world.kept(world.tasks(.cacheOnly))
            #expect(list == .init(#"[{"id":1,"t":"x","at":null}]"#))
            #expect(log.messages.contains { $0.contains("dry run was carried out") })
        }
    }
}

extension ScriptedTransport {
    /// Scripts the answer to a write that hit no row.
    fileprivate func miss(_ kind: GuardTests.Kind) {
        switch kind {
        case .update, .delete: accept(200, json: "[]")
        case .minimalUpdate: accept(204)
        case .minimalDelete: accept(204, range: "*/0")
        case .single:
            answer(
                status: 406,
                json: #"{"code":"PGRST116","message":"no","details":"The result contains 0 rows"}"#)
        }
    }
}

extension World {
    @discardableResult
    fileprivate func change(_ kind: GuardTests.Kind) async throws -> WriteOutcome<Void> {
        let table = client.from("tasks")
        let seen = "2026-01-01T00:00:00+00:00"
        func guarded(_ write: PostgrestWriteBuilder) -> PostgrestWriteBuilder {
            write.eq("id", value: 1).ifUnchanged("at", seen)
        }
        return switch kind {
        case .update: try await guarded(table.update(["t": "x"])).execute()
        case .minimalUpdate:
            try await guarded(table.update(["t": "x"], returning: .minimal)).execute()
        case .delete: try await guarded(table.delete()).execute()
        case .minimalDelete: try await guarded(table.delete(returning: .minimal)).execute()
        case .single: try await guarded(table.update(["t": "x"])).select().single().execute()
        }
    }
}
