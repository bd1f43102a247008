#if canImport(CCurl)
import CCurl
import Foundation
import OfflineCore

/// The thread on which libcurl works, and what others leave there for it.
final class CurlLoop: Sendable {
    enum Command: Sendable {
        case start(CurlJob)
        case cancel(CurlTicket)
        /// Asks how many exchanges there are.
        case count(CheckedContinuation<Int, Never>)
    }

    private enum Phase { case open, closing, ended }

    private struct Inbox {
        var commands: [Command] = []
        var phase = Phase.open
    }

    /// Prepares the library once, whatever the number of transports.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    private let inbox = Monitor(Inbox())
    // Made before the thread starts and freed when it ends. Others only wake it, while the inbox
    // is locked and open, so before it is freed.
    nonisolated(unsafe) private let multi: UnsafeMutableRawPointer
    private let thread = Monitor<ThreadID?>(nil)

    init(_ options: CurlOptions) {
        precondition(Self.isLibraryReady, "libcurl can't be initialised")
        guard let multi = curl_multi_init() else { preconditionFailure("out of memory") }
        self.multi = multi
        let thread = Thread { self.run(options) }
        thread.name = "offline.transport"
        thread.start()
    }

    /// Leaves a command for the thread; false if the loop is closed and nobody will obey it.
    @discardableResult
    func post(_ command: Command) -> Bool {
        inbox.withLock { inbox in
            guard inbox.phase == .open else { return false }
            inbox.commands.append(command)
            curl_multi_wakeup(multi)
            return true
        }
    }

    /// Ends every exchange and the thread, and waits until it has come to that.
    func close() {
        inbox.withLock { inbox in
            guard inbox.phase == .open else { return }
            inbox.phase = .closing
            curl_multi_wakeup(multi)
        }
        // On the loop's own thread, waiting would be for itself.
        guard thread.withLock({ $0 }) != .current else { return }
        inbox.wait { $0.phase == .ended }
    }

    private func run(_ options: CurlOptions) {
        thread.withLock { $0 = .current }
        Self.blockPipeSignal()
        let worker = CurlWorker(multi, options)
        while let commands = takeCommands() {
            for command in commands { obey(command, worker) }
            worker.turn()
        }
        for command in inbox.withLock({ $0.commands }) { obey(command, worker) }
        worker.close()
        curl_multi_cleanup(multi)
        inbox.withLock { inbox in
            inbox.commands = []
            inbox.phase = .ended
        }
    }

    /// What was left since the last time, or nil if the loop is to end.
    private func takeCommands() -> [Command]? {
        inbox.withLock { inbox in
            guard inbox.phase == .open else { return nil }
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    private func obey(_ command: Command, _ worker: CurlWorker) {
        switch command {
        case .start(let job): worker.start(job)
        case .cancel(let ticket): worker.cancel(ticket)
        case .count(let reply): reply.resume(returning: worker.count)
        }
    }

    /// Writing to an encrypted connection that the server has closed raises a signal, which would
    /// end the process; blocked on this thread, it stays without effect.
    private static func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
#endif
