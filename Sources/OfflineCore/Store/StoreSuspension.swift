/// Lets what needs the store wait while the store is given back for a while.
///
/// Only ``StoreWriter`` changes it, in the same step as the store.
package final class StoreSuspension: Sendable {
    private let relay = StateRelay(false)

    /// Waits until the store is there, or the calling task is cancelled.
    func wait() async {
        guard relay.current else { return }
        for await isSuspended in relay.updates() where !isSuspended { return }
    }

    /// Makes an attempt on the store, and again when the store is back, if it was away.
    ///
    /// - Parameter attempt: What reads from the store.
    /// - Returns: What the last attempt returned.
    /// - Throws: What the last attempt threw; ``StorageError/suspended`` if the calling task is
    ///   cancelled while the store is away.
    func retrying<R>(
        _ attempt: () throws(StorageError) -> R
    ) async throws(StorageError) -> R {
        while true {
            do throws(StorageError) {
                return try attempt()
            } catch {
                guard error == .suspended, !Task.isCancelled else { throw error }
                await wait()
            }
        }
    }

    func begin() { relay.send(true) }

    func end() { relay.send(false) }
}
