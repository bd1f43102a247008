/// The rows of a list while writes are applied to them.
///
/// A row of the server's stays where it is in the body until a write touches it. Rows that the list
/// doesn't admit are kept too, as far as they are known: a later write may change that.
struct OverlayRows {
    private enum Place {
        case inList
        /// Known, and not the list's as far as one can tell.
        case outside
        case removed
    }

    private struct Row {
        var place = Place.inList
        /// As the list shows it; nil for one that stands in the body as it is.
        var shown: Bytes?
        /// Every column that is known, shown or not; nil until a write touches the row.
        var known: RowColumns?
        var key: RowKey?
        /// Whether it is known from the user's own writes alone.
        var isOwn = false
    }

    private let list: ListOverlay
    private let directory: RowDirectory
    /// First the server's, in the order of the body, then those that writes bring.
    private var rows: ContiguousArray<Row>
    /// Where the rows are that writes have touched or brought, by the last that had the key.
    private var touched: [RowKey: Int] = [:]
    /// The writes so far, which rows have missed that come in later.
    private var past: ArraySlice<RowWrite> = []
    /// Whether a write has changed a row of the list since this was last set to false.
    var isTouched = false
    /// Whether something could not be decided.
    var isStale = false
    private var members = RowMembers()

    init(
        _ list: ListOverlay, body: Span<UInt8>, _ directory: RowDirectory, ownRows: Int = 0
    ) {
        self.list = list
        self.directory = directory
        rows = ContiguousArray(repeating: Row(), count: directory.count)
        for index in rows.indices.suffix(ownRows) { rows[index].isOwn = true }
    }

    mutating func apply(_ write: RowWrite, _ body: Span<UInt8>) {
        switch write {
        case .insert(let new):
            for row in new where index(ofKeyOf: row, body) == nil { add(row) }
        case .upsert(let new, let conflict, let ignoresDuplicates):
            for row in new {
                if let index = index(ofConflictWith: row, conflict, body) {
                    guard !ignoresDuplicates else { continue }
                    // The row has this key already, perhaps in another spelling.
                    set(isByKey(conflict) ? row.without(list.keys) : row, at: index, body)
                } else {
                    upsertUnknown(row, ignoresDuplicates: ignoresDuplicates, body)
                }
            }
        case .update(let columns, let condition):
            update(columns, where: condition, body)
        case .delete(let condition):
            for index in candidates(for: condition, body) {
                switch verdict(of: condition, at: index, body) {
                case .kept: remove(at: index, body)
                case .excluded: continue
                case .undecidable: isStale = true
                }
            }
        case .record(let record): take(record, body)
        }
        past.append(write)
    }

    /// The list as it is now.
    func list(_ body: Span<UInt8>) -> OverlaidList {
        // What the user's own writes alone tell stands at the end, to be found there again.
        let shown = rows.indices.filter { rows[$0].place == .inList }
        let order = shown.filter { !rows[$0].isOwn } + shown.filter { rows[$0].isOwn }
        let isChanged =
            order.count != directory.count
            || order.enumerated().contains { $0 != $1 || rows[$1].shown != nil }
        return OverlaidList(
            body: isChanged ? written(order, body) : nil,
            ownRows: order.count { rows[$0].isOwn },
            pendingKeys: order.compactMap { rows[$0].known == nil ? nil : rows[$0].key },
            isTouched: isTouched,
            hasOtherRows: rows.indices.contains {
                (rows[$0].place == .inList) != ($0 < directory.count)
            },
            // What the list has beside columns may follow from them.
            isStale: isStale || isTouched && list.selection.hasOthers)
    }

    private func written(_ order: [Int], _ body: Span<UInt8>) -> Bytes {
        var text: Bytes = []
        text.reserveCapacity(body.count + 256)
        text.append(.openingBracket)
        for index in order {
            if text.count > 1 { text.append(.comma) }
            if let shown = rows[index].shown {
                text.append(contentsOf: shown)
            } else {
                text.append(copying: body.extracting(directory[index]))
            }
        }
        text.append(.closingBracket)
        return text
    }
}

// MARK: What a write has left alone

extension OverlayRows {
    /// Notes that a write hit no row but some: what looks here as if it should have been hit is not as
    /// it is on the server.
    ///
    /// - Parameters:
    ///   - condition: The write's condition.
    ///   - hit: The keys of the rows that were hit.
    ///   - body: The list.
    mutating func notePassedOver(
        _ condition: RowCondition, sparing hit: Set<RowKey>, _ body: Span<UInt8>
    ) {
        for index in candidates(for: condition, body) {
            if let key = key(at: index, body), hit.contains(key) { continue }
            switch verdict(of: condition, at: index, body) {
            case .kept: isStale = true
            // Rows that are named by their keys exist, as far as the user knows.
            case .undecidable: isStale = isStale || condition.keys != nil
            case .excluded: continue
            }
        }
    }

    private func key(at index: Int, _ body: Span<UInt8>) -> RowKey? {
        guard rows[index].known == nil else { return rows[index].key }
        let row = body.extracting(directory[index])
        return (try? RowKey(ofRow: row, columns: list.keys)) ?? nil
    }
}

// MARK: Changing rows

extension OverlayRows {
    private mutating func update(
        _ columns: RowColumns, where condition: RowCondition, _ body: Span<UInt8>
    ) {
        for index in candidates(for: condition, body) {
            switch verdict(of: condition, at: index, body) {
            case .kept: set(columns, at: index, body)
            case .excluded: break
            case .undecidable: isStale = true
            }
        }
        for key in condition.keys ?? []
        where indices(of: key, body, isRemovedFound: true).isEmpty {
            guard let row = knownRow(key) else {
                noteUnknownRows(with: columns)
                continue
            }
            switch condition.judge(row.object().span) {
            case .kept:
                bring(row)
                set(columns, at: rows.count - 1, body)
            case .excluded: break
            case .undecidable: isStale = true
            }
        }
        if condition.keys == nil { noteUnknownRows(with: columns) }
    }

    /// Notes that rows which the device doesn't know may have become the list's.
    private mutating func noteUnknownRows(with columns: RowColumns) {
        guard !list.hasOffset, list.condition.reads(anyOf: columns) else { return }
        if list.condition.judge(columns.object().span) != .excluded { isStale = true }
    }

    /// Sets columns of a row, which may leave the list by that, or come into it.
    private mutating func set(_ columns: RowColumns, at index: Int, _ body: Span<UInt8>) {
        take(at: index, body)
        rows[index].known?.merge(columns)
        let known = rows[index].known ?? RowColumns()
        if index >= directory.count || rows[index].isOwn {
            rows[index].shown = list.selection.shown(known).object()
        } else {
            patch(list.selection.shown(columns), at: index, body)
        }
        let before = rows[index].place
        // What the server delivered is the list's as long as nothing that decides it has changed.
        if list.condition.reads(anyOf: columns) {
            switch list.condition.judge(known.object().span) {
            case .kept where before == .inList || index < directory.count || !list.hasOffset:
                rows[index].place = .inList
            case .kept: break
            case .excluded: rows[index].place = .outside
            case .undecidable: isStale = true
            }
        }
        if before == .inList || rows[index].place == .inList { isTouched = true }
    }

    private mutating func patch(_ columns: RowColumns, at index: Int, _ body: Span<UInt8>) {
        let patched: Bytes?
        if let shown = rows[index].shown {
            patched = (try? columns.replaced(in: shown.span, &members)) ?? nil
        } else {
            let row = body.extracting(directory[index])
            patched = (try? columns.replaced(in: row, &members)) ?? nil
        }
        if let patched { rows[index].shown = patched }
    }

    /// Adds a row of the user's own; one of which nobody can tell whether it is the list's is shown.
    private mutating func add(_ row: RowColumns) {
        bring(row)
        guard !list.hasOffset else { return }
        switch list.condition.judge(row.object().span) {
        case .kept: break
        case .excluded: return
        case .undecidable: isStale = true
        }
        rows[rows.count - 1].place = .inList
        rows[rows.count - 1].isOwn = true
        isTouched = true
    }

    /// Adds a row, or changes one that this list doesn't hold and another does.
    private mutating func upsertUnknown(
        _ row: RowColumns, ignoresDuplicates: Bool, _ body: Span<UInt8>
    ) {
        // Any row without a key may be the one.
        if hasRowsWithoutKey { isStale = true }
        // One that was removed by a write is gone, whatever another list says.
        guard let key = key(of: row), indices(of: key, body, isRemovedFound: true).isEmpty,
            let known = knownRow(key)
        else {
            guard ignoresDuplicates else { return add(row) }
            // It is added only if it is nowhere, which this list can't tell.
            guard list.condition.judge(row.object().span) != .excluded else { return }
            isStale = true
            return add(row)
        }
        guard !ignoresDuplicates else { return }
        bring(known)
        set(row, at: rows.count - 1, body)
    }

    /// Takes a row as the server has it now.
    private mutating func take(_ record: RowRecord, _ body: Span<UInt8>) {
        guard let key = key(of: record.columns), !hasRowsWithoutKey else {
            // Which row of the list it is can't be told; it may be none, unless the list keeps it out.
            if hasRowsWithoutKey || list.condition.judge(record.columns.object().span) != .excluded
            {
                isStale = true
            }
            return
        }
        if let index = indices(of: key, body, isRemovedFound: true).first {
            take(at: index, body)
            if rows[index].place == .removed {
                rows[index].known = record.columns
                rows[index].place = .outside
            }
            let isComplete = isComplete(record, body)
            set(record.columns.without(list.keys), at: index, body)
            if rows[index].place == .outside { admit(at: index) }
            guard rows[index].place == .inList else { return }
            if isComplete { rows[index].isOwn = false } else { isStale = true }
        } else {
            bring(record.columns)
            admit(at: rows.count - 1)
            guard rows[rows.count - 1].place == .inList else { return }
            isTouched = true
            if isComplete(record, body) { return }
            rows[rows.count - 1].isOwn = true
            isStale = true
        }
    }

    /// Lets a row into the list, if the list takes it.
    private mutating func admit(at index: Int) {
        let known = rows[index].known ?? RowColumns()
        let verdict = list.condition.judge(known.object().span)
        guard verdict != .excluded else { return }
        if verdict == .undecidable { isStale = true }
        if list.hasOffset { isStale = true } else { rows[index].place = .inList }
    }

    /// Whether a record tells everything that the list shows of a row, and that decides about it.
    private func isComplete(_ record: RowRecord, _ body: Span<UInt8>) -> Bool {
        guard !list.selection.hasOthers else { return false }
        func tells(_ name: Bytes) -> Bool { record.told.value(ofName: name) != nil }
        guard list.selection.columns.allSatisfy({ tells($0.name) }) else { return false }
        if record.isWhole { return true }
        guard let deciding = list.condition.columns, deciding.allSatisfy(tells) else {
            return false
        }
        guard list.selection.isWhole else { return true }
        // What all columns are, a row of the server's shows.
        guard directory.count > 0, !rows[0].isOwn,
            let other = list.selection.columns(of: body.extracting(directory[0]))
        else { return false }
        return other.columns.allSatisfy { tells($0.name) }
    }

    /// Takes a row in hand that the list doesn't hold.
    private mutating func bring(_ row: RowColumns) {
        let key = key(of: row)
        if let key { touched[key] = rows.count }
        rows.append(
            Row(
                place: .outside, shown: list.selection.shown(row).object(), known: row, key: key))
    }

    private mutating func remove(at index: Int, _ body: Span<UInt8>) {
        take(at: index, body)
        if rows[index].place == .inList { isTouched = true }
        rows[index].place = .removed
    }

    /// Takes hold of a row of the server's before it is changed.
    private mutating func take(at index: Int, _ body: Span<UInt8>) {
        guard rows[index].known == nil else { return }
        let row = body.extracting(directory[index])
        rows[index].known = list.selection.columns(of: row) ?? RowColumns()
        let key = (try? RowKey(ofRow: row, columns: list.keys)) ?? nil
        rows[index].key = key
        if let key { touched[key] = index }
    }
}

// MARK: Finding rows

extension OverlayRows {
    /// The rows that a condition could keep, in their order.
    private func candidates(for condition: RowCondition, _ body: Span<UInt8>) -> [Int] {
        guard let keys = condition.keys else {
            return rows.indices.filter { rows[$0].place != .removed }
        }
        var found = Set(keys.flatMap { indices(of: $0, body) })
        // Whatever has no key could have one of these, as far as the device knows.
        if hasRowsWithoutKey {
            let hashes = directory.keyHashes
            found.formUnion(hashes.indices.filter { hashes[$0] == nil })
        }
        found.formUnion((directory.count..<rows.count).filter { rows[$0].key == nil })
        return found.filter { rows[$0].place != .removed }.sorted()
    }

    /// Whether the list has rows of which the device doesn't know the key.
    private var hasRowsWithoutKey: Bool { directory.keyCount < directory.count }

    /// Where the rows with a key are.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: The list.
    ///   - isRemovedFound: Whether rows count that a write has removed.
    /// - Returns: The rows, in no particular order.
    private func indices(
        of key: RowKey, _ body: Span<UInt8>, isRemovedFound: Bool = false
    ) -> [Int] {
        var found = directory.rows(withHash: key.stableHash).filter { index in
            guard rows[index].known == nil else { return rows[index].key == key }
            // Another key may have the same hash.
            let row = body.extracting(directory[index])
            return (try? RowKey(ofRow: row, columns: list.keys)) == key
        }
        if let index = touched[key], !found.contains(index) { found.append(index) }
        return found.filter { isRemovedFound || rows[$0].place != .removed }
    }

    /// A row that another list holds, with what the writes so far have done to it; nil if there is
    /// none, or none any more.
    private mutating func knownRow(_ key: RowKey) -> RowColumns? {
        guard var row = list.knownRow(key) else { return nil }
        for write in past {
            switch write {
            // Writes that name this row by its key would have brought it in.
            case .insert, .upsert, .record: continue
            case .update(let columns, let condition):
                switch condition.judge(row.object().span) {
                case .kept: row.merge(columns)
                case .excluded: continue
                case .undecidable: isStale = true
                }
            case .delete(let condition):
                switch condition.judge(row.object().span) {
                case .kept: return nil
                case .excluded: continue
                case .undecidable: isStale = true
                }
            }
        }
        return row
    }

    private func key(of row: RowColumns) -> RowKey? { row.key(list.keys) }

    private func index(ofKeyOf row: RowColumns, _ body: Span<UInt8>) -> Int? {
        key(of: row).flatMap { indices(of: $0, body).first }
    }

    private func isByKey(_ conflict: KeyColumns?) -> Bool {
        conflict == nil || conflict == list.keys
    }

    /// The row that has the same values in the columns of a conflict.
    private mutating func index(
        ofConflictWith row: RowColumns, _ conflict: KeyColumns?, _ body: Span<UInt8>
    ) -> Int? {
        guard let conflict, !isByKey(conflict) else { return index(ofKeyOf: row, body) }
        // A null is equal to nothing.
        guard let values = (try? RowKey(ofRow: row.object().span, columns: conflict)) ?? nil else {
            return nil
        }
        for index in rows.indices where rows[index].place != .removed {
            let columns =
                rows[index].known
                ?? list.selection.columns(of: body.extracting(directory[index]))
            guard let columns, conflict.names.allSatisfy({ columns.value(ofName: $0) != nil })
            else {
                isStale = true
                continue
            }
            let other = (try? RowKey(ofRow: columns.object().span, columns: conflict)) ?? nil
            guard let other else { continue }
            if other == values { return index }
        }
        return nil
    }

    private func verdict(
        of condition: RowCondition, at index: Int, _ body: Span<UInt8>
    ) -> Verdict {
        if let known = rows[index].known { return condition.judge(known.object().span) }
        let row = body.extracting(directory[index])
        if list.selection.isPlain { return condition.judge(row) }
        return condition.judge((list.selection.columns(of: row) ?? RowColumns()).object().span)
    }
}
