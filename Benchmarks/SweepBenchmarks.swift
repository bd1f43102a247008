import Foundation
import TestSupport

/// What reading and storing cost against the number of lists, and against their length.
///
/// All sizes of a sweep are measured in turn, so that they have the same weather.
func sweepBenchmarks(_ report: inout Report) async throws {
    try await withDirectory { directory in try await sweepLists(&report, in: directory) }
    try await withDirectory { directory in try await sweepRows(&report, in: directory) }
}

/// What each size of a sweep is measured against.
enum Comparison {
    /// The smallest size.
    case smallest
    /// The size before, so that a cost which only the smallest has doesn't hide one that grows.
    case next
}

extension Report {
    /// Prints a row for each size of a sweep, which may cost at most twice what a smaller one does.
    mutating func sweep(
        _ name: String, _ sizes: [Int], _ noun: String, _ figures: [Figures], unit: String = "µs",
        against comparison: Comparison
    ) {
        for index in sizes.indices.dropFirst() {
            let other = comparison == .smallest ? 0 : index - 1
            row(
                "\(name) \(sizes[index].grouped) \(noun), against \(sizes[other].grouped)",
                ours: figures[index], plain: figures[other], unit: unit, budget: .atMost(2))
        }
    }
}

extension Int {
    fileprivate var grouped: String {
        self < 1_000 ? "\(self)" : "\(self / 1_000),\(String(format: "%03d", self % 1_000))"
    }
}
