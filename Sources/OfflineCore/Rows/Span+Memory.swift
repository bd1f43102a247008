// The only file of this folder that touches memory by other means than a checked subscript.

extension Span<UInt8> {
    /// The byte at an offset, or 0 outside of the span.
    ///
    /// A scanner asks at every byte; the check here is the only one it pays for.
    @inline(__always)
    func byteOrZero(at offset: Int) -> UInt8 {
        guard UInt(bitPattern: offset) < UInt(bitPattern: count) else { return 0 }
        return unsafe self[unchecked: offset]
    }

    /// Eight bytes as a number, the first of them lowest; nil if fewer are left.
    @inline(__always)
    func wordOrNil(at offset: Int) -> UInt64? {
        guard offset >= 0, offset <= count - 8 else { return nil }
        // Every pattern of bits is a number.
        let word = unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: offset, as: UInt64.self)
        return UInt64(littleEndian: word)
    }

    /// A number stored with its highest byte first; traps outside of the span.
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type, at offset: Int
    ) -> Number {
        unsafe Number(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// A string of these bytes; what is no UTF-8 becomes U+FFFD.
    ///
    /// - Complexity: O(*n*).
    func makeString() -> String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension Bytes {
    /// Copies a span behind what is here.
    ///
    /// - Complexity: O(*n*) in the length of the span.
    mutating func append(copying span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}

extension MutableSpan<UInt8> {
    /// Writes a number with its highest byte first; traps outside of the span.
    @inline(__always)
    mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(
        bigEndian number: Number, at offset: Int
    ) {
        var bytes = unsafe mutableBytes
        bytes.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
    }
}
