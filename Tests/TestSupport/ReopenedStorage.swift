package import OfflineCore
import StorageMemory
import Synchronization

/// A store in memory whose content outlives its clients, as a disk's does.
package final class ReopenedStorage: Storage {
    private let base = MemoryStorage(keyspaces: Keyspace.all)
    private let closed = Lock(false)

    package init() {}

    /// Whether its last client has given it back.
    package var isClosed: Bool { closed.withLock { $0 } }

    /// This store, for the next client.
    package func reopened() -> ReopenedStorage {
        closed.withLock { $0 = false }
        return self
    }

    package func read<R>(
        _ body: (borrowing ReadTransaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        guard !isClosed else { throw .closed }
        return try base.read(body)
    }

    package func write<R>(
        _ body: (inout WriteTransaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        guard !isClosed else { throw .closed }
        return try base.write(body)
    }

    package func suspend() { base.suspend() }

    package func resume() throws(StorageError) {
        guard !isClosed else { throw .closed }
        try base.resume()
    }

    package func close() { closed.withLock { $0 = true } }
}
