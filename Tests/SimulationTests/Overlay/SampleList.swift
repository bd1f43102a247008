@testable import OfflineCore

/// A list of samples as the server sent it, and what an overlay is told of it.
struct SampleList: CustomStringConvertible {
    let condition: SampleCondition
    let selection: SampleSelection
    let hasOffset: Bool
    /// As the list shows them.
    let rows: [SampleRow]
    /// Whole rows that another list holds.
    let elsewhere: [SampleRow]
    let spelling: SampleSpelling

    var overlay: ListOverlay {
        ListOverlay(
            condition: condition.condition(spelling), selection: selection.selection,
            keys: KeyColumns(["i"]), hasOffset: hasOffset,
            knownRow: { [elsewhere, spelling] key in
                elsewhere.first { spelling.key($0["i"] ?? -1) == key }?.columns(spelling)
            })
    }

    var body: Bytes {
        let keys = selection.names(of: "i")
        return Bytes("[\(rows.map { $0.json(spelling, keys: keys) }.joined(separator: ","))]".utf8)
    }

    var description: String {
        "\(selection)\(hasOffset ? " from an offset" : "") where \(condition): \(rows), "
            + "elsewhere \(elsewhere)"
    }
}

/// What a list of samples shows of its table's columns.
struct SampleSelection: CustomStringConvertible {
    var isWhole = false
    var columns: [(name: Character, shownAs: Character)] = []
    /// Whether there is a member `z` that is no column.
    var hasOthers = false

    var selection: RowSelection {
        RowSelection(
            isWhole: isWhole,
            columns: columns.map {
                .init(Bytes(String($0.name).utf8), shownAs: Bytes(String($0.shownAs).utf8))
            }, hasOthers: hasOthers)
    }

    /// The names under which a column is shown.
    func names(of column: Character) -> [Character] {
        (isWhole ? [column] : []) + columns.filter { $0.name == column }.map(\.shownAs)
    }

    func shown(_ row: SampleRow) -> SampleRow {
        var shown = SampleRow()
        for (column, value) in row {
            for name in names(of: column) { shown[name] = value }
        }
        return shown
    }

    /// The columns that a row of the list tells.
    func columns(of shown: SampleRow) -> SampleRow {
        var row = SampleRow()
        for (name, value) in shown {
            if let column = columns.first(where: { $0.shownAs == name }) {
                row[column.name] = value
            } else if isWhole {
                row[name] = value
            }
        }
        return row
    }

    var description: String {
        let names = columns.map {
            $0.name == $0.shownAs ? "\($0.name)" : "\($0.shownAs):\($0.name)"
        }
        return ((isWhole ? ["*"] : []) + names + (hasOthers ? ["z"] : [])).joined(separator: ",")
    }
}

extension SampleSource {
    mutating func list() -> SampleList {
        let table = table().rows.map { row in
            draw(3) == 0 ? row.merging([sampleColumn(): -1]) { $1 } : row
        }
        let condition = condition()
        let selection = richSelection()
        let hasOffset = draw(4) == 0
        var rows = table.filter(condition.isTrue)
        if hasOffset { rows = Array(rows.dropFirst()) }
        // What is behind the limit.
        if draw(3) == 0 { rows = rows.dropLast() }
        let shown = rows.map { row in
            var shown = selection.shown(row)
            if selection.hasOthers { shown["z"] = draw(3) }
            // A view may have rows without a key.
            if draw(24) == 0 {
                let value: Int? = flip() ? -1 : nil
                for name in selection.names(of: "i") { shown[name] = value }
            }
            return shown
        }
        return SampleList(
            condition: condition, selection: selection, hasOffset: hasOffset, rows: shown,
            elsewhere: table.filter { _ in flip() }, spelling: flip() ? .uuid : .number)
    }

    /// A write that the server may take or refuse.
    ///
    /// - Parameter isPinned: Whether it names its rows by their keys.
    /// - Returns: The write.
    mutating func anyWrite(isPinned: Bool) -> SampleWrite {
        let isAlwaysPinned = isPinned
        let isPinned = isPinned || flip()
        switch draw(8) {
        case 0: return .insert(newRows(areKeyed: isAlwaysPinned))
        case 1, 2:
            return .upsert(
                newRows(areKeyed: isAlwaysPinned), conflict: isPinned ? nil : conflict(),
                ignoresDuplicates: draw(4) == 0)
        case 3: return .delete(isPinned ? .equals("i", draw(keys)) : condition())
        default:
            let key: SampleRow = isPinned && draw(16) == 0 ? ["i": draw(keys)] : [:]
            return .update(
                values().merging(key) { $1 }, isPinned ? pin() : condition())
        }
    }

    private mutating func pin() -> SampleCondition {
        let pin: SampleCondition =
            draw(4) == 0 ? .isAnyOf([draw(keys), draw(keys)]) : .equals("i", draw(keys))
        return draw(8) == 0 ? .both(pin, condition(depth: 0)) : pin
    }

    private mutating func newRows(areKeyed: Bool) -> [SampleRow] {
        (0...(draw(4) / 3)).map { _ in
            values().merging(!areKeyed && draw(8) == 0 ? [:] : ["i": draw(keys)]) { $1 }
        }
    }

    private mutating func conflict() -> [Character]? {
        [nil, ["i"], ["a"], ["a", "b"], ["i", "a"]][draw(5)]
    }

    /// Columns beside the key, one of them or more.
    private mutating func values() -> SampleRow {
        var row = [sampleColumn(): draw(8) - 1]
        for column: Character in ["a", "b", "c"] where flip() {
            row[column] = draw(8) == 0 ? -1 : draw(3)
        }
        return row
    }

    private mutating func sampleColumn() -> Character { ["a", "b", "c"][draw(3)] }

    private mutating func richSelection() -> SampleSelection {
        let hasOthers = draw(6) == 0
        let columns: [(Character, Character)] =
            switch draw(8) {
            case 0: [("i", "i"), ("a", "a")]
            case 1: [("i", "i"), ("b", "b"), ("c", "c")]
            case 2: [("i", "i"), ("a", "x"), ("b", "b")]
            // The key under another name, no key, and another column under its name.
            case 3: [("i", "x"), ("a", "a"), ("b", "b")]
            case 4: draw(2) == 0 ? [("a", "a"), ("b", "x")] : [("i", "x"), ("a", "i")]
            // Columns beside `*`.
            case 5: [("a", "x"), ("i", "y")]
            default: []
            }
        return SampleSelection(
            isWhole: columns.isEmpty || columns.contains { $0.1 == "y" }, columns: columns,
            hasOthers: hasOthers)
    }
}
