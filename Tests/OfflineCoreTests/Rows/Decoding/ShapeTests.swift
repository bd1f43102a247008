import Foundation
import OfflineCore
import OfflineTesting
import Testing

@Suite("Decoding types of every shape", .timeLimit(.minutes(5)))
struct ShapeTests {
    @Test(arguments: LeafTests.seeds)
    func `answers every question as Foundation does`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var countAsked = 0
        for _ in 0..<4_000 {
            let body = RowListWriter.list(using: &random)
            let script = random.next()
            let (ours, foundations) = (Trace(seed: script), Trace(seed: script))
            let outcome = Outcome {
                try RowDecoder(userInfo: [.trace: ours]).decode([Probe].self, from: body).count
            }
            let expected = Outcome {
                let decoder = JSONDecoder.supabase()
                decoder.userInfo = [.trace: foundations]
                return try decoder.decode([Probe].self, from: Data(body)).count
            }
            let difference = zip(ours.notes, foundations.notes).first { $0 != $1 }
            try #require(
                difference == nil && ours.notes.count == foundations.notes.count,
                "\(difference.map { "\($0)" } ?? "missing"), in \(body.text), seed \(seed)")
            try #require(outcome == expected, "\(body.text), seed \(seed)")
            countAsked += ours.notes.count
        }
        // Enough was asked to make this worth something.
        #expect(countAsked > 40_000)
    }
}
