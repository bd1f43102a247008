package import Foundation
package import OfflineCore

/// What keeps child processes from inheriting sockets, which would then never close.
package enum ChildProcesses {
    /// Held while a process is started, and while a socket is made and marked.
    package static let lock = Monitor(0)
}

extension Process {
    /// Starts this process without sockets of its parent.
    package func runApart() throws {
        try ChildProcesses.lock.withLock { _ in Result { try run() } }.get()
    }
}
