import FoundationEssentials
import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

/// An app that starts where there is no network, with a token that has expired.
@Suite("A cold start without a network", .timeLimit(.minutes(5)))
struct ColdStartTests {
    private static let expired =
        "e30."
        + Data(#"{"sub":"ada","exp":1}"#.utf8).base64EncodedString() + ".c2ln"

    private static let fromDevice: [ReadStrategy] = [.cacheFirst, .cacheOnly, .networkFirst]

    /// What the app has said of its session when the reads come.
    enum Word: CaseIterable { case nothing, restoring }

    @Test(arguments: Word.allCases)
    func `has the stored user's lists at once while the session is restored`(_ word: Word) throws {
        let storage = try adasDevice()
        let session = SessionSwitch(.restoring(storedUserID: "ada"))
        try World.run(
            storage: storage.reopened(),
            configure: {
                $0.sessionStates = word == .nothing ? { AsyncStream { _ in } } : session.states
            }
        ) { world in
            world.network.setDown(true)
            for strategy in Self.fromDevice {
                let response = try await world.tasks(strategy).execute()
                #expect(response.isFromCache && response.text == #"[{"id":1}]"#)
            }
            #expect(world.elapsed == .zero)
        }
    }

    @Test func `has them with a stored user and a token that can't be renewed`() throws {
        try World.run(
            storage: adasDevice().reopened(),
            configure: {
                $0.accessToken = { throw TokenSource.Unavailable() }
                $0.currentUserID = { "ada" }
            }
        ) { world in
            world.network.setDown(true)
            for strategy in [ReadStrategy.cacheFirst, .cacheOnly] {
                let response = try await world.tasks(strategy).execute()
                #expect(response.isFromCache && response.text == #"[{"id":1}]"#)
            }
            #expect(world.elapsed == .zero)
        }
    }

    @Test func `has them with a token that names its user, though it has expired`() throws {
        try World.run(
            storage: adasDevice().reopened(), configure: { $0.accessToken = { Self.expired } }
        ) { world in
            world.network.setDown(true)
            for strategy in Self.fromDevice {
                let response = try await world.tasks(strategy).execute()
                #expect(response.isFromCache && response.text == #"[{"id":1}]"#)
            }
            #expect(world.elapsed == .zero)
        }
    }

    @Test(arguments: [ReadStrategy.cacheFirst, .cacheOnly])
    func `waits no longer than 300 ms for a token source that waits for the network`(
        _ strategy: ReadStrategy
    ) throws {
        let renewal = Gate()
        try World.run(
            storage: adasDevice().reopened(),
            configure: {
                $0.accessToken = {
                    await renewal.wait()
                    return nil
                }
            }
        ) { world in
            world.network.setDown(true)
            let response = try await world.tasks(strategy).execute()
            #expect(response.isFromCache && response.text == #"[{"id":1}]"#)
            #expect(world.elapsed == .milliseconds(300))
            renewal.open()
        }
    }

    /// A device on which Ada has a list.
    private func adasDevice() throws -> ReopenedStorage {
        let storage = ReopenedStorage()
        let session = SessionSwitch(.signedIn(userID: "ada", accessToken: token(for: "ada")))
        try World.run(storage: storage, configure: { $0.sessionStates = session.states }) { world in
            await world.waitForSession { $0.isSettled }
            try await world.warm()
            await world.client.close()
        }
        return storage
    }
}
