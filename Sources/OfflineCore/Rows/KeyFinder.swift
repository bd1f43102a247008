/// Finds the key columns of row after row, without an allocation for each.
struct KeyFinder {
    private let columns: KeyColumns
    /// What the row last read has in each key column.
    private(set) var values: ContiguousArray<Range<Int>?>

    init(_ columns: KeyColumns) {
        self.columns = columns
        values = ContiguousArray(repeating: nil, count: columns.names.count)
    }

    /// Moves over a row, which starts at the scanner's position, and takes its key columns.
    ///
    /// - Complexity: O(*n*) in the length of the row.
    @inline(__always)
    mutating func skipRow(
        in bytes: Span<UInt8>, by scanner: inout JSONScanner, depth: Int
    ) throws(JSONError) {
        for index in values.indices { values[index] = nil }
        try scanner.skipObject(in: bytes, depth: depth) { note($0, in: bytes) }
    }

    /// The hash of the key of the row last read; nil if it has none.
    ///
    /// - Complexity: O(*n*) in the length of the key.
    func keyHash(in bytes: Span<UInt8>) -> UInt64? {
        guard !values.isEmpty else { return nil }
        var hash = StableHash()
        for value in values {
            guard let value, hash.add(keyPart: bytes.extracting(value)) else { return nil }
        }
        return hash.value
    }

    /// Remembers the value of a key column, unless the column has been seen before.
    @inline(__always)
    private mutating func note(_ member: RowMember, in bytes: Span<UInt8>) {
        for index in values.indices {
            // Most names differ in length, which costs less to see than to take hold of a name.
            guard member.isNameEscaped || columns.names[index].count == member.name.count,
                values[index] == nil
            else { continue }
            let name = columns.names[index]
            if member.isNamed(name.span, in: bytes) { values[index] = member.value }
        }
    }
}
