import Foundation
import SupabaseOffline
import Testing

@testable import OfflineTasks

@Suite("Users of one device", .timeLimit(.minutes(5)))
struct CommandsTests {
    // MARK: Who is signed in

    @Test func `sign in beside each other`() async throws {
        try await Device.lend { device in
            for session in [AuthSession.ada, .grace] {
                try device.answer(session)
                let said = try await device.run(.login(email: session.user.email, password: "pw"))
                #expect(said == "Signed in as \(session.user.email).")
            }
            #expect(try AccountStore(in: device.directory).all() == [.ada, .grace])
            #expect(try AccountStore(in: device.directory).present == .grace)
        }
    }

    @Test func `are told who is signed in, and nobody is asked`() async throws {
        try await Device.lend { device in
            #expect(try await device.run(.whoami) == "Nobody is signed in.")
            try device.signIn(.grace, .ada)
            let present = "Signed in as ada@example.com, a0000000-0000-4000-8000-000000000001."
            #expect(
                try await device.run(.whoami) == """
                    \(present)
                    The token has not expired.
                    Can be switched to: grace@example.com.
                    """)
            try device.signIn(.of("ada", 1, expiresIn: -1))
            #expect(
                try await device.run(.whoami) == """
                    \(present)
                    The token has expired; the next request renews it.
                    Can be switched to: grace@example.com.
                    """)
            #expect(device.network.requests.isEmpty)
        }
    }

    @Test func `switch without a network and a password, to those who are kept`() async throws {
        try await Device.lend { device in
            try device.signIn(.grace, .ada)
            let said = try await device.run(.switchUser(email: "grace@example.com"))
            #expect(said == "Switched to grace@example.com.")
            #expect(try AccountStore(in: device.directory).present == .grace)
            await #expect(throws: AccountError.notKept("eve@example.com")) {
                try await device.run(.switchUser(email: "eve@example.com"))
            }
            #expect(try AccountStore(in: device.directory).present == .grace)
            #expect(device.network.requests.isEmpty)
        }
    }

    @Test func `have an expired token renewed, and the new one kept`() async throws {
        try await Device.lend { device in
            try device.signIn(.of("ada", 1, expiresIn: -1))
            let renewed = AuthSession.of("ada", 1, token: "2")
            try device.answer(renewed)
            device.answer(task: "mine")
            #expect(try await device.list().contains("mine"))
            #expect(
                device.network.requests.last?.headers["Authorization"] == "Bearer token2-of-ada")
            #expect(try AccountStore(in: device.directory).present == renewed)
        }
    }

    // MARK: Signing out

    @Test func `who sign out have this session ended on the server, and no other`() async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            device.network.answer(status: 204, json: "")
            let said = try await device.run(.logout)
            #expect(said.hasPrefix("Signed out ada@example.com on this device.\nThe session has"))
            let request = try #require(device.network.requests.first)
            #expect(request.url == "http://tasks.example/auth/v1/logout?scope=local")
            #expect(request.headers["Authorization"] == "Bearer token-of-ada")
            #expect(try await device.run(.logout) == "Nobody is signed in.")
        }
    }

    @Test func `who sign out with an expired token have it renewed for that`() async throws {
        try await Device.lend { device in
            try device.signIn(.of("ada", 1, expiresIn: -1))
            try device.answer(.of("ada", 1, token: "2"))
            device.network.answer(status: 204, json: "")
            #expect(try await device.run(.logout).contains("ended on the server"))
            #expect(
                device.network.requests.last?.headers["Authorization"] == "Bearer token2-of-ada")
            #expect(try AccountStore(in: device.directory).all() == [])
        }
    }

    @Test(
        arguments: [
            (nil, "could not be reached"), (403, "has ended on the server"), (503, "answered 503"),
        ] as [(Int?, String)])
    func `who sign out are gone here whatever the server says`(
        _ status: Int?, _ words: String
    ) async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            if let status { device.network.answer(status: status, json: "{}") }
            #expect(try await device.run(.logout).contains(words))
            #expect(try await device.run(.whoami) == "Nobody is signed in.")
        }
    }

    @Test func `who sign out while the lists are in use are gone all the same`() async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            let said = try await device.commands().clients.withClient(isOffline: true) { _ in
                try await device.run(.logout)
            }
            #expect(said.contains("is decided with the next read"))
            #expect(try await device.run(.whoami) == "Nobody is signed in.")
        }
    }

    // MARK: Writes

    @Test func `are told what of theirs the server lacks when they go, and when they come`()
        async throws
    {
        try await Device.lend { device in
            try device.signIn(.grace, .ada)
            _ = try await device.changeOffline("add", "refused")
            device.refuse(400, "22003", "out of range")
            _ = try await device.queue("sync")
            for title in ["mine", "mine too"] { _ = try await device.changeOffline("add", title) }
            let writes = "2 writes are not sent yet, and 1 write is rejected."
            let said = try await device.run(.logout)
            #expect(said.contains("\n\(writes) They stay on this device until ada@example.com is"))
            #expect(said.hasSuffix("\nThe lists are gone from this device."))
            let grace = try await device.run(.switchUser(email: "grace@example.com"))
            #expect(grace == "Switched to grace@example.com.")

            try device.answer(.ada)
            let ada = try await device.run(.login(email: "ada@example.com", password: "pw"))
            #expect(ada == "Signed in as ada@example.com.\n\(writes) See pending and rejected.")
            #expect(try await device.queue("pending").contains("mine too"))
        }
    }

    @Test func `never see, send or drop another's writes`() async throws {
        try await Device.lend { device in
            try device.signIn(.grace, .ada)
            let kept = try await device.changeOffline("add", "mine")
            _ = try await device.run(.switchUser(email: "grace@example.com"))
            let asked = device.network.requests.count
            #expect(try await device.queue("pending") == "Nothing is to be sent.")
            #expect(try await device.queue("sync").contains("Sent: 0. Rejected: 0. Still"))
            await #expect(throws: WriteError.unknown(kept.writeID)) {
                try await device.queue("discard", kept.writeID)
            }
            device.answer()
            #expect(try await device.list().hasPrefix("No tasks.\nUpdated"))
            #expect(device.network.requests.count == asked + 1)

            _ = try await device.run(.switchUser(email: "ada@example.com"))
            device.answer(SampleTask("c0000000-0000-4000-8000-000000000002", title: "mine"))
            #expect(try await device.queue("sync").contains("Sent: 1."))
            #expect(
                device.network.requests.last?.headers["Authorization"] == "Bearer token-of-ada")
        }
    }

    // MARK: Lists

    @Test(arguments: [SupabaseOfflineClient.SignOutPolicy.dropCache, .keepCache])
    func `who sign out find their lists again by the policy alone`(
        _ policy: SupabaseOfflineClient.SignOutPolicy
    ) async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            device.answer(task: "mine")
            _ = try await device.list(policy: policy)
            // Without a network: the command itself has to see to it.
            device.network.setDown(true)
            let said = try await device.run(.logout, policy)
            #expect(said.hasSuffix(policy == .dropCache ? "gone from this device." : "alone."))
            try device.signIn(.ada)
            await device.expectAdasList(policy == .keepCache, policy)
        }
    }

    @Test(arguments: [SupabaseOfflineClient.SignOutPolicy.dropCache, .keepCache])
    func `who sign out leave no list to nobody`(
        _ policy: SupabaseOfflineClient.SignOutPolicy
    ) async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            device.answer(task: "mine")
            _ = try await device.list(policy: policy)
            _ = try await device.run(.logout, policy)
            await device.expectAdasList(false, policy)
        }
    }

    @Test(arguments: [SupabaseOfflineClient.SignOutPolicy.dropCache, .keepCache])
    func `who switch never see another's rows, and their own again by the policy`(
        _ policy: SupabaseOfflineClient.SignOutPolicy
    ) async throws {
        try await Device.lend { device in
            try device.signIn(.grace, .ada)
            device.answer(task: "mine")
            _ = try await device.list(policy: policy)
            device.network.setDown(true)
            _ = try await device.run(.switchUser(email: "grace@example.com"), policy)
            for options in [["--strategy", "cacheOnly"], ["--offline"]] {
                await #expect(throws: OfflineError.self) {
                    try await device.run(.list(try ListOptions(options)), policy)
                }
            }
            _ = try await device.run(.switchUser(email: "ada@example.com"), policy)
            await device.expectAdasList(policy == .keepCache, policy)
        }
    }
}

extension Device {
    /// Expects that the device has, or hasn't, the list with Ada's task, for whoever is present.
    fileprivate func expectAdasList(
        _ isThere: Bool, _ policy: SupabaseOfflineClient.SignOutPolicy
    ) async {
        do {
            let shown = try await list("--strategy", "cacheOnly", policy: policy)
            #expect(isThere && shown.contains("mine"), "\(shown)")
        } catch {
            #expect(!isThere && OfflineError.cacheMiss ~= error, "\(error)")
        }
    }
}
