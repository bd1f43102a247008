import Foundation
import SupabaseOffline
import Testing

@testable import OfflineTasks

@Suite("Tasks that are changed without the server", .timeLimit(.minutes(5)))
struct KeptChangeTests {
    private let id = "b0000000-0000-4000-8000-000000000001"

    /// A change of each kind, what is said of it, and what the list shows then.
    struct Change: Sendable {
        let typed: [String]
        let said: String
        let shown: String
    }

    static let changes = [
        Change(typed: ["add", "new"], said: "Added on", shown: "  new  (not sent yet)\nFrom"),
        Change(
            typed: ["edit", "b", "new"], said: "Changed on",
            shown: "[ ] b0000000  new  (not sent yet)\nFrom"),
        Change(
            typed: ["done", "b"], said: "Done on", shown: "[x] b0000000  old  (not sent yet)\nFrom"),
        Change(typed: ["rm", "b"], said: "Removed on", shown: "yet:\nNo tasks.\nFrom"),
    ]

    @Test(arguments: Self.changes)
    func `are kept with --offline and without a network, and the lists show it`(
        _ change: Change
    ) async throws {
        for options in [["--offline"], []] {
            try await Device.lend { device in
                try await device.show(SampleTask(id))
                let asked = device.network.requests.count
                let kept = try KeptChange(
                    options.isEmpty
                        ? try await device.changeOffline(change.typed).text
                        : try await device.change(change.typed + options))
                #expect(kept.text.hasPrefix(change.said))
                if !options.isEmpty { #expect(device.network.requests.count == asked) }
                let shown = try await device.kept()
                #expect(shown.hasPrefix("With 1 change that the server does not have yet:\n"))
                #expect(shown.contains(change.shown))
                #expect(try await device.queue("pending").hasPrefix(kept.writeID.prefix(8)))
            }
        }
    }

    @Test(arguments: Self.changes)
    func `are kept if no answer comes, and sent again`(_ change: Change) async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            device.network.fail(.init(.unanswered, .connectionLost))
            let kept = try KeptChange(try await device.change(change.typed))
            let first = try #require(device.network.requests.last)
            #expect(try await device.kept().contains(change.shown))

            device.answer(SampleTask(id, title: "new"))
            #expect(try await device.queue("sync") == Self.allSent)
            let second = try #require(device.network.requests.last)
            #expect(second.url == first.url && second.json == first.json)
            await #expect(throws: WriteError.unknown(kept.writeID)) {
                try await device.queue("discard", kept.writeID)
            }
        }
    }

    @Test func `are added once, also if the answer to that is lost`() async throws {
        try await Device.lend { device in
            try await device.show()
            device.network.fail(.init(.unanswered, .connectionLost))
            let said = try KeptChange(try await device.change("add", "new")).text
            let sent = try #require(device.network.requests.last)
            let added = try JSONDecoder().decode(TaskRow.self, from: sent.json)
            #expect(said.hasSuffix("\n[ ] \(added.id.prefix(8))  new"))

            device.refuse(409, "23505", "duplicate key value violates \\\"tasks_pkey\\\"")
            device.answer(SampleTask(added.id, title: "new"))
            #expect(try await device.queue("sync") == Self.allSent)
            let readBack = try #require(device.network.requests.last)
            #expect(readBack.method == "GET" && readBack.query.contains(added.id))
            #expect(try await device.kept().hasPrefix("[ ] \(added.id.prefix(8))  new\nFrom"))
        }
    }

    @Test(arguments: Self.changes)
    func `are kept while the token has expired and can't be renewed`(
        _ change: Change
    ) async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            try device.signIn(.of("ada", 1, expiresIn: -1))
            let kept = try await device.changeOffline(change.typed)
            #expect(kept.text.hasPrefix(change.said))
            #expect(
                !device.network.requests.contains { $0.method != "GET" && $0.url.contains("rest") })
        }
    }

    @Test func `are sent before what is changed after them`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            _ = try await device.changeOffline("done", id)
            device.answer(SampleTask(id, done: true))
            device.answer(SampleTask(id, title: "new", done: true))
            #expect(try await device.change("edit", id, "new") == "Changed:\n[x] b0000000  new")
            #expect(device.network.requests.suffix(2).map(\.method) == ["PATCH", "PATCH"])
            #expect(try await device.queue("pending") == "Nothing is to be sent.")
            #expect(try await device.kept().hasPrefix("[x] b0000000  new\nFrom"))
        }
    }

    @Test func `are edited as the user saw them, also where that was not sent`() async throws {
        try await Device.lend { device in
            try await device.show()
            let kept = try await device.changeOffline("add", "new")
            let taskID = try #require(kept.text.firstMatch(of: /\[ \] ([0-9a-f]{8})  new/)?.1)
            _ = try await device.changeOffline("edit", String(taskID), "newer")
            #expect(try await device.kept().contains("\(taskID)  newer  (not sent yet)"))

            device.answer(SampleTask(id))
            device.answer(SampleTask(id))
            #expect(try await device.queue("sync").hasPrefix("Sent: 2."))
            let requests = device.network.requests.suffix(2).map { $0 }
            let added = try JSONDecoder().decode(TaskRow.self, from: requests[0].json)
            let moment = try #require(added.updatedAt)
            #expect(requests[1].query.contains("id=eq.\(added.id)&updated_at=eq.\(moment)"))
        }
    }

    @Test func `are named by their ids where the device has never seen them`() async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            let kept = try await device.changeOffline("done", id)
            #expect(kept.text.hasSuffix("):\n    \(id)"))
        }
    }

    static let allSent = "Sent: 1. Rejected: 0. Still to be sent: 0."
}
