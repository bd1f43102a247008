import Foundation
import SupabaseOffline
import Testing

@testable import OfflineTasks

/// What a read does in a state that is put on by hand, with Ada's list on the device.
@Suite("A made-up state of the session", .timeLimit(.minutes(5)))
struct SimulatedSessionTests {
    enum Outcome: Sendable {
        /// The user's list, from the device.
        case list
        /// What the server answered.
        case answer
        case failure(OfflineError.Reason)
    }

    @Test(
        arguments: [
            ("restoring --offline", .list), ("restoring --strategy cacheOnly", .list),
            ("restoring:ada@example.com --strategy cacheOnly", .list),
            ("restoring:nobody --strategy cacheOnly", .failure(.cacheMiss)),
            ("restoring:grace@example.com --strategy cacheOnly", .failure(.cacheMiss)),
            ("signedIn", .answer), ("signedIn --strategy cacheOnly", .list),
            ("signedIn:grace@example.com", .answer),
            ("signedIn:grace@example.com --strategy cacheOnly", .failure(.cacheMiss)),
            ("refreshFailed", .failure(.sessionExpired)),
            ("refreshFailed --offline", .failure(.sessionExpired)),
            ("refreshFailed --strategy cacheFirst", .list),
            ("refreshFailed:grace@example.com --strategy cacheOnly", .failure(.cacheMiss)),
            ("signedOut", .answer), ("signedOut --strategy cacheOnly", .failure(.cacheMiss)),
        ] as [(String, Outcome)])
    func `decides what a read does`(_ typed: String, _ outcome: Outcome) async throws {
        try await Device.lend { device in
            try device.signIn(.grace, .ada)
            device.answer(task: "mine")
            _ = try await device.list()
            device.answer(task: "answered")
            let options = typed.split(separator: " ").map { String($0) }
            let read = Invocation.Command.list(try ListOptions(["--session"] + options))
            switch outcome {
            case .list: #expect(try await device.run(read).contains("mine\nFrom this device"))
            case .answer: #expect(try await device.run(read).contains("answered\nUpdated"))
            case .failure(let reason):
                await #expect { try await device.run(read) } throws: { reason ~= $0 }
            }
        }
    }

    @Test(arguments: [SupabaseOfflineClient.SignOutPolicy.dropCache, .keepCache])
    func `is real to the library: the lists go, or stay, by the policy`(
        _ policy: SupabaseOfflineClient.SignOutPolicy
    ) async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            device.answer(task: "mine")
            _ = try await device.list(policy: policy)
            device.network.answer(json: "[]")
            _ = try await device.list("--session", "signedOut", policy: policy)
            let later = try? await device.list("--strategy", "cacheOnly", policy: policy)
            #expect((later != nil) == (policy == .keepCache))
        }
    }

    @Test func `needs a user where it speaks of one`() async throws {
        try await Device.lend { device in
            for state in ["signedIn", "refreshFailed"] {
                await #expect(throws: AccountError.nobody) {
                    try await device.list("--session", state)
                }
            }
            await #expect(throws: AccountError.notKept("eve@example.com")) {
                try await device.list("--session", "restoring:eve@example.com")
            }
        }
    }
}
