import Foundation
import SupabaseOffline
import Testing

@testable import OfflineTasks

@Suite("Tasks that are changed", .timeLimit(.minutes(5)))
struct ChangeTests {
    private let id = "b0000000-0000-4000-8000-000000000001"

    @Test func `are added by an id of the app's, and are in the lists at once`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            let new = SampleTask(
                "c0000000-0000-4000-8000-000000000002", title: "new", notes: "third wheel")
            device.network.answer(status: 201, json: "[\(new.json)]")
            let said = try await device.change(
                "add", "new", "--notes", "third wheel", "--priority", "2")
            #expect(said == "Added:\n[ ] c0000000  new\n    third wheel")

            let request = try #require(device.network.requests.last)
            #expect(request.method == "POST")
            let sent = try JSONDecoder().decode(Added.self, from: request.json)
            #expect(sent.title == "new" && sent.notes == "third wheel" && sent.priority == 2)
            #expect(UUID(uuidString: sent.id) != nil && sent.id == sent.id.lowercased())
            #expect(try await device.kept().contains("c0000000  new\n    third wheel\nFrom"))
        }
    }

    @Test func `are edited as the user saw them, and the lists follow`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            device.answer(SampleTask(id, title: "new", updatedAt: "2026-02-01T00:00:00+00:00"))
            #expect(try await device.change("edit", "B00", "new") == "Changed:\n[ ] b0000000  new")

            let request = try #require(device.network.requests.last)
            #expect(request.method == "PATCH")
            #expect(request.query.contains("id=eq.\(id)&"))
            #expect(request.query.contains("updated_at=eq.\(SampleTask.moment)"))
            let sent = try JSONDecoder().decode([String: String].self, from: request.json)
            #expect(sent.keys.sorted() == ["title", "updated_at"])
            #expect(try await device.kept().contains("new\nFrom this device"))

            // The next edit is of the row that the first one made.
            device.answer(SampleTask(id, title: "newer"))
            _ = try await device.change("edit", "b00", "newer")
            let next = try #require(device.network.requests.last)
            #expect(next.query.contains("updated_at=eq.2026-02-01T00:00:00+00:00"))
        }
    }

    @Test func `are edited in any case where the device has never seen them`() async throws {
        try await Device.lend { device in
            try device.signIn(.ada)
            device.answer(SampleTask(id, title: "new"))
            _ = try await device.change("edit", id.uppercased(), "new")
            let request = try #require(device.network.requests.last)
            #expect(request.query.contains("id=eq.\(id)"))
            #expect(!request.query.contains("updated_at"))
        }
    }

    @Test func `are done, and not done again`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            device.answer()
            _ = try await device.list("--done")
            for (options, isDone) in [([], true), (["--undo"], false)] {
                device.answer(SampleTask(id, done: isDone))
                let said = try await device.change(["done", id] + options)
                #expect(said == (isDone ? "Done:\n[x]" : "Not done:\n[ ]") + " b0000000  old")
                let request = try #require(device.network.requests.last)
                #expect(request.query.contains("id=eq.\(id)"))
                let sent = try JSONDecoder().decode(Marked.self, from: request.json)
                #expect(sent.done == isDone)
                #expect(try await device.kept().contains("[\(isDone ? "x" : " ")] b0000000  old"))
                #expect(try await device.kept("--done").contains("old") == isDone)
            }
        }
    }

    @Test func `are removed, here too`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            device.answer(SampleTask(id))
            #expect(try await device.change("rm", id) == "Removed:\n[ ] b0000000  old")
            let request = try #require(device.network.requests.last)
            #expect(request.method == "DELETE" && request.query.contains("id=eq.\(id)"))
            #expect(try await device.kept().hasPrefix("No tasks.\nFrom this device"))
        }
    }
}

private struct Added: Decodable {
    let id: String
    let title: String
    let notes: String
    let priority: Int
}

private struct Marked: Decodable { let done: Bool }
