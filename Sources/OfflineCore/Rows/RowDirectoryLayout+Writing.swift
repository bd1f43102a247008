extension RowDirectoryLayout {
    /// Writes a directory of as many rows and keys as this layout has.
    ///
    /// - Parameters:
    ///   - rows: Where the rows are, in their order.
    ///   - keys: The index, sorted.
    /// - Returns: What is to be stored.
    /// - Complexity: O(*n*).
    func encoded(rows: ContiguousArray<Range<UInt32>>, keys: ContiguousArray<KeyEntry>) -> Bytes {
        var encoded = Bytes(repeating: 0, count: numbersStart + 4 * keyCount)
        var output = encoded.mutableSpan
        output[0] = Self.format
        output.store(bigEndian: UInt32(bodyLength), at: 1)
        output.store(bigEndian: UInt32(count), at: 5)
        output.store(bigEndian: UInt32(keyCount), at: 9)
        for (row, range) in rows.enumerated() {
            let place = Self.headerLength + 8 * row
            output.store(bigEndian: range.lowerBound, at: place)
            output.store(bigEndian: UInt32(range.count), at: place + 4)
        }
        for (place, key) in keys.enumerated() {
            output.store(bigEndian: key.hash, at: hashesStart + 8 * place)
            output.store(bigEndian: key.row, at: numbersStart + 4 * place)
        }
        return encoded
    }
}
