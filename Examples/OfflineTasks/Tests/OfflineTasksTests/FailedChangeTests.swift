import Foundation
import SupabaseOffline
import Testing

@testable import OfflineTasks

@Suite("Tasks that can't be changed", .timeLimit(.minutes(5)))
struct FailedChangeTests {
    private let id = "b0000000-0000-4000-8000-000000000001"

    @Test func `are not edited over somebody else's edit, which is shown`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            device.answer()
            device.answer(SampleTask(id, title: "theirs", done: true))
            let error = await #expect(throws: TaskError.conflict(now: "[x] b0000000  theirs")) {
                try await device.change("edit", id, "mine")
            }
            #expect(
                error?.description.hasPrefix("Nothing was changed. There is a conflict") == true)
            #expect(error?.description.contains("now:\n[x] b0000000  theirs\n") == true)
        }
    }

    @Test func `are not edited once they are gone`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            device.answer()
            device.answer()
            await #expect(throws: TaskError.conflict(now: nil)) {
                try await device.change("edit", id, "mine")
            }
        }
    }

    @Test(arguments: [["edit", "new"], ["done"], ["done", "--undo"], ["rm"]])
    func `have to be on the server`(_ typed: [String]) async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            device.answer()
            await #expect(throws: TaskError.notOnServer(id)) {
                try await device.change([typed[0], id] + typed.dropFirst())
            }
        }
    }

    @Test(arguments: Self.changes)
    func `are as they were if the server refuses, and its code is told`(
        _ typed: [String]
    ) async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            device.refuse(403, "42501", "denied")
            let error = await #expect(throws: OfflineError.self) { try await device.change(typed) }
            #expect(error?.description.hasSuffix("The server refused: 403, code 42501") == true)
            #expect(try await device.kept().contains("[ ] b0000000  old\nFrom this device"))
            #expect(try await device.queue("rejected") == "Nothing was rejected.")
        }
    }

    @Test(arguments: Self.changes)
    func `need somebody who is signed in`(_ typed: [String]) async throws {
        try await Device.lend { device in
            await #expect(throws: AccountError.nobody) { try await device.change(typed) }
            #expect(device.network.requests.isEmpty)
        }
    }

    @Test(arguments: [["edit", "new"], ["done"], ["rm"]])
    func `have to be meant alone, and to be known`(_ typed: [String]) async throws {
        try await Device.lend { device in
            try await device.show(
                SampleTask(id), SampleTask("b0000000-0000-4000-8000-000000000002"))
            let asked = device.network.requests.count
            let error = await #expect(throws: TaskError.self) {
                try await device.change([typed[0], "b"] + typed.dropFirst())
            }
            #expect(error?.description.contains("\n[ ] \(id)  old\n") == true)
            await #expect(throws: TaskError.unknown("c")) {
                try await device.change([typed[0], "c"] + typed.dropFirst())
            }
            #expect(device.network.requests.count == asked)
        }
    }

    /// One change of each kind, of a task that is there.
    static let changes = [["add", "new"], ["edit", "b", "new"], ["done", "b"], ["rm", "b"]]
}
