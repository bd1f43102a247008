import Foundation

/// Measures the package against the same work done the plain way, in one run.
@main
struct Benchmarks {
    static func main() async throws { try await measure() }

    /// Measures on the shared pool.
    ///
    /// The main actor is a thread of its own. A call from there changes threads twice, and its
    /// copies may be made by a processor that doesn't have the bytes at hand, which is not the work
    /// that is compared.
    @concurrent
    private static func measure() async throws {
        var areas = Array(CommandLine.arguments.dropFirst())
        if let reader = MemoryReader(arguments: areas) { return try await reader.run() }
        let isJSON = areas.contains("--json")
        areas.removeAll { $0 == "--json" }
        var report = Report(isJSON: isJSON)
        let all: [(name: String, run: (inout Report) async throws -> Void)] = [
            ("storage", storageBenchmarks), ("transport", transportBenchmarks),
            ("reading", readingBenchmarks), ("decoding", decodingBenchmarks),
            ("storing", storingBenchmarks), ("overlay", overlayBenchmarks),
            ("writing", writingBenchmarks), ("queue", queueBenchmarks),
            ("sweep", sweepBenchmarks), ("memory", memoryBenchmarks),
        ]
        for area in areas where !all.contains(where: { $0.name == area }) {
            print(
                "There is no area \"\(area)\"; there are \(all.map(\.name).joined(separator: ", "))."
            )
            exit(EX_USAGE)
        }
        for (name, run) in all where areas.isEmpty || areas.contains(name) {
            try await run(&report)
        }
    }
}
