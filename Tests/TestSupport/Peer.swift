#if canImport(Glibc)
import Foundation
package import OfflineCore

/// A connection, from the server's side; used on its own thread.
package final class Peer {
    package struct Request: Sendable, Equatable {
        package var method: String
        package var path: String
        /// The lines of the head after the first, as they came.
        package var lines: [String]
        package var body: Bytes

        package init(method: String, path: String, lines: [String], body: Bytes) {
            self.method = method
            self.path = path
            self.lines = lines
            self.body = body
        }

        package func value(_ name: String) -> String? {
            let prefix = name.lowercased() + ":"
            return lines.first { $0.lowercased().hasPrefix(prefix) }
                .map { $0.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) }
        }
    }

    package struct Ended: Error {}

    /// POLLRDHUP, which Glibc offers to GNU sources alone.
    private static let readingHalfClosed: Int16 = 0x2000

    /// How many connections the server accepted before this one.
    package let index: Int
    private let descriptor: CInt
    private let report: (Request) -> Void
    private var received: Bytes = []

    package init(_ descriptor: CInt, index: Int, report: @escaping (Request) -> Void) {
        self.descriptor = descriptor
        self.index = index
        self.report = report
    }

    /// Reads a request with its body, and reports it.
    @discardableResult
    package func readRequest() throws -> Request {
        var request = try readHead()
        let length = request.value("Content-Length").flatMap { Int($0) } ?? 0
        request.body = try read(length)
        note(request)
        return request
    }

    /// Reports a request that was read in another way.
    package func note(_ request: Request) { report(request) }

    /// Reads the head of a request alone, and reports nothing.
    package func readHead() throws -> Request {
        var lines: [String] = []
        while true {
            let line = try readLine()
            guard !line.isEmpty else { break }
            lines.append(line)
        }
        let words = lines[0].split(separator: " ").map(String.init)
        return Request(method: words[0], path: words[1], lines: Array(lines.dropFirst()), body: [])
    }

    package func read(_ count: Int) throws -> Bytes {
        while received.count < count { try receive() }
        defer { received.removeFirst(count) }
        return Bytes(received.prefix(count))
    }

    package func send(_ text: String) throws { try send(Bytes(text.utf8)) }

    package func send(_ bytes: Bytes) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Ended() }
            rest = rest.dropFirst(count)
        }
    }

    /// Answers with a status and a body, and keeps the connection.
    package func answer(_ status: Int = 200, _ body: String = "", fields: String...) throws {
        let lines = ["HTTP/1.1 \(status) Reason", "Content-Length: \(body.utf8.count)"] + fields
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Makes the end of the connection a reset instead of an orderly one.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
    }

    /// Waits until the client has closed the connection.
    package func waitForEnd() {
        while (try? receive()) != nil {}
    }

    /// Whether the client has closed the connection within a millisecond.
    package func endsSoon() -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 1) > 0
    }

    /// Whether the client has gone, without reading what it sent.
    package func hasEnded() -> Bool {
        var poll = pollfd(fd: descriptor, events: Self.readingHalfClosed, revents: 0)
        return Glibc.poll(&poll, 1, 1) > 0
    }

    private func readLine() throws -> String {
        while true {
            if let end = received.firstIndex(of: 10) {
                defer { received.removeSubrange(...end) }
                let line = received[..<end]
                return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
            }
            try receive()
        }
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Ended() }
        received.append(contentsOf: buffer[..<count])
    }
}
#endif
