import Foundation
import Testing

@testable import OfflineTasks

@Suite("The tasks that a device knows", .timeLimit(.minutes(5)))
struct KnownTasksTests {
    @Test func `are those of all lists, as the one has them that was read last`() {
        let earlier = list([task("b1", "before"), task("b2", "second")], ageInSeconds: 60)
        let later = list([task("b1", "after"), task("b3", "third")], ageInSeconds: 30)
        for lists in [[earlier, later], [later, earlier]] {
            let known = KnownTasks(lists)
            #expect(known["b1"]?.title == "after")
            #expect(known["b2"]?.title == "second")
            #expect(known["b3"]?.title == "third")
        }
    }

    @Test func `are found by the beginning of an id, if it is of one alone`() throws {
        let known = KnownTasks([list([task("b1", "first"), task("b2", "second")])])
        #expect(try known.id("b1") == "b1")
        #expect(try known.id("B2") == "b2")
        #expect(throws: TaskError.unknown("c")) { try known.id("c") }
        #expect(throws: TaskError.ambiguous("b", among: ["[ ] b1  first", "[ ] b2  second"])) {
            try known.id("b")
        }
    }

    @Test func `need not have a task whose whole id is given`() throws {
        let id = "b0000000-0000-4000-8000-000000000001"
        #expect(try KnownTasks([]).id(id.uppercased()) == id)
    }

    private func list(_ tasks: [TaskRow], ageInSeconds age: Double = 0) -> ShownList {
        ShownList(
            tasks: tasks, isFromCache: true, fetchedAt: Date(timeIntervalSince1970: 1_000 - age))
    }

    private func task(_ id: String, _ title: String) -> TaskRow {
        TaskRow(id: id, title: title, done: false, priority: nil, notes: nil, updatedAt: nil)
    }
}
