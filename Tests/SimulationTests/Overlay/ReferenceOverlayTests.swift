import OfflineTesting
import TestSupport
import Testing

@testable import OfflineCore

/// Random lists and writes: the overlay against the plainest one.
@Suite("An overlay, beside its reference", .timeLimit(.minutes(5)))
struct ReferenceOverlayTests {
    /// How many cases there are: a hundred thousand, of a few writes each.
    #if THREAD_SANITIZER
    static let cases = 2_000
    #else
    static let cases = 100_000
    #endif

    @Test func `agrees with it in every case`() async throws {
        let seeds = Self.seeds(Self.cases)
        let (faults, known) = try await onOwnThread {
            var (faults, known): ([String], Int) = ([], 0)
            for seed in seeds {
                let outcome = try run(seed, keys: 6, writes: 4)
                if let fault = outcome.fault { faults.append("seed \(seed): \(fault)") }
                if outcome.reference.isTouched, !outcome.reference.isStale { known += 1 }
                // One says as much as a thousand.
                if faults.count == 3 { break }
            }
            return (faults, known)
        }
        #expect(faults.isEmpty)
        // Where nothing happens, or nothing is certain, there is little to agree in.
        if TestSeeds.replayed == nil, faults.isEmpty { #expect(known > Self.cases / 10) }
    }

    @Test(arguments: [10, 100, 1_000], [true, false])
    func `agrees with it over long batches on few rows`(_ writes: Int, isPinned: Bool) async throws
    {
        let seeds = Self.seeds(40)
        let outcomes = try await onOwnThread {
            try seeds.map { ($0, try run($0, keys: 20, writes: writes, isPinned: isPinned).fault) }
        }
        for case (let seed, let fault?) in outcomes { Issue.record("seed \(seed): \(fault)") }
    }

    private static func seeds(_ count: Int) -> [UInt64] {
        let start = UInt64.random(in: .min...UInt64.max / 2)
        return TestSeeds.replayed ?? Array(start..<start + UInt64(count))
    }

    private func run(
        _ seed: UInt64, keys: Int, writes count: Int, isPinned: Bool = false
    ) throws -> (fault: String?, reference: ReferenceOverlay) {
        var source = SampleSource(seed: seed, keys: keys)
        let list = source.list()
        let writes = (0..<count).map { _ in source.anyWrite(isPinned: isPinned) }
        let spelled = writes.map { write in
            write.write(list.spelling == .uuid && source.flip() ? .uuidInCapitals : list.spelling)
        }
        let body = list.body
        let overlay = list.overlay
        let directory = try RowDirectory(scanning: body.span, columns: overlay.keys)
        let result = overlay.applying(spelled, to: body.span, directory)
        let reference = ReferenceOverlay(list, writes)

        var differences: [String] = []
        func compare<T: Equatable>(_ what: String, _ found: T, _ expected: T) {
            if found != expected { differences.append("\(what) \(found) instead of \(expected)") }
        }
        compare("rows", try rows(of: result.body ?? body), reference.shown)
        compare(
            "pending",
            result.pendingKeys.map { key in
                (0..<keys).first { list.spelling.key($0) == key } ?? -1
            }, reference.pendingKeys)
        compare("touched", result.isTouched, reference.isTouched)
        compare("stale", result.isStale, reference.isStale)
        guard !differences.isEmpty else { return (nil, reference) }
        let story = "\(differences.joined(separator: "; ")): \(list), \(writes)"
        return (String(story.prefix(2_000)), reference)
    }

    private func rows(of body: Bytes) throws -> [SampleRow] {
        let directory = try RowDirectory(scanning: body.span, columns: KeyColumns(["i"]))
        return (0..<directory.count).map { SampleRow(parsing: body.span.extracting(directory[$0])) }
    }
}
