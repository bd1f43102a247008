// Every key of the store, and nothing else builds one. Integers are big-endian. What can be long
// goes through a hash; the value then holds the whole, which is compared.
//
//   meta        "format"                              the store's format number, UInt32
//               "opened"                              how often it has been opened, UInt32
//               "identities"                          the last identity's number, UInt32
//               "cached"                              the summed length of all bodies, UInt64
//               "queued"                              the sequence of the last write, UInt64
//               "settled" hash(project)               the project and the user who settled last
//               "departed" hash(project, owner)       whose lists are to go, up to which request
//   identities  hash(project, owner)                  the identity's number and its whole name
//   lists       format identity table list            when the list was fetched, its whole key, …
//   bodies      format identity table list            the JSON array as the server sent it
//   rows        format identity table list            the directory of its rows
//   embedding   format identity table list            the names of the tables whose rows the list has too
//   eviction    fetched-at format identity table list nothing; the lists from the oldest to the newest
//   queue       format identity sequence              a write that the server has not answered for good
//   unsent      format identity table sequence        the revision of the write, UInt32; an index of tables
//   rejected    format identity sequence              a write that was rejected, and why
//   outcomes    format identity ending                what became of a write, from the oldest to the newest
//   damaged     format identity sequence              a record of queue or rejected that can't be read
//
//   format is UInt8 = 1; identity is UInt32; table and list are hashes of 64 bits; fetched-at is Int64 in
//   microseconds, with its sign turned over, so that it sorts; sequence is UInt64 and never used again;
//   ending is UInt64 and counts an identity's writes as they end.

extension Keyspace {
    package static let meta = Keyspace("meta")
    package static let identities = Keyspace("identities")
    package static let lists = Keyspace("lists")
    package static let bodies = Keyspace("bodies")
    package static let rows = Keyspace("rows")
    package static let embedding = Keyspace("embedding")
    package static let eviction = Keyspace("eviction")
    package static let queue = Keyspace("queue")
    package static let unsent = Keyspace("unsent")
    package static let rejected = Keyspace("rejected")
    package static let outcomes = Keyspace("outcomes")
    package static let damaged = Keyspace("damaged")

    /// What a store is opened with.
    public static let all: [Keyspace] = [
        .meta, .identities, .lists, .bodies, .rows, .embedding, .eviction, .queue, .unsent,
        .rejected, .outcomes, .damaged,
    ]
}

enum KeyLayout {
    /// The first byte of keys that could be laid out anew.
    static let format: UInt8 = 1

    static let storeFormat = key("format")
    static let openings = key("opened")
    static let lastIdentityNumber = key("identities")
    static let cachedLength = key("cached")
    static let lastSequence = key("queued")

    static func settledUser(of project: String) -> Bytes {
        var writer = ByteWriter()
        writer.append("settled")
        writer.append(hash(project))
        return writer.bytes
    }

    static let departures = key("departed")

    static func departure(of name: String) -> Bytes {
        var writer = ByteWriter()
        writer.append(departures)
        writer.append(hash(name))
        return writer.bytes
    }

    static func identity(_ name: String) -> Bytes {
        var writer = ByteWriter()
        writer.append(hash(name))
        return writer.bytes
    }

    /// What the keys of an identity's lists, writes and outcomes begin with.
    static func all(of identity: UInt32) -> Bytes {
        var writer = ByteWriter(reserving: 21)
        writer.append(format)
        writer.append(identity)
        return writer.bytes
    }

    /// The place of one of an identity's writes or outcomes.
    static func write(_ sequence: UInt64, of identity: UInt32) -> Bytes {
        var writer = ByteWriter(reserving: 13)
        writer.append(all(of: identity))
        writer.append(sequence)
        return writer.bytes
    }

    /// What the keys of an identity's writes to a table begin with.
    static func unsent(to table: ListKey.Table, of identity: UInt32) -> Bytes {
        lists(of: table, identity)
    }

    static func unsent(
        _ sequence: UInt64, to table: ListKey.Table, of identity: UInt32
    ) -> Bytes {
        var writer = ByteWriter(reserving: 21)
        writer.append(unsent(to: table, of: identity))
        writer.append(sequence)
        return writer.bytes
    }

    /// The number that a key ends with.
    static func number(endOf key: Span<UInt8>) throws(StorageError) -> UInt64 {
        guard key.count >= 8 else { throw .corrupted("a key is too short") }
        return key.bigEndian(UInt64.self, at: key.count - 8)
    }

    /// What the keys of the lists of one of an identity's tables begin with.
    static func lists(of table: ListKey.Table, _ identity: UInt32) -> Bytes {
        var writer = ByteWriter(reserving: 21)
        writer.append(all(of: identity))
        writer.append(hash(table.text))
        return writer.bytes
    }

    static func list(_ key: ListKey, of identity: UInt32) -> Bytes {
        var writer = ByteWriter(reserving: 21)
        writer.append(lists(of: key.table, identity))
        writer.append(hash(key.text))
        return writer.bytes
    }

    static func eviction(of place: Bytes, fetchedAt: Timestamp) -> Bytes {
        var writer = ByteWriter(reserving: 8 + place.count)
        writer.append(UInt64(bitPattern: fetchedAt.microseconds) ^ 1 << 63)
        writer.append(place)
        return writer.bytes
    }

    /// The place of the list that an entry of the eviction order names.
    static func place(inEviction key: Span<UInt8>) -> Bytes {
        Bytes(copying: key.extracting(min(8, key.count)..<key.count))
    }

    private static func key(_ text: String) -> Bytes { Bytes(text.utf8) }

    private static func hash(_ text: String) -> UInt64 {
        let bytes = Bytes(text.utf8)
        var hash = StableHash()
        hash.add(text: bytes.span)
        return hash.value
    }
}
