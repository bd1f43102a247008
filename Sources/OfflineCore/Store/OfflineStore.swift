/// What a client keeps on the device, over any backend.
package struct OfflineStore: Sendable {
    /// The number of the format that this version reads and writes.
    static let format: UInt32 = 1

    package let identities: IdentityStore
    package let lists: ListStore
    package let queue: QueueStore
    /// The numbers of requests, which go on from one opening to the next.
    package let numbers: RequestNumbers
    private let storage: any Storage
    private let writer: StoreWriter

    /// Takes a store into use.
    ///
    /// - Parameters:
    ///   - storage: Where everything is kept.
    ///   - cacheSize: How long the cached answers may be in all; nil for any length.
    ///   - runtime: Time and tasks.
    ///   - log: Where damage is told.
    /// - Throws: ``StorageError``: ``StorageError/newerFormat(_:)`` if a newer version of this
    ///   package wrote the store, which is left untouched, or why it can't be used.
    package init(
        _ storage: any Storage, cacheSize: Int? = nil, runtime: OfflineRuntime,
        log: Log = Log(level: .error, handler: { _, _ in })
    ) throws(StorageError) {
        numbers = RequestNumbers(opening: try Self.takeIntoUse(storage))
        writer = StoreWriter(storage, runtime: runtime)
        identities = IdentityStore(storage: storage, writer: writer)
        lists = ListStore(storage: storage, writer: writer, limit: cacheSize)
        queue = QueueStore(
            storage: storage, writer: writer, unreadable: UnreadableWrites(log: log))
        self.storage = storage
    }

    /// Checks a store and counts its opening.
    ///
    /// - Returns: A number that grows with every opening, so that nothing counted from it is used
    ///   again.
    private static func takeIntoUse(_ storage: any Storage) throws(StorageError) -> UInt32 {
        try check(storage)
        return try storage.write { transaction throws(StorageError) in
            try transaction.set(Self.format, KeyLayout.storeFormat, in: .meta)
            return try transaction.increment(KeyLayout.openings, in: .meta)
        }
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

    /// What waits for the store while it is suspended.
    package var suspension: StoreSuspension { writer.suspension }

    /// Gives the store back for a while, once the transaction under way has ended.
    package func suspend() async { await writer.suspend() }

    /// Takes the store back.
    ///
    /// Somebody else may have used it meanwhile, so it is a new opening.
    ///
    /// - Throws: ``StorageError``; the store stays suspended.
    package func resume() async throws(StorageError) {
        try await writer.resume { [numbers] storage throws(StorageError) in
            numbers.advance(toOpening: try Self.takeIntoUse(storage))
        }
    }

    /// Lets nobody suspend the store any more, and takes it back if it is suspended.
    ///
    /// - Throws: ``StorageError`` if it can't be opened; it is closed then, and what waits fails.
    package func endSuspending() async throws(StorageError) {
        try await writer.endSuspending { [numbers] storage throws(StorageError) in
            numbers.advance(toOpening: try Self.takeIntoUse(storage))
        }
    }

    /// Gives the store back; later calls throw ``StorageError/closed``.
    package func close() { storage.close() }
}
