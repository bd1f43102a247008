import Synchronization

extension SupabaseOfflineClient {
    /// How long ``close()`` waits for the calls that are under way.
    static let longestWaitForCalls = Duration.seconds(10)

    /// Ends the client and gives its data directory back.
    ///
    /// Calls made from now on throw ``OfflineError/closed``, also on builders made before. Calls
    /// that are under way come to their end, those too whose request is not sent yet, what the
    /// server has answered reaches the disk, and the lists of a user who has gone leave it.
    ///
    /// It returns when the directory is free for another client, or after 10 seconds; the directory
    /// then is free when the last call has ended. Closing again waits again, and does nothing else.
    ///
    /// A client that is suspended takes its directory back first, for the calls that wait for it. If
    /// it can't, those that need the device throw ``OfflineError/closed``.
    public func close() async {
        calls.close()
        let release = closing.withLock { closing in
            let release = closing ?? runtime.task(name: "client.close") { await self.release() }
            closing = release
            return release
        }
        _ = await runtime.value(of: release, within: Self.longestWaitForCalls)
    }

    private func release() async {
        await connectivity.close()
        do throws(StorageError) {
            try await store.endSuspending()
        } catch {
            log.warning("The store could not be opened again to end what was under way: \(error)")
        }
        await queue.close()
        await calls.waitUntilEmpty()
        transport.close()
        // In this order: who has gone is noted before their lists are looked for.
        await session.close()
        await reads.close()
        store.close()
    }
}

// MARK: While the app sleeps

extension SupabaseOfflineClient {
    /// Gives the data directory and its lock back, until ``resume()``.
    ///
    /// For the time in which an app must hold no lock on a file, or can't reach its files: iOS ends a
    /// process that is suspended with a lock on a file of an app group, and a locked device closes
    /// files that are protected completely.
    ///
    /// It returns when the transaction under way has ended and the directory is free. Calls that are
    /// under way go on as far as they need nothing of the device; they, and calls made from now on,
    /// wait for ``resume()``. Suspending again, or after ``close()``, does nothing.
    public func suspend() async { await store.suspend() }

    /// Takes the data directory back after ``suspend()``, and lets the calls that wait go on.
    ///
    /// - Throws: ``OfflineError`` with the reason `databaseInUse`, `storageUnavailable`,
    ///   `storageFull`, `storageTooNew` or `closed`. The client stays suspended, and can be resumed
    ///   later or closed.
    public func resume() async throws(OfflineError) {
        let context = OfflineError.Context("resume")
        guard !calls.isClosed else { throw OfflineError(.closed, in: context) }
        do throws(StorageError) {
            try await store.resume()
        } catch {
            throw OfflineError(.init(opening: error), in: context, underlying: error)
        }
        await reads.dropDeparted()
        await queue.resumed()
    }
}
