/// A write that the server has accepted, or may have, and what is known of what it did.
///
/// It is put into the lists that the device has of its table, and into answers to reads that were sent
/// before the server accepted it.
package struct AcceptedWrite: Sendable {
    /// What was asked for.
    package enum Change: Sendable {
        case insert([RowColumns])
        case upsert([RowColumns], conflict: KeyColumns?, ignoresDuplicates: Bool)
        /// Sets columns of the rows that filters keep.
        case update(RowColumns, ParsedFilter)
        /// Removes the rows that filters keep.
        case delete(ParsedFilter)
        /// Nothing: rows were read, as they are now.
        case nothing
        /// Something that nobody tells, as a function does.
        case unknown
    }

    /// What the answer says of the rows.
    package enum Account: Sendable {
        /// These, as they are now or, if they are gone, as they were.
        ///
        /// - Parameters:
        ///   - rows: The rows.
        ///   - isWhole: Whether they have every column of the table.
        ///   - isFull: Whether there are no others.
        case rows([RowColumns], isWhole: Bool, isFull: Bool)
        /// How many there are; nil if not even that.
        case count(Int?)
        /// Nothing, and it may be that nothing has happened.
        case mayHaveFailed
    }

    /// The table, as list keys name it.
    package let table: ListKey.Table
    package let facts: TableFacts
    package let change: Change
    package let account: Account

    package init(
        table: ListKey.Table, facts: TableFacts, change: Change, account: Account
    ) {
        self.table = table
        self.facts = facts
        self.change = change
        self.account = account
    }

    /// Whether nothing has changed, neither in the table nor in what the device should think of it.
    var isVoid: Bool {
        switch (change, account) {
        case (.update(let columns, _), _) where columns.columns.isEmpty: true
        case (.insert([]), _), (.upsert([], _, _), _): true
        default: false
        }
    }

    /// Whether no row has changed for certain.
    var hasNoRows: Bool {
        switch account {
        case .rows(let rows, _, let isFull): rows.isEmpty && isFull
        case .count(let count): count == 0
        case .mayHaveFailed: false
        }
    }
}

extension AcceptedWrite.Account {
    /// Whether the server says that no row was hit.
    var isOfNoRow: Bool {
        switch self {
        case .rows([], _, true), .count(0): true
        default: false
        }
    }

    /// How many rows a change was made to; nil if that can't be told.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - isAlone: Whether the account is of this change alone.
    /// - Returns: The number.
    func rowCount(of change: AcceptedWrite.Change, isAlone: Bool) -> Int? {
        switch (self, change) {
        case (.rows(let rows, _, true), _) where isAlone: rows.count
        case (.count(let count?), _) where isAlone: count
        case (.mayHaveFailed, _): nil
        case (_, .insert(let rows)), (_, .upsert(let rows, _, ignoresDuplicates: false)):
            rows.count
        default: nil
        }
    }
}

// MARK: In a list

extension AcceptedWrite {
    /// Puts the write into the rows of a list.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - body: The list.
    ///   - reader: Turns the write's filters into conditions on the list's rows.
    func apply(
        to rows: inout OverlayRows, _ body: Span<UInt8>, _ reader: inout ConditionReader
    ) {
        switch (change, account) {
        case (.unknown, _): rows.isStale = true
        case (_, .mayHaveFailed):
            var changed = rows
            changed.isTouched = false
            for write in writes(&reader) { changed.apply(write, body) }
            if changed.isTouched || changed.isStale { rows.isStale = true }
        case (.update(_, let filter), _) where hasNoRows,
            (.delete(let filter), _) where hasNoRows:
            rows.notePassedOver(reader.condition(filter), sparing: [], body)
        case (.nothing, .rows(let told, let isWhole, _)):
            for row in told { rows.apply(.record(RowRecord(row, isWhole: isWhole)), body) }
        case (.nothing, .count): break
        case (.insert(let new), .count):
            for row in new { rows.apply(.record(RowRecord(row, isWhole: false)), body) }
        case (_, .count(let count)):
            applyAsSent(to: &rows, body, &reader, count: count)
        case (.insert(let new), .rows(let told, let isWhole, let isFull)),
            (.upsert(let new, _, _), .rows(let told, let isWhole, let isFull)):
            if !isFull { applyAsSent(to: &rows, body, &reader, count: nil) }
            let sent = RowsByKey(new, facts.keys)
            for row in told {
                let presumed = told.count == 1 && new.count == 1 ? new[0] : sent.row(like: row)
                rows.apply(
                    .record(RowRecord(row, isWhole: isWhole, presumed: presumed)), body)
            }
        case (.update(let columns, let filter), .rows(let told, let isWhole, let isFull)):
            let condition = reader.condition(filter)
            if isFull {
                rows.notePassedOver(condition, sparing: RowsByKey(told, facts.keys).keys, body)
            } else {
                applyAsSent(to: &rows, body, &reader, count: nil)
            }
            for row in told {
                rows.apply(.record(RowRecord(row, isWhole: isWhole, presumed: columns)), body)
            }
        case (.delete(let filter), .rows(let told, _, _)):
            let found = RowsByKey(told, facts.keys)
            guard found.isWhole else { return applyAsSent(to: &rows, body, &reader, count: nil) }
            rows.notePassedOver(reader.condition(filter), sparing: found.keys, body)
            rows.apply(.delete(RowCondition(keys: Array(found.keys), of: facts)), body)
        }
    }

    /// Does to the rows what the write should have done to them, which the answer doesn't tell.
    private func applyAsSent(
        to rows: inout OverlayRows, _ body: Span<UInt8>, _ reader: inout ConditionReader,
        count: Int?
    ) {
        let wasTouched = rows.isTouched
        rows.isTouched = false
        for write in writes(&reader) { rows.apply(write, body) }
        // The server may have set other columns too, or hidden rows from the write.
        if rows.isTouched, !isExact(count, &reader) { rows.isStale = true }
        rows.isTouched = rows.isTouched || wasTouched
    }

    /// Whether the count of the rows tells which: a delete that names them all by their keys.
    private func isExact(_ count: Int?, _ reader: inout ConditionReader) -> Bool {
        guard case .delete(let filter) = change, let count else { return false }
        let condition = reader.condition(filter)
        return condition.keys?.count == count
            && condition.columns == facts.keyColumns
    }

    private func writes(_ reader: inout ConditionReader) -> [RowWrite] {
        change.rowWrites(&reader)
    }
}

extension AcceptedWrite.Change {
    /// What the change does to rows, if the server does as it is asked.
    package func rowWrites(_ reader: inout ConditionReader) -> [RowWrite] {
        switch self {
        case .insert(let rows): [.insert(rows)]
        case .upsert(let rows, let conflict, let ignoresDuplicates):
            [.upsert(rows, conflict: conflict, ignoresDuplicates: ignoresDuplicates)]
        case .update(let columns, let filter):
            [.update(columns, reader.condition(filter))]
        case .delete(let filter): [.delete(reader.condition(filter))]
        case .nothing, .unknown: []
        }
    }
}

/// Rows by their keys.
private struct RowsByKey {
    private let columns: KeyColumns
    private var rows: [RowKey: RowColumns] = [:]
    /// Whether every row has a key.
    private(set) var isWhole = true

    init(_ rows: [RowColumns], _ columns: KeyColumns) {
        self.columns = columns
        for row in rows {
            if let key = row.key(columns) { self.rows[key] = row } else { isWhole = false }
        }
    }

    var keys: Set<RowKey> { Set(rows.keys) }

    /// The row with the key of another one; no columns if there is none.
    func row(like other: RowColumns) -> RowColumns {
        other.key(columns).flatMap { rows[$0] } ?? RowColumns()
    }
}
