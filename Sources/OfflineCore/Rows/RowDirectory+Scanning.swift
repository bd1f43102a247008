extension RowDirectory {
    /// Finds the rows of an answer and their keys, and checks that it is a list at all.
    ///
    /// - Parameters:
    ///   - body: A JSON array of objects.
    ///   - columns: The key columns of the table.
    ///   - longest: The most bytes to accept.
    /// - Throws: ``RowListError``; a body that throws can't be kept.
    /// - Complexity: O(*n*) in the bytes of the body, plus O(*m* log *m*) in its rows.
    package init(
        scanning body: Span<UInt8>, columns: KeyColumns, longest: Int = longestBody
    ) throws(RowListError) {
        guard body.count <= min(longest, Self.longestBody) else {
            throw .tooLong(count: body.count)
        }
        var scan = RowListScan(columns)
        try scan.run(over: body)
        do throws(RowDirectoryError) {
            try self.init(written: scan.encoded(bodyLength: body.count))
        } catch {
            preconditionFailure("what was just written can be read")
        }
    }
}

/// One pass over an answer.
private struct RowListScan {
    private var scanner = JSONScanner()
    private var finder: KeyFinder
    private var rows: ContiguousArray<Range<UInt32>> = []
    private var keys: ContiguousArray<KeyEntry> = []

    init(_ columns: KeyColumns) { finder = KeyFinder(columns) }

    mutating func run(over body: Span<UInt8>) throws(RowListError) {
        scanner.skipWhitespace(in: body)
        try expect(.openingBracket, in: body)
        scanner.position += 1
        scanner.skipWhitespace(in: body)
        if scanner.byte(in: body) != .closingBracket {
            repeat { try skipRow(in: body) } while skipComma(in: body)
        }
        guard scanner.byte(in: body) == .closingBracket else {
            throw .invalid(scanner.unexpected(in: body))
        }
        scanner.position += 1
        do throws(JSONError) { try scanner.expectEnd(in: body) } catch { throw .invalid(error) }
    }

    /// Writes what was found.
    mutating func encoded(bodyLength: Int) -> Bytes {
        keys.sortIndex()
        return RowDirectoryLayout(bodyLength: bodyLength, count: rows.count, keyCount: keys.count)
            .encoded(rows: rows, keys: keys)
    }

    private mutating func skipRow(in body: Span<UInt8>) throws(RowListError) {
        try expect(.openingBrace, in: body)
        let start = scanner.position
        do throws(JSONError) {
            try finder.skipRow(in: body, by: &scanner, depth: 1)
        } catch {
            throw .invalid(error)
        }
        if let hash = finder.keyHash(in: body) {
            keys.append(KeyEntry(hash: hash, row: UInt32(rows.count)))
        }
        rows.append(UInt32(start)..<UInt32(scanner.position))
    }

    /// Moves over the comma behind a row, to the next one; false if there is none.
    private mutating func skipComma(in body: Span<UInt8>) -> Bool {
        scanner.skipWhitespace(in: body)
        guard scanner.byte(in: body) == .comma else { return false }
        scanner.position += 1
        scanner.skipWhitespace(in: body)
        return true
    }

    /// Insists on the byte that an array or an object starts with.
    private func expect(_ first: UInt8, in body: Span<UInt8>) throws(RowListError) {
        let found = scanner.byte(in: body)
        guard found != first else { return }
        throw JSONKind(firstByte: found) == nil
            ? .invalid(scanner.unexpected(in: body)) : .notAList(offset: scanner.position)
    }
}
