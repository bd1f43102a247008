/// Owns the lists on their way to the disk.
///
/// What a read returns for an identity is what the server last answered to that identity for that
/// list, byte for byte. So a list is kept only under the identity for which its request was sent,
/// and an answer to an earlier request never replaces one to a later request.
///
/// A read returns before its answer is on disk; until then, later reads find it here.
package actor ReadEngine {
    private struct Place: Hashable {
        let key: ListKey
        let identity: Identity
    }

    private let store: ListStore
    private let runtime: OfflineRuntime
    private let log: Log
    private var beingStored: [Place: StoredList] = [:]
    private var storing: [(sequence: UInt64, task: Task<Void, Never>)] = []
    private var lastSequence: UInt64
    /// Whether no request may go out any more.
    private(set) var isClosed = false

    package init(store: OfflineStore, runtime: OfflineRuntime, log: Log) {
        self.store = store.lists
        self.runtime = runtime
        self.log = log
        // Greater than every number that an earlier opening gave out.
        lastSequence = UInt64(store.opening) << 32
    }

    /// The list that the device has, or nil.
    ///
    /// One that can't be read back counts as none and is logged: the next answer replaces it.
    package func list(_ key: ListKey, of identity: Identity) -> StoredList? {
        if let list = beingStored[Place(key: key, identity: identity)] { return list }
        do throws(StorageError) {
            return try store.list(key, of: identity)
        } catch {
            log.warning("A list of \(key.table) can't be read from the device: \(error)")
            return nil
        }
    }

    /// A number for a request, greater than those of all earlier ones.
    ///
    /// - Returns: The number, or nil if the client has been closed and nothing is to be sent.
    func nextSequence() -> UInt64? {
        guard !isClosed else { return nil }
        lastSequence += 1
        return lastSequence
    }

    /// Keeps an answer, behind the read that got it.
    func keep(
        _ list: StoredList, _ directory: RowDirectory, as key: ListKey, of identity: Identity
    ) {
        let place = Place(key: key, identity: identity)
        if let newer = beingStored[place], newer.sequence > list.sequence { return }
        beingStored[place] = list
        let task = runtime.task(name: "list.keep") { [store, log] in
            do throws(StorageError) {
                try await store.keep(list, directory: directory.encoded, as: key, of: identity)
            } catch {
                log.warning("An answer for \(key.table) could not be kept on the device: \(error)")
            }
            await self.stored(list, at: place)
        }
        storing.append((list.sequence, task))
    }

    /// Waits until the answers that were read so far are on disk, or have failed to get there.
    package func waitUntilStored() async {
        while let last = storing.last { await last.task.value }
    }

    /// Lets no request out any more and waits until the last answers are on disk.
    package func close() async {
        isClosed = true
        await waitUntilStored()
    }

    private func stored(_ list: StoredList, at place: Place) {
        storing.removeAll { $0.sequence == list.sequence }
        if beingStored[place]?.sequence == list.sequence { beingStored[place] = nil }
    }
}
