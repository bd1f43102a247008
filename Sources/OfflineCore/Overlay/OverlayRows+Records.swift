/// Following what the server has told.
extension OverlayRows {
    /// Takes a row as the server has it now.
    mutating func take(_ record: RowRecord, _ body: Span<UInt8>) {
        guard let key = key(of: record.columns), keyless.isEmpty else {
            // Which row of the list it is can't be told; it may be none, unless the list keeps it out.
            let verdict = list.condition.judge(record.columns)
            if !keyless.isEmpty || verdict != .excluded { isStale = true }
            return
        }
        guard let index = indices(of: key, body, isRemovedFound: true).first else {
            bring(record.columns)
            let index = rows.count - 1
            rows[index].isOwn = !isComplete(record, body)
            admit(at: index, body)
            guard rows[index].place == .inList else { return }
            isTouched = true
            if rows[index].isOwn { isStale = true }
            return
        }
        take(at: index, body)
        if rows[index].place == .removed { rows[index].place = .outside }
        set(record.columns.without(list.keys), at: index, body)
        if rows[index].place == .outside { admit(at: index, body) }
        if isComplete(record, body) {
            disown(at: index)
        } else if rows[index].place == .inList {
            isStale = true
        }
    }

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
        for index in candidates(for: condition, body).rows {
            noteKey(at: index, body)
            if let key = rows[index].key, hit.contains(key) { continue }
            switch verdict(of: condition, at: index, body) {
            case .kept: isStale = true
            // Rows that are named by their keys exist, as far as the user knows.
            case .undecidable: isStale = isStale || condition.keys != nil
            case .excluded: continue
            }
        }
    }

    /// Lets a row into the list, if the list takes it.
    private mutating func admit(at index: Int, _ body: Span<UInt8>) {
        let verdict = verdict(of: list.condition, at: index, body)
        guard verdict != .excluded else { return }
        if verdict == .undecidable { isStale = true }
        if list.hasOffset { isStale = true } else { rows[index].place = .inList }
    }

    /// Takes a row for the server's that the user's own writes alone have told so far.
    private mutating func disown(at index: Int) {
        guard rows[index].isOwn, let written = rows[index].written else { return }
        if index < directory.count { rows[index].shown = list.selection.shown(written).object() }
        rows[index].isOwn = false
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
}
