import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("Trust in answers", .timeLimit(.minutes(5)))
struct ResponseTrustTests {
    @Test func `by default lets a settled visitor's empty answer replace rows`() throws {
        try World.run(configure: { $0.accessToken = { nil } }) { world in
            try await world.warm()
            try await world.warm("[]")
            #expect(try await world.tasks(.cacheOnly).execute().text == "[]")
        }
    }

    @Test func `in users alone lets a visitor's rows replace rows, and no empty answer`() throws {
        try World.run(configure: {
            $0.accessToken = { nil }
            $0.responseTrust = .authenticatedSessionOnly
        }) { world in
            try await world.warm()
            try await world.warm(#"[{"id":2}]"#)
            world.network.answer(json: "[]")
            #expect(try await world.tasks().execute().text == "[]")
            #expect(try await world.tasks(.cacheOnly).execute().text == #"[{"id":2}]"#)
        }
    }

    @Test func `in users alone lets a user's empty answer replace rows`() throws {
        try World.run(configure: {
            $0.accessToken = { token(for: "ada") }
            $0.responseTrust = .authenticatedSessionOnly
        }) { world in
            try await world.warm()
            try await world.warm("[]")
            #expect(try await world.tasks(.cacheOnly).execute().text == "[]")
        }
    }
}
