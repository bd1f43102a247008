/// Prints what was measured, row by row.
struct Report {
    /// What our figures have to be.
    enum Budget {
        /// The ratio of the medians.
        case atMost(Double)
        case atLeast(Double)
        /// Not a ratio: so many more than the plain way.
        case onTop(Double)
        /// Not a ratio: our median alone, beside which the plain way stands for orientation.
        case absoluteAtMost(Double)
        case absoluteAtLeast(Double)
        /// The same, but each of our figures and not only their median.
        case alwaysAtMost(Double)
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
    ///   - budget: What our figures have to be.
    mutating func row(
        _ name: String, ours: Figures, plain: Figures, unit: String = "µs", budget: Budget
    ) {
        let ratio = ours.median / plain.median
        let limit = budget.text(unit)
        if isJSON {
            print(
                #"{"name":"\#(name)","unit":"\#(unit)","ours":\#(ours.median.short),"#
                    + #""greatest":\#(ours.greatest.short),"plain":\#(plain.median.short),"#
                    + #""ratio":\#(ratio.short),"budget":\#(limit.map { "\"\($0)\"" } ?? "null")}"#)
            return
        }
        if isFirst {
            print(
                "| what | ours, median (10th–90th) | the plain way | ratio | budget | |\n"
                    + "| --- | --- | --- | --- | --- | --- |")
            isFirst = false
        }
        print(
            "| \(name) | \(budget.text(of: ours)) \(unit) | \(budget.text(of: plain)) \(unit) "
                + "| \(ratio.short) | \(limit ?? "–") | \(budget.verdict(ours, against: plain)) |")
    }
}

extension Report.Budget {
    /// The limit, or nil if there is none.
    fileprivate func text(_ unit: String) -> String? {
        switch self {
        case .atMost(let limit): "≤ \(limit.short)"
        case .atLeast(let limit): "≥ \(limit.short)"
        case .onTop(let limit): "≤ \(limit.short) \(unit) on top"
        case .absoluteAtMost(let limit): "≤ \(limit.short) \(unit)"
        case .absoluteAtLeast(let limit): "≥ \(limit.short) \(unit)"
        case .alwaysAtMost(let limit): "each ≤ \(limit.short) \(unit)"
        case .none: nil
        }
    }

    /// One side's figures, with all that a verdict on them depends on.
    fileprivate func text(of figures: Figures) -> String {
        switch self {
        case .alwaysAtMost: "\(figures.text), at most \(figures.greatest.short)"
        case .atMost, .atLeast, .onTop, .absoluteAtMost, .absoluteAtLeast, .none: figures.text
        }
    }

    fileprivate func verdict(_ ours: Figures, against plain: Figures) -> String {
        let holds =
            switch self {
            case .atMost(let limit): ours.median / plain.median <= limit
            case .atLeast(let limit): ours.median / plain.median >= limit
            case .onTop(let limit): ours.median - plain.median <= limit
            case .absoluteAtMost(let limit): ours.median <= limit
            case .absoluteAtLeast(let limit): ours.median >= limit
            case .alwaysAtMost(let limit): ours.greatest <= limit
            case .none: nil as Bool?
            }
        return holds.map { $0 ? "holds" : "missed" } ?? ""
    }
}
