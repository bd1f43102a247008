/// What a client keeps on the device, over any backend.
package struct OfflineStore: Sendable {
    /// The number of the format that this version reads and writes.
    static let format: UInt32 = 1

    package let identities: IdentityStore
    package let lists: ListStore
    /// A number that grows with every opening, so that nothing counted from it is used again.
    package let opening: UInt32
    private let storage: any Storage

    /// Takes a store into use.
    ///
    /// - Parameters:
    ///   - storage: Where everything is kept.
    ///   - cacheSize: How long the cached answers may be in all; nil for any length.
    ///   - runtime: Time and tasks.
    /// - Throws: ``StorageError``: ``StorageError/newerFormat(_:)`` if a newer version of this
    ///   package wrote the store, which is left untouched, or why it can't be used.
    package init(
        _ storage: any Storage, cacheSize: Int? = nil, runtime: OfflineRuntime
    ) throws(StorageError) {
        try Self.check(storage)
        opening = try storage.write { transaction throws(StorageError) in
            try transaction.set(Self.format, KeyLayout.storeFormat, in: .meta)
            return try transaction.increment(KeyLayout.openings, in: .meta)
        }
        let writer = StoreWriter(storage, runtime: runtime)
        identities = IdentityStore(storage: storage, writer: writer)
        lists = ListStore(storage: storage, writer: writer, limit: cacheSize)
        self.storage = storage
    }

    /// Looks whether a store can be taken into use, and changes nothing.
    ///
    /// - Throws: ``StorageError``: ``StorageError/newerFormat(_:)`` if a newer version of this
    ///   package wrote it, ``StorageError/corrupted(_:)`` if it can't be read.
    package static func check(_ storage: any Storage) throws(StorageError) {
        try storage.read { transaction throws(StorageError) in
            guard let stored = try transaction.value(KeyLayout.storeFormat, in: .meta) else {
                return
            }
            var reader = ByteReader(stored)
            let format: UInt32 = try reader.integer()
            guard format <= Self.format else { throw .newerFormat(Int(format)) }
            if let openings = try transaction.value(KeyLayout.openings, in: .meta) {
                var reader = ByteReader(openings)
                _ = try reader.integer(UInt32.self)
            }
        }
    }

    /// Gives the store back; later calls throw ``StorageError/closed``.
    package func close() { storage.close() }
}
