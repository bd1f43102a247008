import FoundationEssentials

/// What the rows tell that are in the way of an insert whose answer was lost (23505).
enum ReadBack: Hashable {
    /// They are the insert's own: it had arrived.
    case own([RowColumns])
    /// They can't be seen, and nobody else can have made their keys.
    case ownUnseen
    /// They can't be seen, and somebody else may have made them.
    case unknown
    /// One is another row.
    case others(Bytes)
    /// Another column than the key is in the way, of a row that is not the insert's.
    case otherKey

    /// - Parameters:
    ///   - sent: The rows of the insert.
    ///   - found: The rows with their keys, as JSON objects, as far as the user may see them.
    ///   - error: The server's refusal.
    ///   - table: The table's name.
    ///   - facts: What is known of it.
    init(
        _ sent: [RowColumns], found: [Bytes], _ error: PostgrestError, of table: String,
        _ facts: TableFacts
    ) {
        var rows: [RowKey: (columns: RowColumns, text: Bytes)] = [:]
        for text in found {
            guard let columns = (try? RowColumns(text.span)) ?? nil,
                let key = columns.key(facts.keys)
            else { continue }
            rows[key] = (columns, text)
        }
        var own: [RowColumns] = []
        var isUnseen = false
        for row in sent {
            let isRandom = facts.keys.names.count == 1 && row.hasRandomKey(facts.keys)
            guard let key = row.key(facts.keys), let there = rows[key] else {
                if error.isAboutAnotherKey(than: facts, of: table) {
                    self = .otherKey
                    return
                }
                guard isRandom else {
                    self = .unknown
                    return
                }
                isUnseen = true
                continue
            }
            guard isRandom || !row.differs(from: there.text, facts) else {
                self = .others(there.text)
                return
            }
            own.append(there.columns)
        }
        self = isUnseen ? .ownUnseen : .own(own)
    }
}

extension RowColumns {
    /// Whether the key is a UUID that was drawn at random (RFC 9562, versions 4 and 7), which nobody draws
    /// twice.
    fileprivate func hasRandomKey(_ keys: KeyColumns) -> Bool {
        guard let value = value(ofName: keys.names[0]),
            let text = try? JSONText.text(of: value.span), text.span.isUUID
        else { return false }
        // xxxxxxxx-xxxx-Vxxx-: the fifteenth character is the version.
        return text[14] == UInt8(ascii: "4") || text[14] == UInt8(ascii: "7")
    }

    /// Whether a row certainly has other values in these columns, as their types compare.
    fileprivate func differs(from row: Bytes, _ facts: TableFacts) -> Bool {
        columns.contains { column in
            let name = String(decoding: column.name, as: UTF8.self)
            let test: FilterTest
            switch JSONKind(of: column.value.span) {
            case .null: test = .is(.null)
            case .string:
                guard let text = try? JSONText.text(of: column.value.span) else { return false }
                test = .compare(.eq, .one(text))
            default: test = .compare(.eq, .one(column.value))
            }
            let filter = RowFilter(
                .test(FieldPath(column: name), test), types: facts.types,
                evidence: ColumnEvidence(), rows: .allColumns)
            return filter.admits(row.span) == false
        }
    }
}

extension PlannedWrite {
    /// Whether rows are as this write would have left them.
    func explains(_ rows: [Bytes]) -> Bool {
        switch change {
        case .update(let columns, _):
            !rows.isEmpty && rows.allSatisfy { !columns.differs(from: $0, facts) }
        case .delete: rows.isEmpty
        case .insert, .upsert, .nothing, .unknown: false
        }
    }
}

extension PostgrestError {
    /// Whether 23505 certainly isn't about the key by which rows are known.
    ///
    /// The details name columns: `Key (a, b)=(1, 2) already exists`. Under row-level security PostgreSQL
    /// gives none, but it always names the constraint. One whose name is not that of a primary key, nor
    /// what PostgreSQL calls a unique key of the same columns, is another: a row that can't be seen may
    /// not be there at all then, and must not count as sent.
    fileprivate func isAboutAnotherKey(than facts: TableFacts, of table: String) -> Bool {
        if let names = KeyDetails(self)?.columns { return Set(names) != facts.keySet }
        guard let name = constraint else { return false }
        let own = ([table] + facts.keyNames).joined(separator: "_")
        guard name != "\(own)_key", name != "\(own)_idx" else { return false }
        let words = name.lowercasedASCII.split(separator: "_")
        return !words.contains { $0.hasPrefix("pk") || $0.hasPrefix("primary") }
    }

    /// The constraint that the message names: `… violates unique constraint "tasks_pkey"`.
    fileprivate var constraint: String? {
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        // Before the last quote; a message about a foreign key names the table before.
        return parts.count >= 3 ? String(parts[parts.count - 2]) : nil
    }
}

/// What PostgreSQL says of a key in the details of 23505 and 23503.
struct KeyDetails: Hashable {
    let columns: [String]
    let values: String
    let rest: String

    /// Reads `Key (columns)=(values) …`; nil if the details are others.
    init?(_ error: PostgrestError) {
        guard let details = error.details, details.hasPrefix("Key ("),
            let middle = details.firstRange(of: ")=("),
            // The values are any text.
            let end = details[middle.upperBound...].ranges(of: ") ").last
        else { return nil }
        columns = Self.names(
            in: details[details.index(details.startIndex, offsetBy: 5)..<middle.lowerBound])
        values = String(details[middle.upperBound..<end.lowerBound])
        rest = String(details[end.upperBound...])
    }

    /// The names of a list in PostgreSQL's words: `a, "b, c"`, where a quote in a name is doubled.
    private static func names(in list: Substring) -> [String] {
        var names = [""]
        var (isQuoted, isBehindQuote) = (false, false)
        for character in list {
            switch character {
            case "\"":
                if isBehindQuote, !isQuoted { names[names.count - 1].append(character) }
                isQuoted.toggle()
            case "," where !isQuoted: names.append("")
            case " " where !isQuoted && names.last?.isEmpty == true: break
            default: names[names.count - 1].append(character)
            }
            isBehindQuote = character == "\""
        }
        return names
    }
}

/// A row that another one refers to and that is not there (23503).
struct MissingRow {
    private let table: String
    /// Its key; nil if PostgreSQL keeps it to itself, as it does under row-level security.
    private let value: String?
    private let constraint: String?

    /// Reads `Key (task_id)=(7) is not present in table "tasks".`, or the same without columns and
    /// values; nil if the refusal is another one.
    init?(_ error: PostgrestError) {
        guard error.code == "23503", let details = error.details else { return nil }
        let known = KeyDetails(error)
        if let known, known.columns.count != 1 { return nil }
        let words = "is not present in table \""
        let rest = known?.rest ?? String(details.dropFirst("Key ".count))
        guard known != nil || details.hasPrefix("Key \(words)"), rest.hasPrefix(words) else {
            return nil
        }
        table = String(rest.dropFirst(words.count).prefix { $0 != "\"" })
        value = known?.values
        constraint = error.constraint
    }

    /// Whether a write would have inserted the row.
    ///
    /// - Parameters:
    ///   - write: The write that may have.
    ///   - other: The write whose row refers to it.
    ///   - facts: What is known of a request's table.
    /// - Returns: Whether it would have.
    func isAmong(
        _ write: QueuedWrite, for other: QueuedWrite, _ facts: (PostgrestRequest) -> TableFacts
    ) -> Bool {
        guard write.operation == .insert, write.request.target.name == table,
            let plan = try? PlannedWrite(write.request, facts(write.request)),
            let keys = plan.soleKeys
        else { return false }
        let values = value.map { [Bytes($0.utf8).jsonString] } ?? references(of: other, facts)
        return values.contains { RowKey(values: [$0]).map(keys.contains) ?? false }
    }

    /// The values that may be the key, of the column that the constraint is named after if it is named
    /// as PostgreSQL does, or of any.
    private func references(
        of write: QueuedWrite, _ facts: (PostgrestRequest) -> TableFacts
    ) -> [Bytes] {
        guard let plan = try? PlannedWrite(write.request, facts(write.request)) else { return [] }
        let columns =
            switch plan.change {
            case .insert(let rows), .upsert(let rows, _, _): rows.flatMap(\.columns)
            case .update(let columns, _): Array(columns.columns)
            case .delete, .nothing, .unknown: [RowColumns.Column]()
            }
        let prefix = "\(write.request.target.name)_"
        let named = columns.filter { column in
            constraint == prefix + String(decoding: column.name, as: UTF8.self) + "_fkey"
        }
        return (named.isEmpty ? columns : named).map(\.value)
    }
}
