/// A hash that is the same in every process and on every system, as what is stored has to be.
///
/// It is quick and spreads well, but it keeps no secret: who chooses the keys can make them collide.
/// Whoever looks something up by it compares the keys afterwards, so a collision costs only time.
struct StableHash {
    /// The hash of what was added so far.
    private(set) var value: UInt64 = 0

    /// Adds a number.
    mutating func add(_ number: UInt64) {
        // One round of SplitMix64, which maps every number to another one.
        var mixed = (value ^ number) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        value = mixed ^ (mixed >> 31)
    }

    /// Adds bytes, eight at a time; their number has to be added too, to tell where they end.
    ///
    /// - Complexity: O(*n*).
    mutating func add(_ bytes: Span<UInt8>) {
        var index = 0
        while let word = bytes.wordOrNil(at: index) {
            add(word)
            index += 8
        }
        guard index < bytes.count else { return }
        var rest: UInt64 = 0
        for last in stride(from: bytes.count - 1, through: index, by: -1) {
            rest = rest << 8 | UInt64(bytes[last])
        }
        add(rest)
    }
}
