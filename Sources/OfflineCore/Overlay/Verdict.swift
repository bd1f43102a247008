/// What the device knows of whether a condition keeps a row.
package enum Verdict: Hashable, Sendable {
    case kept
    /// The condition is false or unknown to SQL, which both exclude a row.
    case excluded
    /// Only the server can tell.
    case undecidable
}

/// What rows have to be: a filter of a list or of a write, judged on the device.
package struct RowCondition: Sendable {
    /// The columns that it reads, as text in UTF-8; nil if that isn't known.
    package let columns: Set<Bytes>?
    /// The keys that a row must have one of; nil if other rows can be kept too.
    ///
    /// It saves looking at all rows and says nothing more: a row with such a key is judged like any.
    package let keys: [RowKey]?
    /// The same keys, if a row is kept by having one of them and by nothing else.
    let soleKeys: Set<RowKey>?
    private let judgement: @Sendable (Span<UInt8>) -> Verdict

    /// - Parameters:
    ///   - columns: The columns that it reads; nil if that isn't known.
    ///   - keys: The keys that a row must have one of; nil if other rows can be kept too.
    ///   - judgement: Judges an object of columns by name. One that is missing isn't known.
    package init(
        columns: Set<Bytes>?, keys: [RowKey]? = nil,
        _ judgement: @escaping @Sendable (Span<UInt8>) -> Verdict
    ) {
        self.columns = columns
        self.keys = keys
        soleKeys = nil
        self.judgement = judgement
    }

    /// Keeps the rows that have one of certain keys.
    package init(keys: [RowKey], of facts: TableFacts) {
        let soleKeys = Set(keys)
        columns = facts.keyColumns
        self.keys = keys
        self.soleKeys = soleKeys
        judgement = { row in
            guard let key = (try? RowKey(ofRow: row, columns: facts.keys)) ?? nil else {
                return .undecidable
            }
            return soleKeys.contains(key) ? .kept : .excluded
        }
    }

    /// Keeps every row.
    package static let everything = RowCondition(columns: []) { _ in .kept }

    /// Judges a row.
    ///
    /// - Parameter row: An object of columns by name; one that is missing isn't known.
    /// - Returns: The verdict.
    package func judge(_ row: Span<UInt8>) -> Verdict { judgement(row) }

    /// Judges a row by those of its columns that the condition reads.
    func judge(_ row: RowColumns) -> Verdict {
        judge(row.object { columns?.contains($0) ?? true }.span)
    }

    /// Whether the condition may be another one for a row once these columns have changed.
    func reads(anyOf changed: RowColumns) -> Bool {
        guard let columns else { return true }
        return changed.columns.contains { columns.contains($0.name) }
    }
}
