import FoundationEssentials
import OfflineTesting
import Synchronization
import Testing

@testable import OfflineCore

/// A whole scenario with a secret in everything that could be one.
@Suite("What is logged and described", .timeLimit(.minutes(5)))
struct PrivacyTests {
    private static let canary = "canary"
    private static let rows = #"[{"id":"canary"}]"#

    struct Row: Decodable { let id: Int }

    @Test func `names no row, filter, user, token or key from info on, and no error does`() throws {
        let messages = Lock<[(level: SupabaseOfflineClient.LogLevel, text: String)]>([])
        let session = SessionSwitch(.restoring(storedUserID: "canary"))
        let storage = FailingStorage()
        try World.run(
            storage: storage,
            configure: {
                $0.logLevel = .debug
                $0.logHandler = { level, text in messages.withLock { $0.append((level, text)) } }
                $0.sessionStates = session.states
                $0.headers = ["X-Secret": "canary"]
                $0.cacheSize = .bytes(0)
            }
        ) { world in
            var described: [Any] = [session.state]
            for step in Step.allCases {
                let errors = await step.run(in: world, session, storage)
                described += errors
                if step == .rejected {
                    for await rejected in world.client.rejectedMutations {
                        #expect(rejected.count == 1)
                        described += rejected
                        break
                    }
                }
                #expect(step.fails == !errors.isEmpty, "\(step): \(errors)")
            }
            described += world.network.requests as [Any]
            described += [SessionState.signedIn(userID: "canary", accessToken: "canary")]
            for value in described {
                var dumped = ""
                dump(value, to: &dumped)
                for text in ["\(value)", String(reflecting: value), dumped] {
                    #expect(!text.lowercased().contains(Self.canary), "\(type(of: value))")
                }
            }
        }
        let logged = messages.withLock { $0 }
        for message in logged where message.level > .debug {
            #expect(!message.text.lowercased().contains(Self.canary))
        }
        // The scenario has had something to say at each level, and did hold its secret.
        #expect(Set(logged.map(\.level)).isSuperset(of: [.debug, .info, .warning]))
        #expect(logged.contains { $0.level == .debug && $0.text.contains(Self.canary) })
        // Bodies are for debugging alone, and a long one is cut.
        #expect(logged.contains { $0.level == .debug && $0.text.contains(Self.rows) })
        #expect(logged.allSatisfy { $0.text.utf8.count < 5_000 })
    }

    /// Everything that a read or a write can come to.
    private enum Step: CaseIterable {
        case unsettled, online, oversize, offline, refused, undecodable, foreign, expired,
            refusedToken
        case write, refusedWrite, unknownWrite, conflict, dryRun, invalidWrite
        case kept, rejected
        case diskFull, unwritten, unkept, unreadable, invalid

        var fails: Bool {
            switch self {
            case .unsettled, .online, .oversize, .offline, .write, .dryRun, .diskFull, .unwritten:
                false
            case .kept, .rejected: false
            case .refusedWrite, .unknownWrite, .conflict, .invalidWrite, .unkept: true
            case .refused, .undecodable, .foreign, .expired, .refusedToken, .unreadable, .invalid:
                true
            }
        }

        func run(
            in world: World, _ session: SessionSwitch, _ storage: FailingStorage
        ) async -> [any Error] {
            let network = world.network
            func read(_ strategy: ReadStrategy = .networkFirst) -> PostgrestFilterBuilder {
                world.client.from("tasks").select(readStrategy: strategy).eq(
                    "name", value: "canary")
            }
            func write(_ policy: WritePolicy = .queueWhenOffline) -> PostgrestWriteBuilder {
                world.client.from("tasks").update(["name": "canary"], policy: policy)
                    .eq("name", value: "canary")
            }
            do {
                switch self {
                case .write:
                    network.accept(200, json: PrivacyTests.rows)
                    try await write().execute()
                case .unwritten:
                    network.accept(200, json: PrivacyTests.rows)
                    try await write(.requireServer).execute()
                case .unkept:
                    try await write().execute()
                case .kept:
                    network.fail(TransportError(.notSent, .cannotConnect))
                    try await write().execute()
                case .rejected:
                    network.answer(
                        status: 403,
                        json:
                            #"{"code":"42501","message":"canary","details":"canary","hint":"canary"}"#
                    )
                    try await world.client.syncPendingMutations()
                case .refusedWrite:
                    network.refuse(409, "23505")
                    try await write().execute()
                case .unknownWrite:
                    network.fail(TransportError(.unanswered, .connectionLost))
                    try await write(.requireServer).execute()
                case .conflict:
                    network.accept(200, json: "[]")
                    network.answer(json: PrivacyTests.rows)
                    try await write().ifUnchanged("name", "canary").execute()
                case .dryRun:
                    network.accept(200, json: PrivacyTests.rows)
                    try await write().dryRun().execute()
                case .invalidWrite:
                    try await world.client.from("tasks").update(["name": "canary"]).execute()
                case .unsettled:
                    for _ in 0..<4 { network.answer(json: PrivacyTests.rows) }
                    try await read().execute()
                    session.state = .signedIn(
                        userID: "canary", accessToken: token(for: "canary"))
                    await world.waitForSession { $0.isSettled }
                case .online:
                    network.answer(json: PrivacyTests.rows)
                    try await read().execute()
                    await world.client.reads.waitUntilStored()
                case .oversize:
                    let long = String(repeating: "canary", count: 1_000)
                    network.answer(json: #"[{"id":"\#(long)"}]"#)
                    try await read().execute()
                    await world.client.reads.waitUntilStored()
                case .offline:
                    network.fail(TransportError(.unanswered, .connectionLost))
                    try await read().execute()
                case .refused:
                    network.answer(
                        status: 409,
                        json:
                            #"{"code":"23505","message":"canary","details":"canary","hint":"canary"}"#
                    )
                    try await read().execute()
                case .undecodable:
                    network.answer(json: PrivacyTests.rows)
                    _ = try await read().execute([Row].self)
                case .foreign:
                    for _ in 0..<4 {
                        network.answer(headers: ["Content-Type": "text/html"], json: "canary")
                    }
                    try await read(.networkOnly).execute()
                case .expired:
                    session.state = .refreshFailed(userID: "canary")
                    await world.waitForSession { !$0.isSettled }
                    defer {
                        session.state = .signedIn(
                            userID: "canary", accessToken: token(for: "canary"))
                    }
                    try await read().execute()
                case .refusedToken:
                    await world.waitForSession { $0.isSettled }
                    network.refuseToken()
                    try await read().execute()
                case .diskFull:
                    storage.failWrites(with: .full)
                    network.answer(json: PrivacyTests.rows)
                    try await read().execute()
                    await world.client.reads.waitUntilStored()
                case .unreadable:
                    storage.failReads(with: .unavailable)
                    try await read(.cacheOnly).execute()
                case .invalid:
                    try await read().limit(-1).execute()
                }
                return []
            } catch {
                return [error]
                    + [(error as? OfflineError)?.underlying as? PostgrestError]
                    .compactMap(\.self)
            }
        }
    }
}
