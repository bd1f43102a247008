import Foundation
import OfflineTesting
import SupabaseOffline
import TestSupport
import Testing
import WriteHistory

/// A device over a real PostgreSQL whose process is killed at any moment, while it writes and while it
/// sends what an earlier one has left, and whose server fails in between.
///
/// Each process leaves a history of what it was told, and the tables remember all that happened to them.
@Suite(
    "A device that is killed again and again",
    .enabled(if: TestServer.takesFaults, "only the development server takes faults"),
    .timeLimit(.minutes(30)))
struct QueueKillTests {
    /// More by the environment variable `KILL_ROUNDS`.
    static let rounds = ProcessInfo.processInfo.environment["KILL_ROUNDS"].flatMap(Int.init) ?? 20

    @Test func `loses no write that was acknowledged, doubles none, and keeps their order`()
        async throws
    {
        let server = try #require(TestServer.current)
        let seed = TestSeeds.replayed?.first ?? UInt64.random(in: 0...UInt64.max)
        try await withDirectory { directory in
            let world = try await KillWorld(server, directory)
            var random = SplitMix64(seed: seed)
            var ends: [KillRound.End] = []
            for number in 0..<Self.rounds {
                let round = KillRound(using: &random)
                do {
                    ends.append(try await world.live(round))
                } catch {
                    Issue.record("seed \(seed), round \(number), \(round): \(error)")
                    break
                }
            }
            let (left, rejected) = try await world.finish()
            let comment: Comment = "seed \(seed), \(ends.count) rounds"
            #expect(left == 0, comment)
            #expect(rejected.map { "\($0.mutation): \($0.rejection)" } == [], comment)
            let (rows, events) = try await (world.rows(), world.events())
            let history = try world.written()
            for fault in history.faults(rows, events) { Issue.record("\(comment): \(fault)") }

            let acknowledged = history.writes.count(where: \.isAcknowledged)
            print(
                "\(comment): \(ends.count(where: \.isKilled)) kills,",
                "\(ends.count(where: \.isInCall)) in a call,",
                "\(ends.count(where: \.isInRequest)) in a request;",
                "\(acknowledged) of \(history.writes.count) writes acknowledged,",
                "\(events.count) events, \(rows.count) rows")
            // It would be worth nothing if hardly anything were killed, or written.
            #expect(ends.count(where: \.isKilled) > ends.count / 3, comment)
            #expect(
                ends.contains(where: \.isInCall) && ends.contains(where: \.isInRequest), comment)
            #expect(acknowledged > 3 * ends.count && rows.count > ends.count / 2, comment)
            try await world.dropTables()
        }
    }
}
