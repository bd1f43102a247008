import Foundation
import SupabaseOffline
import Testing

@testable import OfflineTasks

@Suite("The sample", .timeLimit(.minutes(1)))
struct OfflineTasksTests {
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

    @Test func `understands its options`() throws {
        let options = try ListOptions([
            "--strategy", "cacheFirst", "--max-age", "60", "--open", "--offline",
        ])
        #expect(options.strategy == .cacheFirst(maxAge: .seconds(60)))
        #expect(options.isDone == false)
        #expect(options.isOffline)
    }

    @Test(arguments: [
        ["--strategy", "sometimes"], ["--strategy"], ["--max-age", "soon"], ["--max-age"],
        ["--loud"], ["--strategy", "networkOnly", "--max-age", "1"],
    ])
    func `refuses what means nothing`(_ arguments: [String]) {
        #expect(throws: UsageError.self) { try ListOptions(arguments) }
    }

    @Test func `needs a server`() {
        #expect(throws: UsageError.self) { try Invocation(["list"], environment: [:]) }
    }
}
