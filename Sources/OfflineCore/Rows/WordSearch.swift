/// Eight bytes at a time, in the registers that every processor has.
///
/// A mark is the highest bit of a byte. The marks are exact up to the first one set: a borrow spoils
/// only bytes above one that is marked already. `(x - 1) & ~x` marks a byte that is zero, and
/// `(x - 0x20) & ~x` one that is below 0x20.
private enum WordSearch {
    static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Marks the bytes of one value.
    @inline(__always)
    static func marks(of byte: UInt8, in word: UInt64) -> UInt64 {
        let others = word ^ (ones &* UInt64(byte))
        return (others &- ones) & ~others & (ones &* 0x80)
    }

    /// Marks everything that isn't plain text inside a JSON string.
    @inline(__always)
    static func marksOfUnusualBytes(in word: UInt64) -> UInt64 {
        let controls = (word &- ones &* 0x20) & ~word
        let others = (controls | word) & (ones &* 0x80)
        return marks(of: .quote, in: word) | marks(of: .backslash, in: word) | others
    }
}

extension Span<UInt8> {
    /// The first byte that can't be passed over blindly inside a string, or the end.
    ///
    /// Such are the quote, the backslash, control characters and everything outside of ASCII.
    ///
    /// - Complexity: O(*n*) in the length of the plain text.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        while let word = wordOrNil(at: index) {
            let marks = WordSearch.marksOfUnusualBytes(in: word)
            if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count {
            let byte = self[index]
            if byte == .quote || byte == .backslash || byte < 0x20 || byte >= 0x80 { break }
            index += 1
        }
        return index
    }

    /// Whether a byte occurs in a range.
    ///
    /// - Complexity: O(*n*) in the length of the range.
    func contains(_ byte: UInt8, in range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index + 8 <= range.upperBound, let word = wordOrNil(at: index) {
            if WordSearch.marks(of: byte, in: word) != 0 { return true }
            index += 8
        }
        return (index..<range.upperBound).contains { self[$0] == byte }
    }
}
