import OfflineCore
import OfflineTesting
import TestSupport
import Testing

/// One device that writes and reads, over a server that takes its time.
@Suite("Lists in a seeded world of writes", .timeLimit(.minutes(5)))
struct WritingSimulationTests {
    #if THREAD_SANITIZER
    static let runs = 50
    #else
    static let runs = 300
    #endif

    /// Seeds that failed once, or that guards taken out made fail; and new ones in every run.
    private static let fixed: [UInt64] = Array(1...20) + [5_060_939_433_563_713_051]

    @Test func `never undo a write that was taken, and are right or stale`() async throws {
        let start = UInt64.random(in: 1_000...UInt64.max / 2)
        let seeds = TestSeeds.replayed ?? Self.fixed + (start..<start + UInt64(Self.runs))
        let (faults, checks, fresh) = try await onOwnThread {
            var (faults, checks, fresh): ([String], Int, Int) = ([], 0, 0)
            for seed in seeds {
                let world = try run(seed)
                if !world.faults.isEmpty { faults.append("seed \(seed): \(world.faults)") }
                checks += world.checks
                fresh += world.fresh
            }
            return (faults, checks, fresh)
        }
        for fault in faults { Issue.record("\(fault)") }
        // It would be worth nothing if hardly anything were looked at, or nothing were fresh.
        #expect(checks > 20 * seeds.count && fresh > checks / 4)
    }

    private func run(_ seed: UInt64) throws -> WritingWorld {
        let outcome = try SeededExecutor(seed: seed).run { runtime in
            let world = WritingWorld(runtime)
            do {
                try await world.live()
                return Result<WritingWorld, any Error>.success(world)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
