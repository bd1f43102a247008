// The only file of this folder that touches memory by other means than a checked subscript.

extension String {
    /// Lends the bytes of this text.
    @inline(__always)
    func withUTF8Span<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        var text = self
        return try text.withUTF8 { buffer in
            let bytes = unsafe Span(_unsafeElements: buffer)
            return try body(bytes)
        }
    }

    /// Whether all characters are ASCII.
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension Span<UInt8> {
    /// Whether these bytes are those of a range of others.
    @inline(__always)
    func equals(_ other: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard count == end - start, start >= 0, end <= other.count else { return false }
        var index = 0
        while index &+ 8 <= count {
            guard wordOrNil(at: index) == other.wordOrNil(at: start &+ index) else { return false }
            index &+= 8
        }
        while index < count {
            guard byteOrZero(at: index) == other.byteOrZero(at: start &+ index) else {
                return false
            }
            index &+= 1
        }
        return true
    }

    /// Whether two ranges hold the same bytes.
    @inline(__always)
    func hasSameBytes(in range: Range<Int>, as other: Range<Int>) -> Bool {
        extracting(range).equals(self, from: other.lowerBound, to: other.upperBound)
    }
}

/// A value as the type that it is known to be of.
///
/// A cast looks up conformances first, which takes longer than reading a UUID.
@inline(__always)
func identical<Value, Other>(_ value: Value, as type: Other.Type) -> Other {
    precondition(Value.self == Other.self, "the types are one and the same")
    // So they have the same layout.
    return unsafe unsafeBitCast(value, to: Other.self)
}
