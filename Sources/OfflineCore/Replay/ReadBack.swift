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
    ///   - facts: What is known of the table.
    init(
        _ sent: [RowColumns], found: [Bytes], _ error: PostgrestError, _ facts: TableFacts
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
                if let names = error.conflictingColumns, Set(names) != facts.keySet {
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
    /// The columns that PostgreSQL names in the details of 23505: `Key (a, b)=(1, 2) already exists`.
    fileprivate var conflictingColumns: [String]? { KeyDetails(self)?.columns }
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
    private let value: String

    /// Reads `Key (task_id)=(7) is not present in table "tasks".`; nil if the refusal is another one.
    init?(_ error: PostgrestError) {
        guard error.code == "23503", let details = KeyDetails(error),
            details.columns.count == 1, details.rest.hasPrefix("is not present in table \"")
        else { return nil }
        let name = details.rest.dropFirst("is not present in table \"".count)
        table = String(name.prefix { $0 != "\"" })
        value = details.values
    }

    /// Whether a write would have inserted the row.
    func isAmong(_ write: QueuedWrite, _ facts: (PostgrestRequest) -> TableFacts) -> Bool {
        guard write.operation == .insert, write.request.target.name == table,
            let plan = try? PlannedWrite(write.request, facts(write.request)),
            let key = RowKey(values: [Bytes(value.utf8).jsonString])
        else { return false }
        return plan.soleKeys?.contains(key) ?? false
    }
}
