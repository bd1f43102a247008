#if canImport(Glibc)
import Foundation
import OfflineCore

/// A server on this machine that does to each connection what its script says, good or bad.
///
/// Every connection has a thread, so scripts may block. Nothing in it speaks HTTP by itself: what
/// travels is exactly what a script writes.
package final class LoopbackServer: Sendable {
    package struct Record: Sendable {
        /// How many connections were accepted.
        package var accepted = 0
        /// The sockets of the connections that are open.
        package var open: Set<CInt> = []
        /// What was read with ``Peer/readRequest()``, over all connections.
        package var requests: [Peer.Request] = []
        /// Nobody waits for a server that has stopped.
        fileprivate var isStopped = false
    }

    package let port: Int
    private let listener: CInt
    private let record = Monitor(Record())

    package init(_ script: @escaping @Sendable (Peer) throws -> Void) throws {
        listener = try Self.check(
            socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        port = try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try Self.check(bind(listener, address, length))
                try Self.check(listen(listener, 512))
                try Self.check(getsockname(listener, address, &length))
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        Thread.detachNewThread { [self] in accept(script) }
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    package var requests: [Peer.Request] { record.withLock { $0.requests } }

    package var accepted: Int { record.withLock { $0.accepted } }

    /// Waits for something to happen here, on a thread that has nothing else to do.
    package func wait(until condition: @escaping @Sendable (Record) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                Thread.detachNewThread { [record] in
                    record.wait { condition($0) || $0.isStopped }
                    reply.resume()
                }
            }
        } onCancel: {
            stop()
        }
    }

    package func stop() {
        shutdown(listener, CInt(SHUT_RDWR))
        record.withLock { record in
            record.isStopped = true
            for descriptor in record.open { shutdown(descriptor, CInt(SHUT_RDWR)) }
        }
    }

    private func accept(_ script: @escaping @Sendable (Peer) throws -> Void) {
        while true {
            var readiness = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            poll(&readiness, 1, -1)
            let descriptor = ChildProcesses.lock.withLock { _ in
                let descriptor = Glibc.accept(listener, nil, nil)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                return descriptor
            }
            guard descriptor >= 0 else { break }
            let index = record.withLock { record in
                record.accepted += 1
                record.open.insert(descriptor)
                return record.accepted - 1
            }
            Thread.detachNewThread { [self] in
                let peer = Peer(descriptor, index: index) { [record] request in
                    record.withLock { $0.requests.append(request) }
                }
                // A script that can't go on has lost its client, as it should.
                try? script(peer)
                // Closed under the lock, so that nobody shuts down a number given to another.
                record.withLock { record in
                    close(descriptor)
                    record.open.remove(descriptor)
                }
            }
        }
        close(listener)
    }

    @discardableResult
    private static func check(_ result: CInt) throws -> CInt {
        guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return result
    }
}
#endif
