extension SupabaseOfflineClient {
    /// Removes the lists that the device has of the present identity.
    ///
    /// What is being read meanwhile is returned to its reader and not kept. Other identities' lists
    /// stay.
    ///
    /// - Throws: ``OfflineError`` with the reason `closed`, `storageFull` or `storageUnavailable`;
    ///   the lists stay then.
    public func clearCache() async throws(OfflineError) {
        try await drop(isWhole: false, in: .init("clear the cache"))
    }

    /// Removes everything that the device has of the present identity.
    ///
    /// Beyond ``clearCache()`` that is its entry among those who have data here. Who is signed in
    /// stays known: that is the session's, and goes with a sign-out.
    ///
    /// - Throws: ``OfflineError`` with the reason `closed`, `storageFull` or `storageUnavailable`;
    ///   everything stays then.
    public func clear() async throws(OfflineError) {
        try await drop(isWhole: true, in: .init("clear"))
    }

    private func drop(
        isWhole: Bool, in context: OfflineError.Context
    ) async throws(OfflineError) {
        guard calls.enter() else { throw OfflineError(.closed, in: context) }
        defer { calls.leave() }
        // In a task of its own: a clear isn't given up when its caller is.
        await runtime.task(name: "clear.wait") { [store] in await store.suspension.wait() }.value
        let standing = await session.standing(
            session.ask(), within: ReadCall.longestWaitForSession)
        guard let identity = standing.identity else { return }
        do throws(StorageError) {
            try await reads.drop(identity, isWhole: isWhole)
        } catch {
            throw OfflineError(.init(writing: error), in: context, underlying: error)
        }
    }
}
