import FoundationEssentials

/// The rows of a list without those that the app's type can't decode and only the user's own writes tell.
///
/// Such a row has the columns that the write named, and those that the server fills in are still to come.
struct OwnRows {
    /// The list without those rows.
    let decodable: Bytes
    /// The keys of those rows.
    let undecodedKeys: [[String: JSONValue]]

    /// - Parameters:
    ///   - answer: The list.
    ///   - keyNames: The columns that tell its rows apart.
    ///   - isDecodable: Whether the app's type decodes a list of one row.
    /// - Complexity: O(*n*) in the bytes of the list.
    init?(
        of answer: ReadAnswer, _ keyNames: [String], isDecodable: (Bytes) -> Bool
    ) {
        let columns = KeyColumns(keyNames)
        guard answer.ownRows > 0,
            let directory = try? RowDirectory(scanning: answer.body.span, columns: columns)
        else { return nil }
        var list: Bytes = [.openingBracket]
        var keys: [[String: JSONValue]] = []
        for index in 0..<directory.count {
            let row = Bytes(copying: answer.body.span.extracting(directory[index]))
            let isOwn = index >= directory.count - answer.ownRows
            if isOwn, !isDecodable([.openingBracket] + row + [.closingBracket]) {
                keys.append(row.keyValues(keyNames))
                continue
            }
            if list.count > 1 { list.append(.comma) }
            list.append(contentsOf: row)
        }
        guard !keys.isEmpty else { return nil }
        list.append(.closingBracket)
        (decodable, undecodedKeys) = (list, keys)
    }
}

extension Bytes {
    /// The values of a row's key columns, by name.
    func keyValues(_ names: [String]) -> [String: JSONValue] {
        guard let columns = (try? RowColumns(span)) ?? nil else { return [:] }
        var values: [String: JSONValue] = [:]
        for name in names {
            guard let value = columns.value(ofName: Bytes(name.utf8)) else { continue }
            values[name] = try? JSONDecoder().decode(JSONValue.self, from: Data(value))
        }
        return values
    }
}
