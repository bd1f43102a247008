/// Changing rows as writes say.
extension OverlayRows {
    mutating func update(
        _ columns: RowColumns, where condition: RowCondition, _ body: Span<UInt8>
    ) {
        let candidates = candidates(for: condition, body)
        for index in candidates.rows {
            switch verdict(of: condition, at: index, body) {
            case .kept: set(columns, at: index, body)
            case .excluded: break
            case .undecidable: isStale = true
            }
        }
        for key in candidates.missing where indices(of: key, body, isRemovedFound: true).isEmpty {
            guard let row = knownRow(key) else {
                noteUnknownRows(with: columns)
                continue
            }
            switch condition.judge(row) {
            // One that the list would have had before is gone, beyond its limit, or another one by now.
            case .kept where wasAdmitted(key): noteUnknownRows(with: columns)
            case .kept:
                bring(row)
                set(columns, at: rows.count - 1, body)
            case .excluded: break
            case .undecidable: isStale = true
            }
        }
        if condition.keys == nil { noteUnknownRows(with: columns) }
    }

    /// Whether a row that another list holds passes the list's condition before all writes.
    private func wasAdmitted(_ key: RowKey) -> Bool {
        list.knownRow(key).map { list.condition.judge($0) == .kept } ?? false
    }

    /// Notes that rows which the device doesn't know may have become the list's.
    private mutating func noteUnknownRows(with columns: RowColumns) {
        guard !list.hasOffset, list.condition.reads(anyOf: columns) else { return }
        if list.condition.judge(columns) != .excluded { isStale = true }
    }

    /// Sets columns of a row, which may leave the list by that, or come into it.
    mutating func set(_ columns: RowColumns, at index: Int, _ body: Span<UInt8>) {
        take(at: index, body)
        rows[index].written?.merge(columns)
        if !isBrought(index) { patch(list.selection.shown(columns), at: index, body) }
        if list.keys.names.contains(where: { columns.value(ofName: $0) != nil }) {
            setKey(key(of: columns) ?? key(of: self.columns(at: index, body)), at: index)
        }
        let before = rows[index].place
        // What the server delivered is the list's as long as nothing that decides it has changed.
        if index < directory.count || !list.hasOffset, list.condition.reads(anyOf: columns) {
            switch verdict(of: list.condition, at: index, body) {
            case .kept: rows[index].place = .inList
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
    mutating func add(_ row: RowColumns) {
        bring(row)
        rows[rows.count - 1].isOwn = true
        show(at: rows.count - 1, row)
    }

    /// Shows a row that the list doesn't hold, unless it excludes it.
    private mutating func show(at index: Int, _ row: RowColumns) {
        guard !list.hasOffset else { return }
        switch list.condition.judge(row) {
        case .kept: break
        case .excluded: return
        case .undecidable: isStale = true
        }
        rows[index].place = .inList
        isTouched = true
    }

    /// Changes the row that has the same values in the columns of a conflict, or adds one.
    mutating func upsert(
        _ row: RowColumns, _ conflict: KeyColumns, ignoresDuplicates: Bool, _ body: Span<UInt8>
    ) {
        if let index = index(ofConflictWith: row, conflict, body) {
            guard !ignoresDuplicates else { return }
            // The row has this key already, perhaps in another spelling.
            set(conflict == list.keys ? row.without(list.keys) : row, at: index, body)
            if rows[index].place == .outside { show(at: index, columns(at: index, body)) }
            return
        }
        let key = key(of: row)
        let held = key.map { indices(of: $0, body, isRemovedFound: true) } ?? []
        // The server refuses a second row with a key.
        guard held.allSatisfy({ rows[$0].place == .removed }) else { return }
        // One that was removed by a write is gone, whatever another list says.
        if held.isEmpty, let known = key.flatMap({ knownRow($0) }) {
            guard !ignoresDuplicates, isConflict(of: row, with: known, conflict) == true else {
                return
            }
            var changed = known
            changed.merge(row.without(list.keys))
            bring(changed)
            return show(at: rows.count - 1, changed)
        }
        if ignoresDuplicates, held.isEmpty || conflict != list.keys {
            // It is added only if it is nowhere, which this list can't tell.
            guard !list.hasOffset,
                !held.isEmpty || list.condition.judge(row) != .excluded
            else { return }
            isStale = true
        }
        add(row)
    }

    /// Takes a row in hand that the list doesn't hold.
    mutating func bring(_ row: RowColumns) {
        rows.append(Row(place: .outside, written: row))
        setKey(key(of: row), at: rows.count - 1)
        if rows[rows.count - 1].key == nil { keyless.append(rows.count - 1) }
    }

    mutating func remove(at index: Int, _ body: Span<UInt8>) {
        take(at: index, body)
        if rows[index].place == .inList { isTouched = true }
        rows[index].place = .removed
    }

    /// Takes hold of a row of the server's before it is changed.
    mutating func take(at index: Int, _ body: Span<UInt8>) {
        guard rows[index].written == nil else { return }
        noteKey(at: index, body)
        // Of one that the user's own writes alone tell, the list has no more than they have set.
        rows[index].written = rows[index].isOwn ? columns(at: index, body) : RowColumns()
    }

    /// Whether all that is known of a row stands in what writes have set.
    func isBrought(_ index: Int) -> Bool { index >= directory.count || rows[index].isOwn }

    /// Notes the key that a row has now, by which the directory doesn't know it.
    mutating func setKey(_ key: RowKey?, at index: Int) {
        let before = rows[index].key
        guard key != before else { return }
        if let before { places[before]?.removeAll { $0 == index } }
        if let key { places[key, default: []].append(index) }
        rows[index].key = key
    }
}
