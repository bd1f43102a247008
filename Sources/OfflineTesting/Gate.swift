import OfflineCore

/// A point at which a test holds something up until it says go.
public final class Gate: Sendable {
    private let isOpen = StateRelay(false)

    /// Creates a closed gate.
    public init() {}

    /// Lets everybody through, now and later.
    public func open() { isOpen.send(true) }

    /// Waits until the gate is open, or the calling task is cancelled.
    public func wait() async {
        for await isOpen in isOpen.updates() where isOpen { return }
    }
}
