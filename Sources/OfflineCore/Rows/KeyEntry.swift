/// A key in the index of a directory.
struct KeyEntry: Comparable {
    let hash: UInt64
    let row: UInt32

    static func < (lhs: KeyEntry, rhs: KeyEntry) -> Bool {
        lhs.hash == rhs.hash ? lhs.row < rhs.row : lhs.hash < rhs.hash
    }
}

extension ContiguousArray<KeyEntry> {
    /// The longest run of entries that is cheaper to sort by insertion.
    private static var longestBucket: Int { 16 }

    /// Sorts the index, by hash and then by row.
    ///
    /// Hashes are spread evenly. Laid out by their highest bits into about as many buckets as there
    /// are entries, nearly all of them are in place already; that takes half the time of sorting.
    /// Should they not be spread evenly, because many rows share a key, they are sorted.
    ///
    /// - Complexity: O(*n*) if the hashes are spread evenly, O(*n* log *n*) if not.
    mutating func sortIndex() {
        guard count > 1 else { return }
        let shift = UInt64(count.leadingZeroBitCount + UInt64.bitWidth - Int.bitWidth)
        var ends = ContiguousArray<Int>(repeating: 0, count: 1 << (64 - shift))
        for entry in self { ends[Int(entry.hash >> shift)] += 1 }
        let largest = ends.max() ?? 0
        var end = 0
        for bucket in ends.indices {
            end += ends[bucket]
            ends[bucket] = end
        }
        let entries = self
        for entry in entries.reversed() {
            let bucket = Int(entry.hash >> shift)
            ends[bucket] -= 1
            self[ends[bucket]] = entry
        }
        if largest > Self.longestBucket { sort() } else { sortByInsertion() }
    }

    private mutating func sortByInsertion() {
        for index in indices.dropFirst() {
            let entry = self[index]
            var hole = index
            while hole > 0, entry < self[hole - 1] {
                self[hole] = self[hole - 1]
                hole -= 1
            }
            self[hole] = entry
        }
    }
}
