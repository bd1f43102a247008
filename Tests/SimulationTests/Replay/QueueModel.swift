/// What a user has written, and what may be shown of it.
///
/// Writes go to one row each, in the order in which they were made. Some are always refused; of some it
/// isn't known whether they were kept, because the app was killed before it was told.
struct QueueModel {
    enum Kind: Hashable {
        case insert(isDone: Bool)
        case upsert(isDone: Bool)
        case update(isDone: Bool?)
        case delete
    }

    struct Write {
        let number: Int
        let kind: Kind
        /// Whether the app was told that it is kept or taken.
        var isCertain = false

        var isPoison: Bool { kind != .delete && QueueServer.isPoison(number) }
    }

    private(set) var writes: [Int: [Write]] = [:]

    /// The rows that there are, or were.
    var keys: [Int] { writes.keys.sorted() }

    /// Whether a row may be inserted by a write that is always refused.
    func isPoisoned(_ key: Int) -> Bool { writes[key]?.first?.isPoison ?? false }

    mutating func begin(_ number: Int, _ kind: Kind, of key: Int) {
        writes[key, default: []].append(Write(number: number, kind: kind))
    }

    /// Notes that the app was told that a write is kept or taken.
    mutating func confirm(_ number: Int, of key: Int) {
        guard let index = writes[key]?.firstIndex(where: { $0.number == number }) else { return }
        writes[key]?[index].isCertain = true
    }

    /// Notes that the app was told that a write is refused.
    mutating func withdraw(_ number: Int, of key: Int) {
        writes[key]?.removeAll { $0.number == number }
        if writes[key]?.isEmpty == true { writes[key] = nil }
    }

    /// How many writes there are of each row.
    var counts: [Int: Int] { writes.mapValues(\.count) }

    /// What a row may be.
    ///
    /// - Parameters:
    ///   - key: The row's key.
    ///   - count: How many of its writes have happened at least.
    ///   - isFinal: Whether all writes have been answered.
    /// - Returns: The rows; nil is none.
    func rows(of key: Int, after count: Int, isFinal: Bool = false) -> Set<QueueServer.Row?> {
        let all = writes[key] ?? []
        var rows: Set<QueueServer.Row?> = []
        for length in min(count, all.count)...all.count {
            rows.formUnion(outcomes(of: all.prefix(length), isFinal: isFinal))
        }
        return rows
    }

    private func outcomes(
        of writes: ArraySlice<Write>, isFinal: Bool
    ) -> Set<QueueServer.Row?> {
        var rows: Set<QueueServer.Row?> = [nil]
        for write in writes {
            var next: Set<QueueServer.Row?> = []
            if !write.isPoison || !isFinal { next.formUnion(rows.map { apply(write, to: $0) }) }
            if write.isPoison || !write.isCertain { next.formUnion(rows) }
            rows = next
        }
        // Without its insert, nothing that names the row is carried out.
        if writes.first.map({ $0.isPoison || !$0.isCertain }) ?? false { rows.insert(nil) }
        return rows
    }

    private func apply(_ write: Write, to row: QueueServer.Row?) -> QueueServer.Row? {
        switch write.kind {
        case .insert(let isDone): row ?? .init(v: write.number, d: isDone)
        case .upsert(let isDone): .init(v: write.number, d: isDone)
        case .update(let isDone):
            row.map { .init(v: write.number, d: isDone ?? $0.d) }
        case .delete: nil
        }
    }
}
