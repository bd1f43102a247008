import OfflineCore
import OfflineTesting
import TestSupport
import Testing

/// One device whose network comes and goes and whose app is killed, over a server that loses answers.
@Suite("The queue in a seeded world", .timeLimit(.minutes(5)))
struct QueueSimulationTests {
    #if THREAD_SANITIZER
    static let runs = 20
    #else
    static let runs = 100
    #endif

    /// Seeds that failed once, or that guards taken out made fail; and new ones in every run.
    private static let fixed: [UInt64] = Array(1...20) + [3_993_660_582_505_916_554]

    @Test func `loses no write, doubles none, and shows each until it is answered`() async throws {
        let start = UInt64.random(in: 1_000...UInt64.max / 2)
        let seeds = TestSeeds.replayed ?? Self.fixed + (start..<start + UInt64(Self.runs))
        let (faults, counts) = try await onOwnThread {
            var faults: [String] = []
            var counts = (reads: 0, fresh: 0, kept: 0, largestBatch: 0)
            for seed in seeds {
                let world = try run(seed)
                if !world.faults.isEmpty { faults.append("seed \(seed): \(world.faults)") }
                counts.reads += world.reads
                counts.fresh += world.fresh
                counts.kept += world.kept
                counts.largestBatch = max(counts.largestBatch, world.largestBatch)
            }
            return (faults, counts)
        }
        for fault in faults { Issue.record("\(fault)") }
        // It would be worth nothing if hardly anything were kept, looked at or fresh.
        #expect(counts.kept > 8 * seeds.count && counts.reads > 15 * seeds.count, "\(counts)")
        #expect(counts.fresh > counts.reads / 4 && counts.largestBatch > 2, "\(counts)")
    }

    private func run(_ seed: UInt64) throws -> QueueWorld {
        let outcome = try SeededExecutor(seed: seed).run { runtime in
            let world = QueueWorld(runtime)
            do {
                try await world.live()
                return Result<QueueWorld, any Error>.success(world)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
