@testable import OfflineCore

/// Writes laid over a list of samples as plainly as they can be: each write looks at every row.
///
/// This is what ``ListOverlay`` is held to.
struct ReferenceOverlay {
    private enum Place { case inList, outside, removed }

    private struct Row {
        /// Every column that is known.
        var columns: SampleRow
        var shown: SampleRow
        var place: Place
        var isTheServers: Bool
        var isPending: Bool
        /// Whether it is known from the user's own writes alone.
        var isOwn = false

        var key: Int? { ReferenceOverlay.key(of: columns) }
    }

    private let list: SampleList
    /// The server's rows, then those that writes bring; removed ones are kept.
    private var rows: [Row]
    private var past: [SampleWrite] = []
    private(set) var isTouched = false
    private(set) var isStale = false

    init(_ list: SampleList, _ writes: [SampleWrite]) {
        self.list = list
        rows = list.rows.map {
            Row(
                columns: list.selection.columns(of: $0), shown: $0, place: .inList,
                isTheServers: true, isPending: false)
        }
        for write in writes {
            apply(write)
            past.append(write)
        }
        // What the list has beside columns may follow from them.
        if isTouched, list.selection.hasOthers { isStale = true }
    }

    /// The rows as the list shows them.
    var shown: [SampleRow] { rowsInList.map(\.shown) }

    /// The keys of the rows that are shown as writes have left them.
    var pendingKeys: [Int] { rowsInList.filter(\.isPending).compactMap(\.key) }

    /// What the user's own writes alone tell comes last.
    private var rowsInList: [Row] {
        let rows = rows.filter { $0.place == .inList }
        return rows.filter { !$0.isOwn } + rows.filter(\.isOwn)
    }

    private mutating func apply(_ write: SampleWrite) {
        switch write {
        case .insert(let new):
            // The server refuses a second row with a key.
            for row in new where !holds(Self.key(of: row)) { add(row) }
        case .upsert(let new, let conflict, let ignoresDuplicates):
            for row in new { upsert(row, conflict ?? ["i"], ignoresDuplicates) }
        case .update(let columns, let condition): update(columns, condition)
        case .delete(let condition):
            for index in rowsKept(by: condition) {
                if rows[index].place == .inList { isTouched = true }
                rows[index].place = .removed
            }
        }
    }

    // MARK: Writes

    private mutating func update(_ columns: SampleRow, _ condition: SampleCondition) {
        // Before the write gives rows other keys.
        let missing = condition.keys?.filter { !hasHeld($0) }
        for index in rowsKept(by: condition) { set(columns, at: index) }
        guard let missing else { return noteUnknownRows(with: columns) }
        for key in missing where !hasHeld(key) {
            guard let row = rowElsewhere(key) else {
                noteUnknownRows(with: columns)
                continue
            }
            let before = list.elsewhere.first { $0["i"] == key }
            let wasAdmitted = before.map { list.condition.verdict(for: $0) == .kept } ?? false
            switch condition.verdict(for: row) {
            // It doesn't come into the list by the write.
            case .kept where wasAdmitted: noteUnknownRows(with: columns)
            case .kept:
                bring(row)
                set(columns, at: rows.count - 1)
            case .excluded: break
            case .undecidable: isStale = true
            }
        }
    }

    /// Rows that nobody here knows may have become the list's.
    private mutating func noteUnknownRows(with columns: SampleRow) {
        if !list.hasOffset, isDecided(by: columns),
            list.condition.verdict(for: columns) != .excluded
        {
            isStale = true
        }
    }

    private mutating func upsert(
        _ row: SampleRow, _ conflict: [Character], _ ignoresDuplicates: Bool
    ) {
        if let index = index(inConflictWith: row, conflict) {
            guard !ignoresDuplicates else { return }
            // A key by which a row is found stays as it is.
            set(conflict == ["i"] ? row.filter { $0.key != "i" } : row, at: index)
            if rows[index].place == .outside { show(at: index) }
            return
        }
        if let key = Self.key(of: row) {
            // The server refuses a second row with the key.
            if holds(key) { return }
            if !hasHeld(key), let other = rowElsewhere(key) {
                guard !ignoresDuplicates, Self.isConflict(of: row, with: other, conflict) else {
                    return
                }
                bring(other.merging(row) { $1 })
                return show(at: rows.count - 1)
            }
        }
        let wasHeld = Self.key(of: row).map(hasHeld) ?? false
        if ignoresDuplicates, !wasHeld || conflict != ["i"] {
            // It may be there, where the list doesn't see it.
            if list.hasOffset || !wasHeld && list.condition.verdict(for: row) == .excluded {
                return
            }
            isStale = true
        }
        add(row)
    }

    private mutating func index(inConflictWith row: SampleRow, _ columns: [Character]) -> Int? {
        let there = rows.indices.filter { rows[$0].place != .removed }
        let same = there.first { Self.isConflict(of: row, with: rows[$0].columns, columns) }
        let mayBeSame = there.contains { index in
            // As if what isn't known were the same.
            let columnsAtBest = rows[index].columns.merging(row) { known, _ in known }
            return Self.isConflict(of: row, with: columnsAtBest, columns)
        }
        if same == nil, mayBeSame { isStale = true }
        return same
    }

    /// Whether two rows have the same values in some columns; a null is equal to nothing.
    private static func isConflict(
        of row: SampleRow, with other: SampleRow, _ columns: [Character]
    ) -> Bool {
        columns.allSatisfy { (row[$0] ?? -1) >= 0 && row[$0] == other[$0] }
    }

    // MARK: Rows

    private mutating func rowsKept(by condition: SampleCondition) -> [Int] {
        rows.indices.filter { index in
            guard rows[index].place != .removed else { return false }
            let verdict = condition.verdict(for: rows[index].columns)
            if verdict == .undecidable { isStale = true }
            return verdict == .kept
        }
    }

    private mutating func add(_ row: SampleRow) {
        bring(row)
        rows[rows.count - 1].isOwn = true
        show(at: rows.count - 1)
    }

    /// Shows a row that the list doesn't hold, unless it excludes it.
    private mutating func show(at index: Int) {
        guard !list.hasOffset else { return }
        let verdict = list.condition.verdict(for: rows[index].columns)
        if verdict == .undecidable { isStale = true }
        guard verdict != .excluded else { return }
        rows[index].place = .inList
        isTouched = true
    }

    private mutating func bring(_ row: SampleRow) {
        rows.append(
            Row(
                columns: row, shown: list.selection.shown(row), place: .outside,
                isTheServers: false, isPending: true))
    }

    private mutating func set(_ columns: SampleRow, at index: Int) {
        var row = rows[index]
        row.columns.merge(columns) { $1 }
        row.isPending = true
        for (name, value) in list.selection.shown(columns)
        where !row.isTheServers || row.shown[name] != nil { row.shown[name] = value }
        if isDecided(by: columns), row.isTheServers || !list.hasOffset {
            switch list.condition.verdict(for: row.columns) {
            case .kept: row.place = .inList
            case .excluded: row.place = .outside
            case .undecidable: isStale = true
            }
        }
        if rows[index].place == .inList || row.place == .inList { isTouched = true }
        rows[index] = row
    }

    /// Whether the list's condition may be another one once these columns have changed.
    private func isDecided(by columns: SampleRow) -> Bool {
        columns.keys.contains(where: list.condition.columns.contains)
    }

    /// A row that another list holds, as the writes so far have left it.
    private mutating func rowElsewhere(_ key: Int) -> SampleRow? {
        guard var row = list.elsewhere.first(where: { $0["i"] == key }) else { return nil }
        for write in past {
            switch write {
            // They name no row that the list doesn't hold, or have brought it in.
            case .insert, .upsert: continue
            case .update(let columns, let condition):
                let verdict = condition.verdict(for: row)
                if verdict == .undecidable { isStale = true }
                if verdict == .kept { row.merge(columns) { $1 } }
            case .delete(let condition):
                let verdict = condition.verdict(for: row)
                if verdict == .undecidable { isStale = true }
                if verdict == .kept { return nil }
            }
        }
        return row["i"] == key ? row : nil
    }

    private func holds(_ key: Int?) -> Bool {
        key != nil && rows.contains { $0.place != .removed && $0.key == key }
    }

    /// Whether there is a row with a key, or was one that a write has removed.
    private func hasHeld(_ key: Int) -> Bool { rows.contains { $0.key == key } }

    /// The key of a row; nil if it is null or not known.
    private static func key(of row: SampleRow) -> Int? {
        row["i"].flatMap { $0 < 0 ? nil : $0 }
    }
}
