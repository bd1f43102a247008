import Foundation

/// What one kind of work came to, measured again and again.
struct Figures {
    private let sorted: [Double]

    init(_ figures: [Double]) { sorted = figures.sorted() }

    var median: Double { quantile(0.5) }

    var greatest: Double { quantile(1) }

    /// The median, with the 10th and the 90th percentile.
    var text: String { "\(median.short) (\(quantile(0.1).short)–\(quantile(0.9).short))" }

    /// The same work in another unit.
    func converted(_ convert: (Double) -> Double) -> Figures { Figures(sorted.map(convert)) }

    private func quantile(_ share: Double) -> Double {
        sorted[Int((Double(sorted.count - 1) * share).rounded())]
    }
}

extension Double {
    /// Three digits that count.
    var short: String {
        let decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2
        return String(format: "%.\(decimals)f", self)
    }
}
