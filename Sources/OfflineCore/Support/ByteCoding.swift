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

    /// Appends bytes behind their number, so that something can follow.
    package mutating func append(counted more: Bytes) {
        append(UInt32(more.count))
        append(more)
    }

    /// Appends a text behind its length in bytes, so that something can follow.
    package mutating func append(counted text: String) { append(counted: Bytes(text.utf8)) }

    /// Appends values behind their number.
    package mutating func append<Value>(
        each values: some Collection<Value>, _ write: (inout ByteWriter, Value) -> Void
    ) {
        append(UInt32(values.count))
        for value in values { write(&self, value) }
    }

    /// Appends whether there is a value, and the value.
    package mutating func append<Value>(
        optional value: Value?, _ write: (inout ByteWriter, Value) -> Void
    ) {
        append(UInt8(value == nil ? 0 : 1))
        if let value { write(&self, value) }
    }
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

    /// Bytes behind their number.
    package mutating func countedBytes() throws(StorageError) -> Bytes {
        let count = Int(try integer(UInt32.self))
        guard count <= bytes.count - position else { throw .corrupted("a record is too short") }
        defer { position += count }
        return Bytes(bytes[position..<position + count])
    }

    /// A text behind its length in bytes.
    package mutating func countedText() throws(StorageError) -> String {
        guard let text = String(validating: try countedBytes(), as: UTF8.self) else {
            throw .corrupted("a record's text is no UTF-8")
        }
        return text
    }

    /// Values behind their number.
    package mutating func each<Value>(
        _ read: (inout ByteReader) throws(StorageError) -> Value
    ) throws(StorageError) -> [Value] {
        var values: [Value] = []
        for _ in 0..<(try integer(UInt32.self)) { values.append(try read(&self)) }
        return values
    }

    /// A value, if there is one.
    package mutating func optional<Value>(
        _ read: (inout ByteReader) throws(StorageError) -> Value
    ) throws(StorageError) -> Value? {
        try integer(UInt8.self) == 0 ? nil : try read(&self)
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
