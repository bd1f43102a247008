import Foundation

/// Prints what was measured, row by row.
struct Report {
    /// What a ratio has to be.
    enum Budget {
        case atMost(Double)
        case atLeast(Double)
        /// Not a ratio: so many more than the plain way.
        case onTop(Double)
        /// Measured for orientation.
        case none
    }

    let isJSON: Bool
    private var isFirst = true

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// Prints a row.
    ///
    /// - Parameters:
    ///   - name: What was measured.
    ///   - ours: Our figures, in `unit`.
    ///   - plain: The plain way's figures.
    ///   - unit: The unit of both.
    ///   - budget: What the ratio of the medians has to be.
    mutating func row(
        _ name: String, ours: Figures, plain: Figures, unit: String = "µs", budget: Budget
    ) {
        let ratio = ours.median / plain.median
        if isJSON {
            print(
                #"{"name":"\#(name)","unit":"\#(unit)","ours":\#(ours.median.short),"#
                    + #""plain":\#(plain.median.short),"ratio":\#(ratio.short),"#
                    + #""budget":\#(budget.json)}"#)
            return
        }
        if isFirst {
            print(
                "| what | ours, median (10th–90th) | the plain way | ratio | budget | |\n"
                    + "| --- | --- | --- | --- | --- | --- |")
            isFirst = false
        }
        print(
            "| \(name) | \(ours.text) \(unit) | \(plain.text) \(unit) | \(ratio.short) "
                + "| \(budget.text) | \(budget.verdict(ratio, difference: ours.median - plain.median)) |"
        )
    }
}

extension Report.Budget {
    fileprivate var text: String {
        switch self {
        case .atMost(let limit): "≤ \(limit.short)"
        case .atLeast(let limit): "≥ \(limit.short)"
        case .onTop(let limit): "≤ \(limit.short) µs on top"
        case .none: "–"
        }
    }

    fileprivate var json: String {
        switch self {
        case .atMost, .atLeast, .onTop: "\"\(text)\""
        case .none: "null"
        }
    }

    fileprivate func verdict(_ ratio: Double, difference: Double) -> String {
        switch self {
        case .onTop(let limit): difference <= limit ? "holds" : "missed"
        case .atMost(let limit): ratio <= limit ? "holds" : "missed"
        case .atLeast(let limit): ratio >= limit ? "holds" : "missed"
        case .none: ""
        }
    }
}

/// The times of one kind of work.
struct Figures {
    private let sorted: [Double]

    init(_ times: [Double]) { sorted = times.sorted() }

    var median: Double { quantile(0.5) }

    fileprivate var text: String {
        "\(median.short) (\(quantile(0.1).short)–\(quantile(0.9).short))"
    }

    private func quantile(_ share: Double) -> Double {
        sorted[Int((Double(sorted.count - 1) * share).rounded())]
    }
}

extension Double {
    /// Three digits that count.
    fileprivate var short: String {
        let decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2
        return String(format: "%.\(decimals)f", self)
    }
}
