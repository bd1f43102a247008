import Synchronization

/// Owns the package's view of the network, which the app's signal gives.
///
/// It is a hint and never a gate: it decides how often a request is tried, not whether.
package actor Connectivity {
    private nonisolated let relay = StateRelay(NetworkStatus.unknown)
    private let runtime: OfflineRuntime
    private let log: Log
    private var watch: OwnedTask?
    private nonisolated let successes = Lock(0)

    package init(runtime: OfflineRuntime, log: Log) {
        self.runtime = runtime
        self.log = log
    }

    /// What is known now.
    package nonisolated var status: NetworkStatus { relay.current }

    /// How many requests the server has answered with what they asked for.
    package nonisolated var successCount: Int { successes.withLock { $0 } }

    /// Notes that the server has answered with what it was asked for.
    package nonisolated func noteSuccess() { successes.withLock { $0 += 1 } }

    /// The status now, followed by every later one; a slow listener skips to the newest.
    package nonisolated var updates: AsyncStream<NetworkStatus> { relay.updates() }

    /// Listens to a signal until it ends, which leaves the network unknown.
    package func follow(_ signal: AsyncStream<Bool>) {
        watch = OwnedTask(
            runtime.task(name: "connectivity.signal") { [weak self] in
                for await isAvailable in signal { await self?.heard(isAvailable) }
                guard !Task.isCancelled else { return }
                await self?.lostSignal()
            })
    }

    /// Stops listening and ends ``updates``.
    package func close() {
        watch = nil
        relay.finish()
    }

    private func heard(_ isAvailable: Bool) {
        let status: NetworkStatus = isAvailable ? .available : .unavailable
        if status != relay.current { relay.send(status) }
    }

    private func lostSignal() {
        log.warning("networkAvailability ended; the network counts as online from now on.")
        if relay.current != .unknown { relay.send(.unknown) }
    }
}
