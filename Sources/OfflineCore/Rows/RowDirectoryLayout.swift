/// Finds things in a stored directory without decoding it.
///
/// A server record looks into every cached list of its table, mostly in vain: that costs reading this
/// header and a binary search in the store's own memory, and no allocation.
///
/// All numbers are big-endian. The layout is:
///
/// | bytes | what |
/// | --- | --- |
/// | 1 | the format, ``format`` |
/// | 4 | the length of the body |
/// | 4 | the number of rows |
/// | 4 | the number of rows that have a key |
/// | 4 + 4 for each row | offset and length, in the order of the body |
/// | 8 for each key | the hashes, ascending |
/// | 4 for each key | the rows of those hashes; ascending where hashes are equal |
package struct RowDirectoryLayout: Hashable, Sendable {
    static let format: UInt8 = 1
    static let headerLength = 13

    /// How many bytes the list has.
    package let bodyLength: Int
    /// How many rows the list has.
    package let count: Int
    /// How many of them have a key.
    package let keyCount: Int

    var hashesStart: Int { Self.headerLength + 8 * count }
    var numbersStart: Int { hashesStart + 8 * keyCount }

    /// Reads the header of a stored directory and checks that the rest has the right length.
    package init(of stored: Span<UInt8>) throws(RowDirectoryError) {
        guard !stored.isEmpty else { throw .corrupted }
        guard stored[0] == Self.format else { throw .unknownFormat(stored[0]) }
        guard stored.count >= Self.headerLength else { throw .corrupted }
        let bodyLength = stored.bigEndian(UInt32.self, at: 1)
        let count = stored.bigEndian(UInt32.self, at: 5)
        let keyCount = stored.bigEndian(UInt32.self, at: 9)
        // 64 bits, as an `Int` has only 32 on a watch.
        let length = UInt64(Self.headerLength) + 8 * UInt64(count) + 12 * UInt64(keyCount)
        guard length == stored.count, keyCount <= count,
            bodyLength <= RowDirectory.longestBody
        else { throw .corrupted }
        self.bodyLength = Int(bodyLength)
        self.count = Int(count)
        self.keyCount = Int(keyCount)
    }

    /// Describes a directory that is to be written.
    init(bodyLength: Int, count: Int, keyCount: Int) {
        self.bodyLength = bodyLength
        self.count = count
        self.keyCount = keyCount
    }

    /// Where a row stands in the body.
    ///
    /// - Parameters:
    ///   - row: The number of the row; it is less than ``count``.
    ///   - stored: The bytes whose header was read.
    /// - Returns: The range from its `{` to its `}`.
    /// - Throws: ``RowDirectoryError/corrupted`` if that is outside of the body.
    package func range(
        ofRow row: Int, in stored: Span<UInt8>
    ) throws(RowDirectoryError) -> Range<Int> {
        precondition(row >= 0 && row < count, "there is no such row")
        let place = Self.headerLength + 8 * row
        let offset = UInt64(stored.bigEndian(UInt32.self, at: place))
        let end = offset + UInt64(stored.bigEndian(UInt32.self, at: place + 4))
        guard end <= UInt64(bodyLength) else { throw .corrupted }
        return Int(offset)..<Int(end)
    }

    /// The rows whose keys have a hash, in the order of the list.
    ///
    /// Their keys may differ all the same, and are to be compared.
    ///
    /// - Complexity: O(log *n*) in the number of keys, plus the number of rows found.
    package func rows(
        withHash hash: UInt64, in stored: Span<UInt8>
    ) throws(RowDirectoryError) -> [Int] {
        var rows: [Int] = []
        var place = firstPlace(notBelow: hash, in: stored)
        while place < keyCount, self.hash(at: place, in: stored) == hash {
            rows.append(try row(at: place, in: stored))
            place += 1
        }
        return rows
    }

    /// The hash at a place of the index.
    func hash(at place: Int, in stored: Span<UInt8>) -> UInt64 {
        stored.bigEndian(UInt64.self, at: hashesStart + 8 * place)
    }

    /// The row at a place of the index.
    func row(at place: Int, in stored: Span<UInt8>) throws(RowDirectoryError) -> Int {
        let row = stored.bigEndian(UInt32.self, at: numbersStart + 4 * place)
        guard row < UInt32(count) else { throw .corrupted }
        return Int(row)
    }

    private func firstPlace(notBelow hash: UInt64, in stored: Span<UInt8>) -> Int {
        var low = 0
        var high = keyCount
        while low < high {
            let middle = low + (high - low) / 2
            if self.hash(at: middle, in: stored) < hash { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
