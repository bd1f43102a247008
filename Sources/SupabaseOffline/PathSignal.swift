#if canImport(Network)
import Dispatch
import Network

/// The signal of connectivity that Apple's systems give.
enum PathSignal {
    /// Whether requests have a way out, now and whenever that changes.
    ///
    /// A path that a request would have to open first, as a VPN on demand, counts as one.
    @Sendable
    static func make() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in
            continuation.yield(path.status != .unsatisfied)
        }
        continuation.onTermination = { _ in monitor.cancel() }
        monitor.start(queue: DispatchQueue(label: "offline.path"))
        return stream
    }
}
#endif
