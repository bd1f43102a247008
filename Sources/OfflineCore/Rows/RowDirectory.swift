/// Where the rows of a list are, and where to look for a key.
///
/// It is made in one pass over an answer and stored beside it. Inside, it is the bytes that are
/// stored; ``RowDirectoryLayout`` describes them, and reads them in place where a whole directory
/// isn't needed.
package struct RowDirectory: Hashable, Sendable {
    /// The most bytes that a list may have: what a 32-bit `Int` counts, 2 GiB.
    package static let longestBody = 0x7FFF_FFFF

    /// What is stored.
    package let encoded: Bytes
    /// The numbers of the header.
    private let layout: RowDirectoryLayout

    /// Reads what was stored, and checks all of it.
    ///
    /// - Throws: ``RowDirectoryError`` if this isn't what ``encoded`` gave.
    /// - Complexity: O(*n*) in the number of rows.
    package init(decoding stored: Span<UInt8>) throws(RowDirectoryError) {
        layout = try RowDirectoryLayout(of: stored)
        try layout.validate(stored)
        encoded = Bytes(copying: stored)
    }

    /// Takes bytes that were just written.
    init(written encoded: Bytes) throws(RowDirectoryError) {
        layout = try RowDirectoryLayout(of: encoded.span)
        self.encoded = encoded
    }

    /// How many rows the list has.
    package var count: Int { layout.count }

    /// How many bytes the list has.
    package var bodyLength: Int { layout.bodyLength }

    /// How many of the rows have a key.
    package var keyCount: Int { layout.keyCount }

    /// Where a row stands in the body, from its `{` to its `}`.
    package subscript(row: Int) -> Range<Int> {
        do throws(RowDirectoryError) { return try layout.range(ofRow: row, in: encoded.span) } catch
        {
            preconditionFailure("a directory is checked when it is made")
        }
    }

    /// The rows whose keys have a hash, in the order of the list.
    ///
    /// Their keys may differ all the same, and are to be compared.
    ///
    /// - Complexity: O(log *n*) in the number of rows, plus the number of rows found.
    package func rows(withHash hash: UInt64) -> [Int] {
        do throws(RowDirectoryError) {
            return try layout.rows(withHash: hash, in: encoded.span)
        } catch {
            preconditionFailure("a directory is checked when it is made")
        }
    }

    /// The hash of each row's key, nil for rows without one.
    ///
    /// - Complexity: O(*n*) in the number of rows.
    package var keyHashes: ContiguousArray<UInt64?> {
        var hashes = ContiguousArray<UInt64?>(repeating: nil, count: count)
        let stored = encoded.span
        for place in 0..<layout.keyCount {
            guard let row = try? layout.row(at: place, in: stored) else { continue }
            hashes[row] = layout.hash(at: place, in: stored)
        }
        return hashes
    }
}

extension RowDirectoryLayout {
    /// Checks what a reader in place would find out too late or not at all.
    ///
    /// - Complexity: O(*n*) in the number of rows.
    fileprivate func validate(_ stored: Span<UInt8>) throws(RowDirectoryError) {
        var end = 0
        for row in 0..<count {
            let range = try range(ofRow: row, in: stored)
            // Two braces at least, and between two rows a comma.
            guard range.count >= 2, range.lowerBound > end else { throw .corrupted }
            end = range.upperBound
        }
        guard end < bodyLength else { throw .corrupted }
        var hasKey = ContiguousArray(repeating: false, count: count)
        var previous: (hash: UInt64, row: Int) = (0, -1)
        for place in 0..<keyCount {
            let entry = (hash: hash(at: place, in: stored), row: try row(at: place, in: stored))
            guard previous < entry, !hasKey[entry.row] else { throw .corrupted }
            hasKey[entry.row] = true
            previous = entry
        }
    }
}
