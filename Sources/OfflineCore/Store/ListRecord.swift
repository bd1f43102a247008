/// What is kept about a list beside its rows.
struct ListRecord {
    private static let format: UInt8 = 1

    /// Why the list is no longer what the server would answer, as far as the device knows.
    struct Marks: OptionSet {
        let rawValue: UInt8
        /// Something may have changed that the device could not follow.
        static let stale = Marks(rawValue: 1)
        /// Some rows at the end are known from the user's own writes alone.
        fileprivate static let ownRows = Marks(rawValue: 2)
    }

    let key: String
    let fetchedAt: Timestamp
    let sequence: UInt64
    var length: Int
    var marks: Marks
    /// How many rows at the end are known from the user's own writes alone.
    var ownRows = 0

    init(
        key: String, fetchedAt: Timestamp, sequence: UInt64, length: Int, marks: Marks = []
    ) {
        self.key = key
        self.fetchedAt = fetchedAt
        self.sequence = sequence
        self.length = length
        self.marks = marks
    }

    /// Reads a record, if there is one.
    init?(_ bytes: Bytes?) throws(StorageError) {
        guard let bytes else { return nil }
        var reader = ByteReader(bytes)
        let format: UInt8 = try reader.integer()
        guard format == Self.format else { throw .corrupted("a list has format \(format)") }
        fetchedAt = Timestamp(microseconds: try reader.integer())
        sequence = try reader.integer()
        guard let length = Int(exactly: try reader.integer(UInt64.self)) else {
            throw .corrupted("a list is longer than memory")
        }
        self.length = length
        marks = Marks(rawValue: try reader.integer())
        if marks.remove(.ownRows) != nil { ownRows = Int(try reader.integer(UInt32.self)) }
        key = try reader.text()
    }

    var bytes: Bytes {
        var writer = ByteWriter()
        writer.append(Self.format)
        writer.append(fetchedAt.microseconds)
        writer.append(sequence)
        writer.append(UInt64(length))
        writer.append(ownRows > 0 ? marks.union(.ownRows).rawValue : marks.rawValue)
        if ownRows > 0 { writer.append(UInt32(ownRows)) }
        writer.append(key)
        return writer.bytes
    }

    /// Whether this is the list of a key, and not of another one with the same hash.
    func isAbout(_ key: ListKey) -> Bool { self.key.utf8.elementsEqual(key.text.utf8) }
}
