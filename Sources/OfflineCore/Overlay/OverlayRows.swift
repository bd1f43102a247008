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
        var order: ContiguousArray<Int> = []
        order.reserveCapacity(rows.count)
        var own: ContiguousArray<Int> = []
        var keys: (rows: [RowKey], own: [RowKey]) = ([], [])
        var (isChanged, hasOtherRows) = (false, false)
        // By their numbers: to copy a row costs more than all that is asked of it.
        for index in rows.indices {
            let isShown = rows[index].place == .inList
            hasOtherRows = hasOtherRows || isShown != (index < directory.count)
            guard isShown else { continue }
            let isWritten = rows[index].written != nil
            isChanged =
                isChanged || rows[index].shown != nil || isWritten && isBrought(index)
            // What the user's own writes alone tell stands at the end, to be found there again.
            if rows[index].isOwn {
                own.append(index)
                if isWritten, let key = rows[index].key { keys.own.append(key) }
            } else {
                isChanged = isChanged || !own.isEmpty
                order.append(index)
                if isWritten, let key = rows[index].key { keys.rows.append(key) }
            }
        }
        order += own
        return OverlaidList(
            body: isChanged || hasOtherRows ? written(order, body) : nil, ownRows: own.count,
            pendingKeys: keys.rows + keys.own, isTouched: isTouched, hasOtherRows: hasOtherRows,
            // What the list has beside columns may follow from them.
            isStale: isStale || isTouched && list.selection.hasOthers)
    }

    private func written(_ order: ContiguousArray<Int>, _ body: Span<UInt8>) -> Bytes {
        var text: Bytes = []
        text.reserveCapacity(body.count + 256)
        text.append(.openingBracket)
        var place = 0
        while place < order.count {
            let index = order[place]
            if text.count > 1 { text.append(.comma) }
            place += 1
            if isBrought(index), let columns = rows[index].written {
                text.append(contentsOf: list.selection.shown(columns).object())
            } else if let shown = rows[index].shown {
                text.append(contentsOf: shown)
            } else {
                // As many as stand there one behind the other, with what is between them.
                var last = index
                while place < order.count, order[place] == last + 1, standsInBody(order[place]) {
                    last = order[place]
                    place += 1
                }
                let range = directory[index].lowerBound..<directory[last].upperBound
                text.append(copying: body.extracting(range))
            }
        }
        text.append(.closingBracket)
        return text
    }

    /// Whether a row stands in the body as it is shown.
    private func standsInBody(_ index: Int) -> Bool {
        guard index < directory.count, rows[index].shown == nil else { return false }
        return !(rows[index].isOwn && rows[index].written != nil)
    }
}
