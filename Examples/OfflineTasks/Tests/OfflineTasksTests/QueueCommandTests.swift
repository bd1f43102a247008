import Foundation
import SupabaseOffline
import Testing

@testable import OfflineTasks

@Suite("Writes that the server does not have", .timeLimit(.minutes(5)))
struct QueueCommandTests {
    private let id = "b0000000-0000-4000-8000-000000000001"
    private let other = "c0000000-0000-4000-8000-000000000002"

    // MARK: To be sent

    @Test func `are shown in their order, with what they do`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id), SampleTask(other))
            #expect(try await device.queue("pending") == "Nothing is to be sent.")
            _ = try await device.changeOffline("edit", id, "new")
            _ = try await device.changeOffline("done", other)
            _ = try await device.changeOffline("done", id, "--undo")
            _ = try await device.changeOffline("rm", id)
            let lines = try await device.queue("pending").split(separator: "\n")
            let expected = [
                "  update task b0000000: new", "  update task c0000000: done",
                "  update task b0000000: not done", "  delete task b0000000",
            ]
            for (index, does) in expected.enumerated() { #expect(lines[2 * index].hasSuffix(does)) }
            #expect(lines[1] == "    made just now, tried 4 times")
            #expect(lines[7] == "    made just now, never tried")
        }
    }

    @Test func `are shown with the server's last answer, if that was none that counts`()
        async throws
    {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            _ = try await device.changeOffline("done", id)
            device.refuse(503, "PGRST002", "no schema cache")
            let said = try await device.queue("sync")
            #expect(
                said.hasPrefix(
                    "Sent: 0. Rejected: 0. Still to be sent: 1.\nIt stopped early: the server"))
            #expect(
                try await device.queue("pending").hasSuffix(
                    "\n    the server last answered 503, code PGRST002: no schema cache"))
        }
    }

    @Test func `are sent by sync, which tells what came of them`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id), SampleTask(other))
            for typed in [["done", id], ["rm", other], ["edit", id, "new"]] {
                _ = try await device.changeOffline(typed)
            }
            device.answer(SampleTask(id, done: true))
            device.refuse(403, "42501", "denied")
            let said = try await device.queue("sync")
            #expect(
                said.hasPrefix(
                    "Sent: 1. Rejected: 1. Still to be sent: 1.\nSee rejected.\nIt stopped early"))
            #expect(try await device.kept().contains("\n[ ] c0000000  old\nFrom"))
        }
    }

    @Test func `are not sent by what shows or drops them`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            let kept = try await device.changeOffline("done", id)
            let asked = device.network.requests.count
            _ = try await device.queue("pending")
            _ = try await device.queue("rejected")
            _ = try await device.list("--strategy", "cacheOnly")
            _ = try await device.queue("discard", kept.writeID)
            #expect(device.network.requests.count == asked)
        }
    }

    // MARK: Rejected

    @Test func `are shown once they are refused, with all that the server said`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            #expect(try await device.queue("rejected") == "Nothing was rejected.")
            let kept = try await device.reject("edit", id, "new")
            #expect(
                try await device.queue("rejected") == """
                    \(kept.writeID.prefix(8))  update task b0000000: new
                        rejected just now
                        the server refused: 400, code 22003
                        out of range
                        hint: choose another
                    """)
            #expect(try await device.kept().hasPrefix("[ ] b0000000  old\nFrom"))
        }
    }

    @Test(arguments: [true, false])
    func `are shown as a conflict once somebody else has changed the task`(
        _ isThere: Bool
    ) async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            _ = try await device.changeOffline("edit", id, "mine")
            device.answer()
            if isThere { device.answer(SampleTask(id, title: "theirs")) } else { device.answer() }
            #expect(try await device.queue("sync").contains("Rejected: 1."))
            let shown = try await device.queue("rejected")
            #expect(shown.contains("    there is a conflict: somebody has changed the task"))
            #expect(
                shown.hasSuffix(
                    isThere
                        ? "\n    on the server it is now: [ ] b0000000  theirs"
                        : "\n    it is gone or can't be read now"))
        }
    }

    @Test func `are retried as they were, and perhaps rejected again`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            let kept = try await device.reject("rm", id)
            device.refuse(400, "22003", "out of range")
            let said = try await device.queue("retry", kept.writeID)
            #expect(said == "It is rejected again: out of range")
            let short = String(kept.writeID.prefix(8)).uppercased()
            device.answer(SampleTask(id))
            #expect(try await device.queue("retry", short) == "The server has taken it.")
            #expect(device.network.requests.last?.method == "DELETE")
            #expect(try await device.queue("rejected") == "Nothing was rejected.")
        }
    }

    @Test func `have to be of a task on the server when they are retried`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            let kept = try await device.reject("done", id)
            device.answer()
            let said = try await device.queue("retry", kept.writeID)
            #expect(said == "Nothing was changed: the server has no such task for you.")
        }
    }

    @Test(arguments: [["add", "old"], ["edit", "b", "old"]])
    func `are retried with other values`(_ typed: [String]) async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            let kept = try await device.reject(typed)
            let before = try #require(device.network.requests.last)
            device.answer(SampleTask(id, title: "new"))
            let said = try await device.queue(
                "retry", kept.writeID, "--title", "new", "--priority", "3")
            #expect(said == "The server has taken it.")
            let after = try #require(device.network.requests.last)
            #expect(after.url == before.url && after.method == before.method)
            var expected = try JSONDecoder().decode([String: JSONValue].self, from: before.json)
            (expected["title"], expected["priority"]) = ("new", 3)
            let sent = try JSONDecoder().decode([String: JSONValue].self, from: after.json)
            #expect(sent == expected)
        }
    }

    @Test func `are not retried with values that they have none of`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            let kept = try await device.reject("rm", id)
            await #expect(throws: WriteError.hasNoValues) {
                try await device.queue("retry", kept.writeID, "--title", "new")
            }
            #expect(try await device.queue("rejected").contains("delete task b0000000"))
        }
    }

    @Test func `are in the queue again if they can't be retried now`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            let kept = try await device.reject("done", id)
            device.network.setDown(true)
            #expect(
                try await device.queue("retry", kept.writeID)
                    == "It is in the queue again, and not sent yet.")
            #expect(try await device.queue("pending").hasPrefix(kept.writeID.prefix(8)))
            await #expect(throws: WriteError.unknown(kept.writeID)) {
                try await device.queue("retry", kept.writeID)
            }
        }
    }

    // MARK: Dropped

    @Test(arguments: [false, true])
    func `are dropped with those that have no sense without them`(
        _ isRejected: Bool
    ) async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            let kept = try await device.changeOffline("add", "new")
            let task = try #require(kept.text.firstMatch(of: /\[ \] ([0-9a-f]{8})  new/)?.1)
            _ = try await device.changeOffline("done", String(task))
            _ = try await device.changeOffline("done", id)
            if isRejected {
                device.refuse(400, "22003", "out of range")
                device.answer(SampleTask(id, done: true))
                #expect(try await device.queue("sync").hasPrefix("Sent: 1. Rejected: 2."))
                #expect(
                    try await device.queue("rejected").hasSuffix(
                        "it depends on the rejected write \(kept.writeID)"))
            }
            let lines = try await device.queue("discard", kept.writeID).split(separator: "\n")
            #expect(lines.count == 4 && lines[0] == "Discarded:")
            #expect(lines[1].hasSuffix("  insert task \(task): new"))
            #expect(lines[2] == "With it went what has no sense without it:")
            #expect(lines[3].hasSuffix("  update task \(task): done"))
            #expect(try await device.queue("rejected") == "Nothing was rejected.")
            let isLeft = try await device.queue("pending").contains("update task b0000000")
            #expect(isLeft == !isRejected)
        }
    }

    @Test func `are not dropped once the server may have done them`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id))
            device.network.fail(.init(.unanswered, .connectionLost))
            let kept = try KeptChange(try await device.change("done", id))
            let error = await #expect(throws: OfflineError.self) {
                try await device.queue("discard", kept.writeID)
            }
            #expect(error?.reason == .inFlight)
            #expect(try await device.queue("pending").contains("update task b0000000: done"))
        }
    }

    // MARK: Named

    @Test func `have to be meant alone, and to be there`() async throws {
        try await Device.lend { device in
            try await device.show(SampleTask(id), SampleTask(other))
            for task in [id, other] { _ = try await device.reject("rm", task) }
            let kept = try await device.changeOffline("done", id)
            for command in ["retry", "discard"] {
                let error = await #expect(throws: WriteError.self) {
                    try await device.queue(command, "0")
                }
                #expect(error?.description.contains("  delete task c0000000") == true)
                await #expect(throws: WriteError.unknown("x")) {
                    try await device.queue(command, "x")
                }
            }
            await #expect(throws: WriteError.unknown(kept.writeID)) {
                try await device.queue("retry", kept.writeID)
            }
        }
    }

    @Test(arguments: [["pending"], ["rejected"], ["sync"], ["retry", "a"], ["discard", "a"]])
    func `are somebody's who is signed in`(_ typed: [String]) async throws {
        try await Device.lend { device in
            await #expect(throws: AccountError.nobody) {
                try await device.run(.queue(try QueueCommand(typed)))
            }
            #expect(device.network.requests.isEmpty)
        }
    }
}

extension Device {
    /// A change that is kept, and then refused.
    fileprivate func reject(_ typed: String...) async throws -> KeptChange {
        try await reject(typed)
    }

    fileprivate func reject(_ typed: [String]) async throws -> KeptChange {
        let kept = try await changeOffline(typed)
        refuse(400, "22003", "out of range", hint: "choose another")
        _ = try await queue("sync")
        return kept
    }
}
