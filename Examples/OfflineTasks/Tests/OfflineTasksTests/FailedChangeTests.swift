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
            device.network.answer(
                status: 403,
                json: #"{"code":"42501","message":"denied","details":null,"hint":null}"#)
            let error = await #expect(throws: OfflineError.self) { try await device.change(typed) }
            #expect(error?.description.hasSuffix("The server refused: 403, code 42501") == true)
            #expect(try await device.kept().contains("[ ] b0000000  old\nFrom this device"))
        }
    }

    @Test(arguments: Self.changes)
    func `are not sent with --offline, nor without a network`(_ typed: [String]) async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            let asked = device.network.requests.count
            let offline = await #expect(throws: OfflineError.self) {
                try await device.change(typed + ["--offline"])
            }
            #expect(device.network.requests.count == asked)
            device.network.setDown(true)
            let down = await #expect(throws: OfflineError.self) { try await device.change(typed) }
            for error in [offline, down] {
                #expect(error?.description.contains("The request was not sent") == true)
            }
            #expect(try await device.kept().contains("[ ] b0000000  old\nFrom this device"))
        }
    }

    @Test(arguments: Self.changes)
    func `are perhaps changed if no answer comes, and that is told`(
        _ typed: [String]
    ) async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            device.network.fail(.init(.unanswered, .connectionLost))
            let error = await #expect(throws: OfflineError.self) { try await device.change(typed) }
            #expect(error?.description.contains("whether the server has carried it out") == true)
            if typed[0] != "add" {
                #expect(try await device.kept().hasSuffix(", perhaps out of date"))
            }
        }
    }

    @Test(arguments: Self.changes)
    func `need somebody who is signed in`(_ typed: [String]) async throws {
        try await Device.lend { device in
            await #expect(throws: AccountError.nobody) { try await device.change(typed) }
            #expect(device.network.requests.isEmpty)
        }
    }

    @Test(arguments: Self.changes)
    func `need a token that has not expired`(_ typed: [String]) async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            try device.signIn(.of("ada", 1, expiresIn: -1))
            device.network.setDown(true)
            let error = await #expect(throws: OfflineError.self) { try await device.change(typed) }
            #expect(error?.reason == .sessionExpired)
            #expect(error?.description.contains("Nothing was written.") == true)
            #expect(
                !device.network.requests.contains { $0.method != "GET" && $0.url.contains("rest") })
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
