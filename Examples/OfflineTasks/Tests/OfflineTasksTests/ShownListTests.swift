import Foundation
import Testing

@testable import OfflineTasks

@Suite("The list that is shown", .timeLimit(.minutes(5)))
struct ShownListTests {
    @Test(arguments: [
        (0.0, "just now"), (1, "1 second ago"), (59, "59 seconds ago"), (180, "3 minutes ago"),
        (3_600, "1 hour ago"), (90_000, "1 day ago"), (-5, "just now"),
    ])
    func `says under a list where it came from and how old it is`(_ age: Double, _ text: String) {
        let now = Date()
        for (isFromCache, caption) in [(true, "From this device, "), (false, "Updated ")] {
            let list = ShownList(
                tasks: [], isFromCache: isFromCache, fetchedAt: now.addingTimeInterval(-age))
            #expect(list.caption(now: now) == caption + text)
        }
    }

    @Test func `says under a list that it may be out of date`() {
        let now = Date()
        let list = ShownList(tasks: [], isFromCache: true, fetchedAt: now, isStale: true)
        #expect(list.caption(now: now) == "From this device, just now, perhaps out of date")
    }

    @Test(arguments: [(1, "1 change"), (2, "2 changes")])
    func `says over a list how much of the user's the server lacks, and marks the tasks`(
        _ count: Int, _ words: String
    ) {
        let list = ShownList(
            tasks: ["b1", "b2"].map {
                TaskRow(
                    id: $0, title: "first", done: true, priority: 1, notes: "slowly",
                    updatedAt: nil)
            }, isFromCache: true, fetchedAt: nil, unsentCount: count, unsentIDs: ["b1", "b3"])
        #expect(
            list.text(now: Date()).hasPrefix(
                """
                With \(words) that the server does not have yet:
                [x] b1  first  (priority 1)  (not sent yet)
                    slowly
                [x] b2  first  (priority 1)
                    slowly

                """))
    }

    @Test func `shows as much of the ids as tells the tasks apart, and their notes`() {
        let tasks = [
            TaskRow(
                id: "b0000000-aaaa", title: "first", done: true, priority: 1, notes: "slowly",
                updatedAt: nil),
            TaskRow(
                id: "b0000000-abaa", title: "second", done: false, priority: nil, notes: nil,
                updatedAt: nil),
        ]
        func text(_ tasks: [TaskRow]) -> String {
            ShownList(tasks: tasks, isFromCache: false, fetchedAt: nil).text(now: Date())
        }
        #expect(
            text(tasks).hasPrefix(
                """
                [x] b0000000-aa  first  (priority 1)
                    slowly
                [ ] b0000000-ab  second

                """))
        #expect(text([tasks[1]]).hasPrefix("[ ] b0000000  second\n"))
    }
}
