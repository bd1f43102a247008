extension SupabaseOfflineClient {
    /// Removes the lists that the device has of the present identity.
    ///
    /// What is being read meanwhile is returned to its reader and not kept. Other identities' lists
    /// stay, and so do writes.
    ///
    /// - Throws: ``OfflineError`` with the reason `closed`, `storageFull` or `storageUnavailable`;
    ///   the lists stay then.
    public func clearCache() async throws(OfflineError) {
        let context = OfflineError.Context("clear the cache")
        guard calls.enter() else { throw OfflineError(.closed, in: context) }
        defer { calls.leave() }
        guard let identity = await presentIdentity() else { return }
        do throws(StorageError) {
            try await reads.drop(identity)
        } catch {
            throw OfflineError(.init(writing: error), in: context, underlying: error)
        }
    }

    /// Removes everything that the device has of the present identity.
    ///
    /// Beyond ``clearCache()`` that is its writes: those in the queue, those that were rejected, and what
    /// has become of the others. A write whose request is on its way is answered first, or counts as
    /// unknown if no answer comes within the client's `requestTimeout`. Who is signed in stays known:
    /// that is the session's, and goes with a sign-out.
    ///
    /// - Parameter droppingUnsentWrites: Whether writes may be lost that the server has not taken. If not,
    ///   and there are some, nothing is removed.
    /// - Throws: ``OfflineError`` with the reason `unsentWrites` if writes would be lost; `closed`,
    ///   `storageFull` or `storageUnavailable`. Everything stays then.
    public func clear(droppingUnsentWrites: Bool = false) async throws(OfflineError) {
        let context = OfflineError.Context("clear")
        guard calls.enter() else { throw OfflineError(.closed, in: context) }
        defer { calls.leave() }
        guard let identity = await presentIdentity() else { return }
        await queue.halt(identity, within: settings.requestTimeout)
        do throws(ClearingError) {
            try await reads.dropAll(of: identity, isUnsentToo: droppingUnsentWrites)
            await queue.goOn(identity, isCleared: true)
        } catch {
            await queue.goOn(identity, isCleared: false)
            switch error {
            case .unsent(let count):
                throw OfflineError(.unsentWrites(count: count), in: context)
            case .store(let error):
                throw OfflineError(.init(writing: error), in: context, underlying: error)
            }
        }
    }

    private func presentIdentity() async -> Identity? {
        // In a task of its own: a clear isn't given up when its caller is.
        await runtime.task(name: "clear.wait") { [store] in await store.suspension.wait() }.value
        return await session.standing(session.ask(), within: ReadCall.longestWaitForSession)
            .identity
    }
}
