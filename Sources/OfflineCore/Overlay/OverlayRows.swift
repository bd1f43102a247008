/// The rows of a list while writes are applied to them.
///
/// A row of the server's stays where it is in the body until a write touches it. Rows that the list
/// doesn't admit are kept too, as far as they are known: a later write may change that.
struct OverlayRows {
    enum Place {
        case inList
        /// Known, and not the list's as far as one can tell.
        case outside
        case removed
    }

    struct Row {
        var place = Place.inList
        /// One of the server's as the list shows it; nil if it stands in the body as it is.
        var shown: Bytes?
        /// What writes have set, and for a row that they have brought all that is known of it; nil
        /// until one touches the row.
        var written: RowColumns?
        /// For a row that the directory knows, nil until somebody has asked.
        var key: RowKey?
        /// Whether it is known from the user's own writes alone.
        var isOwn = false
    }

    let list: ListOverlay
    let directory: RowDirectory
    /// First the server's, in the order of the body, then those that writes bring.
    var rows: ContiguousArray<Row>
    /// Whether the directory knows the server's rows by their keys.
    let isKeyShown: Bool
    /// Where the rows are that the directory doesn't know by the keys that they have now.
    var places: [RowKey: [Int]] = [:]
    /// The rows that came without a key.
    var keyless: [Int] = []
    /// The writes so far, which rows have missed that come in later.
    private(set) var past: ArraySlice<RowWrite> = []
    /// Whether a write has changed a row of the list since this was last set to false.
    var isTouched = false
    /// Whether something could not be decided.
    var isStale = false
    var members = RowMembers()

    init(
        _ list: ListOverlay, body: Span<UInt8>, _ directory: RowDirectory, ownRows: Int = 0
    ) {
        self.list = list
        self.directory = directory
        rows = ContiguousArray(repeating: Row(), count: directory.count)
        for index in rows.indices.suffix(ownRows) { rows[index].isOwn = true }
        isKeyShown = list.selection.shows(list.keys)
        if !isKeyShown {
            for index in rows.indices {
                setKey(key(of: columns(at: index, body)), at: index)
                if rows[index].key == nil { keyless.append(index) }
            }
        } else if directory.keyCount < directory.count {
            let hashes = directory.keyHashes
            keyless = hashes.indices.filter { hashes[$0] == nil }
        }
    }

    mutating func apply(_ write: RowWrite, _ body: Span<UInt8>) {
        switch write {
        case .insert(let new):
            // The server refuses a second row with a key.
            for row in new where !holdsKey(of: row, body) { add(row) }
        case .upsert(let new, let conflict, let ignoresDuplicates):
            for row in new {
                upsert(row, conflict ?? list.keys, ignoresDuplicates: ignoresDuplicates, body)
            }
        case .update(let columns, let condition):
            update(columns, where: condition, body)
        case .delete(let condition):
            for index in candidates(for: condition, body).rows {
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
        // By their numbers: to copy a row costs more than all that is asked of it. What the user's own
        // writes alone tell stands at the end, to be found there again.
        let shown = rows.indices.filter { rows[$0].place == .inList }
        let order = shown.filter { !rows[$0].isOwn } + shown.filter { rows[$0].isOwn }
        let isChanged =
            order.count != directory.count
            || order.enumerated().contains { place, index in
                place != index || rows[index].shown != nil
                    || rows[index].isOwn && rows[index].written != nil
            }
        return OverlaidList(
            body: isChanged ? written(order, body) : nil,
            ownRows: order.count { rows[$0].isOwn },
            pendingKeys: order.compactMap { rows[$0].written == nil ? nil : rows[$0].key },
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
            if isBrought(index), let columns = rows[index].written {
                text.append(contentsOf: list.selection.shown(columns).object())
            } else if let shown = rows[index].shown {
                text.append(contentsOf: shown)
            } else {
                text.append(copying: body.extracting(directory[index]))
            }
        }
        text.append(.closingBracket)
        return text
    }
}
