#if canImport(CCurl)
import Foundation
import OfflineCore
import TestSupport
import Testing

@testable import Transport

@Suite("Over libcurl, a file", .timeLimit(.minutes(5)))
struct CurlFileTests {
    private static let polite: @Sendable (Peer) throws -> Void = { peer in
        while true { try peer.answer(peer.readRequest().path == "/there" ? 200 : 404, "bytes") }
    }

    private func contents(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [("/there", 200), ("/missing", 404)])
    func `takes an answer, whatever its status, for its owner alone`(
        _ place: String, _ status: Int
    ) async throws {
        try await withDirectory { url in
            let directory = url.systemPath
            try await withServer(Self.polite) { server, transport in
                let path = directory + "/new"
                let answer = try await transport.download(
                    HTTPRequest(url: server.url + place), toFile: path)
                #expect(answer.status == status)
                #expect(answer.body.isEmpty)
                #expect(contents(path) == "bytes")
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test func `that was there is replaced and closed to others`() async throws {
        try await withDirectory { url in
            let directory = url.systemPath
            let path = directory + "/old"
            let old = Data("a longer text than the new one".utf8)
            try old.write(to: URL(filePath: path))
            chmod(path, 0o644)
            try await withServer(Self.polite) { server, transport in
                _ = try await transport.download(
                    HTTPRequest(url: server.url + "/there"), toFile: path)
                #expect(contents(path) == "bytes")
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test func `takes an answer of ten megabytes`() async throws {
        let large = Bytes.pattern(10_000_000)
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(large.count)\r\n\r\n")
            try peer.send(large)
        }
        try await withDirectory { url in
            let directory = url.systemPath
            try await withServer(script) { server, transport in
                let path = directory + "/large"
                let answer = try await transport.download(
                    HTTPRequest(url: server.url), toFile: path)
                #expect(answer.body.isEmpty)
                #expect(FileManager.default.contents(atPath: path) == Data(large))
            }
        }
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", .answeredBadly, .cutShort),
            ("HTTP/1.1 200 OK\r\n", .unanswered, .connectionLost),
            ("garbage", .unanswered, .malformed),
        ] as [(String, TransportError.Stage, TransportError.Cause)])
    func `is gone after a failure`(
        _ text: String, _ stage: TransportError.Stage, _ cause: TransportError.Cause
    ) async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try peer.send(text)
        }
        try await withDirectory { url in
            let directory = url.systemPath
            try await withServer(script) { server, transport in
                let path = directory + "/partial"
                let outcome = await transport.outcome(
                    of: HTTPRequest(url: server.url), toFile: path)
                #expect(outcome == .failed(stage, cause))
                #expect(contents(path) == nil)
            }
        }
    }

    @Test func `is gone after a cancellation in its middle`() async throws {
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            peer.waitForEnd()
        }
        try await withDirectory { url in
            let directory = url.systemPath
            try await withServer(script) { server, transport in
                let path = directory + "/partial"
                let task = Task {
                    await transport.outcome(of: HTTPRequest(url: server.url), toFile: path)
                }
                await waitForFile(path, length: 4)
                task.cancel()
                let outcome = await task.value
                #expect(outcome == .failed(.answeredBadly, .cancelled))
                #expect(contents(path) == nil)
            }
        }
    }

    @Test func `that can't be created keeps the request from being sent`() async throws {
        try await withDirectory { url in
            let directory = url.systemPath
            try await withServer(Self.polite) { server, transport in
                let outcome = await transport.outcome(
                    of: HTTPRequest(url: server.url), toFile: directory + "/no/such")
                #expect(outcome == .failed(.notSent, .file))
                #expect(server.accepted == 0)
            }
        }
    }

    @Test func `that can't be written to the end is an error`() async throws {
        let isLetThrough = Signal()
        let script: @Sendable (Peer) throws -> Void = { peer in
            try peer.readRequest()
            isLetThrough.wait()
            try peer.answer(200, "bytes")
        }
        try await withDirectory { url in
            let directory = url.systemPath
            try await withServer(script) { server, transport in
                // A pipe whose reader has gone takes nothing more, like a disk that is full.
                let path = directory + "/pipe"
                mkfifo(path, 0o600)
                // A program that another test starts meanwhile must not go on holding it.
                let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                async let outcome = transport.outcome(
                    of: HTTPRequest(url: server.url), toFile: path)
                await server.wait { $0.requests.count == 1 }
                close(reader)
                isLetThrough.send()
                let found = await outcome
                #expect(found == .failed(.answeredBadly, .file))
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }
    }

    @Test(arguments: [0, 1, 10_000_000])
    func `is sent with its length announced`(_ length: Int) async throws {
        let bytes = Bytes.pattern(length)
        try await withDirectory { url in
            let directory = url.systemPath
            let path = directory + "/upload"
            try Data(bytes).write(to: URL(filePath: path))
            try await withServer(Self.polite) { server, transport in
                let outcome = await transport.outcome(
                    of: HTTPRequest(
                        method: "POST", url: server.url + "/there", body: .file(path: path)))
                #expect(outcome == .answer(200, "bytes"))
                #expect(server.requests.first?.body.holdsSame(as: bytes) == true)
                #expect(server.requests.first?.value("Content-Length") == "\(length)")
                #expect(server.requests.first?.value("Content-Type") == nil)
            }
        }
    }

    @Test func `that isn't there, or is none, is not sent`() async throws {
        try await withDirectory { url in
            let directory = url.systemPath
            try await withServer(Self.polite) { server, transport in
                for path in [directory + "/missing", directory] {
                    let outcome = await transport.outcome(
                        of: HTTPRequest(method: "POST", url: server.url, body: .file(path: path)))
                    #expect(outcome == .failed(.notSent, .file))
                }
                #expect(server.accepted == 0)
            }
        }
    }

    @Test func `that shrinks while it is sent is an error`() async throws {
        let isCut = Signal()
        let script: @Sendable (Peer) throws -> Void = { peer in
            _ = try peer.readHead()
            isCut.wait()
            peer.waitForEnd()
        }
        try await withDirectory { url in
            let directory = url.systemPath
            let path = directory + "/upload"
            try Data().write(to: URL(filePath: path))
            // More than all the buffers between the two hold.
            truncate(path, 200_000_000)
            try await withServer(script) { server, transport in
                async let outcome = transport.outcome(
                    of: HTTPRequest(method: "POST", url: server.url, body: .file(path: path)))
                await server.wait { $0.accepted == 1 }
                truncate(path, 10)
                isCut.send()
                let found = await outcome
                #expect(found == .failed(.unanswered, .file))
            }
        }
    }
}
#endif
