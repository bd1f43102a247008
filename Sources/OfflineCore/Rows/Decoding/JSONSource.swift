import FoundationEssentials

/// A text that is being decoded, and what all decoders over it share.
///
/// Decoders come from here and return here, so that a list of a thousand rows makes one. One that
/// somebody has kept isn't given out again: it goes on to show its own value.
final class JSONSource {
    let bytes: Bytes
    let userInfo: [CodingUserInfoKey: any Sendable]
    /// Whether the outermost array was read to its end, with nothing but blanks behind it.
    var isReadToItsEnd = false
    /// For the few values that are read by Foundation itself.
    private(set) lazy var foundation = JSONDecoder()
    /// The last returned comes first: a level of nesting gets its own decoder again, which remembers
    /// in which order its columns were asked for.
    private var idle: ContiguousArray<ValueDecoder> = []

    init(_ bytes: Bytes, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.bytes = bytes
        self.userInfo = userInfo
    }

    /// A decoder of the outermost value.
    func root() throws -> ValueDecoder {
        let bytes = bytes
        var scanner = JSONScanner()
        scanner.skipWhitespace(in: bytes.span)
        let start = scanner.position
        guard scanner.byte(in: bytes.span) != .openingBracket else {
            // Where an array ends will be found by reading it.
            return ValueDecoder(of: start..<bytes.count, in: self)
        }
        try scanner.skipValue(in: bytes.span)
        return ValueDecoder(of: start..<scanner.position, in: self)
    }

    /// A decoder from the idle ones, or a new one.
    func takeDecoder() -> ValueDecoder {
        idle.popLast() ?? ValueDecoder(of: absent, in: self)
    }

    /// Takes a decoder back, unless somebody has kept it.
    func giveBack(_ decoder: inout ValueDecoder) {
        guard isKnownUniquelyReferenced(&decoder) else { return }
        decoder.leave()
        idle.append(decoder)
    }

    /// The byte at an offset, or 0 outside of the text.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        let bytes = bytes
        return bytes.span.byteOrZero(at: offset)
    }

    /// The kind of a value, by its first byte.
    @inline(__always)
    func kind(of value: Range<Int>) -> JSONKind? {
        JSONKind(firstByte: byte(at: value.lowerBound))
    }

    /// The place of a value that isn't there, which passes for `null`.
    var absent: Range<Int> { bytes.count..<bytes.count }

    /// Whether a value is `null`.
    @inline(__always)
    func isNull(_ value: Range<Int>) -> Bool {
        let first = byte(at: value.lowerBound)
        return first == UInt8(ascii: "n") || first == 0
    }

    /// A copy of a value's text.
    func data(of value: Range<Int>) -> Data { Data(bytes[value]) }
}
