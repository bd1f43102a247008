extension OfflineRuntime {
    /// Waits for a task that others may wait for too, but not forever.
    ///
    /// The task goes on whatever becomes of the one who waits.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - limit: How long to wait; nil is until it ends.
    /// - Returns: Its value, or nil if the limit passed or the caller was cancelled.
    package func value<Value: Sendable>(
        of task: Task<Value, Never>, within limit: Duration?
    ) async -> Value? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value?.self, bufferingPolicy: .bufferingOldest(1))
        _ = self.task(name: "wait.value") { continuation.yield(await task.value) }
        let timer = limit.map { limit in
            self.task(name: "wait.limit") { [clock] in
                if (try? await clock.sleep(for: limit)) != nil { continuation.yield(nil) }
            }
        }
        defer { timer?.cancel() }
        for await first in stream { return first }
        return nil
    }
}
