import Foundation

/// Measures the package against the same work done the plain way, in one run.
@main
struct Benchmarks {
    static func main() async throws {
        var areas = Array(CommandLine.arguments.dropFirst())
        let isJSON = areas.contains("--json")
        areas.removeAll { $0 == "--json" }
        var report = Report(isJSON: isJSON)
        let all: [(name: String, run: (inout Report) async throws -> Void)] = [
            ("storage", storageBenchmarks), ("transport", transportBenchmarks),
            ("reading", readingBenchmarks), ("decoding", decodingBenchmarks),
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
