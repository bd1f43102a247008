/// Builds keys and values of the store: big-endian, so that keys sort as their numbers do.
package struct ByteWriter {
    package private(set) var bytes: Bytes = []

    package init(reserving count: Int = 0) { bytes.reserveCapacity(count) }

    package mutating func append(_ integer: some FixedWidthInteger) {
        for shift in stride(from: integer.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: integer >> shift))
        }
    }

    package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    package mutating func append(_ more: Bytes) { bytes.append(contentsOf: more) }
}

/// Reads what ``ByteWriter`` built; what is missing is an error, never a crash.
package struct ByteReader {
    private let bytes: Bytes
    private var position = 0

    package init(_ bytes: Bytes) { self.bytes = bytes }

    package mutating func integer<I: FixedWidthInteger & BitwiseCopyable>(
        _ type: I.Type = I.self
    ) throws(StorageError) -> I {
        let end = position + I.bitWidth / 8
        guard end <= bytes.count else { throw .corrupted("a record is too short") }
        defer { position = end }
        return bytes.span.bigEndian(I.self, at: position)
    }

    /// The rest as text.
    package mutating func text() throws(StorageError) -> String {
        defer { position = bytes.count }
        guard let text = String(validating: bytes[position...], as: UTF8.self) else {
            throw .corrupted("a record's text is no UTF-8")
        }
        return text
    }
}
