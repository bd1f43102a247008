import TestSupport
import Testing

@testable import OfflineCore
@testable import OfflineTesting

/// Sessions that change at any moment of any call: the client against a model of who may see what.
@Suite("Sessions in a seeded world", .timeLimit(.minutes(5)))
struct SessionSimulationTests {
    /// How many seeds each way of telling is tried with, beside the fifty that are always the same.
    #if THREAD_SANITIZER
    static let rounds = 50
    #else
    static let rounds = 500
    #endif

    private static var drawn: [UInt64] {
        let start = UInt64.random(in: 1_000...UInt64.max / 2)
        return Array(1...50) + (start..<start + UInt64(rounds))
    }

    @Test(arguments: SessionWorld.Source.allCases)
    func `serve and store every row for its owner alone`(
        _ source: SessionWorld.Source
    ) async throws {
        let seeds = TestSeeds.replayed ?? Self.drawn
        // Apart from the shared pool, which would have no thread left for the other tests.
        let faulty = try await onOwnThread {
            try seeds.map { (seed: $0, faults: try run($0, source).faults) }
                .filter { !$0.faults.isEmpty }
        }
        for (seed, faults) in faulty { Issue.record("seed \(seed), \(source): \(faults)") }
    }

    @Test func `repeat a run for its seed`() throws {
        let (first, second, other) = try (run(7, .states), run(7, .states), run(8, .states))
        #expect(first.trace == second.trace)
        #expect(first.trace != other.trace)
        #expect(first.answers > 5)
    }

    private func run(
        _ seed: UInt64, _ source: SessionWorld.Source
    ) throws -> (trace: UInt64, faults: [String], answers: Int) {
        let executor = SeededExecutor(seed: seed)
        let outcome = try executor.run { runtime in
            let world = SessionWorld(runtime, executor.clock, source)
            do {
                for _ in 0..<3 { try await world.live() }
                return Result<SessionWorld, any Error>.success(world)
            } catch {
                return .failure(error)
            }
        }
        let world = try outcome.get()
        return (executor.trace, world.faults, world.answers)
    }
}
