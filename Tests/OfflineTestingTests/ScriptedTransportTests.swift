import Foundation
import OfflineCore
import OfflineTesting
import Testing

@Suite("A scripted network", .timeLimit(.minutes(5)))
struct ScriptedTransportTests {
    private let request = HTTPRequest(url: "http://localhost/a")

    @Test func `answers in the order of its script and remembers what was asked`() async throws {
        let network = ScriptedTransport()
        network.answer(status: 201, json: "[]")
        network.fail(TransportError(.unanswered, .timedOut))
        let answer = try await network.send(request)
        #expect(
            (answer.status, answer.headers["content-type"]) == (
                201, "application/json; charset=utf-8"
            ))
        #expect(network.unusedAnswers == 1)
        await #expect(throws: TransportError(.unanswered, .timedOut)) {
            try await network.send(request)
        }
        #expect(network.requests == [request, request])
        #expect(network.unusedAnswers == 0)
    }

    @Test func `fails what it was not told of, and counts it`() async {
        let network = ScriptedTransport()
        await #expect(throws: TransportError(.notSent, .cannotConnect)) {
            try await network.send(request)
        }
        #expect(network.unexpectedRequests == 1)
    }

    @Test func `is out of reach while it is down, and keeps its script`() async throws {
        let network = ScriptedTransport()
        network.answer(json: "[]")
        network.setDown(true)
        await #expect(throws: TransportError(.notSent, .cannotConnect)) {
            try await network.send(request)
        }
        network.setDown(false)
        #expect(try await network.send(request).status == 200)
        #expect(network.unexpectedRequests == 0)
    }

    @Test func `holds an answer back until its gate is open`() async throws {
        let (network, gate) = (ScriptedTransport(), Gate())
        network.answer(json: "[]", after: gate)
        async let answer = network.send(request)
        await network.waitForRequests(1)
        gate.open()
        #expect(try await answer.status == 200)
    }

    @Test func `lets go of a cancelled request`() async throws {
        let (network, gate) = (ScriptedTransport(), Gate())
        network.answer(json: "[]", after: gate)
        let task = Task { [request] in try await network.send(request) }
        await network.waitForRequests(1)
        task.cancel()
        await #expect(throws: TransportError(.unanswered, .cancelled)) { try await task.value }
    }

    @Test func `writes a body into a file`() async throws {
        let network = ScriptedTransport()
        network.answer(json: "[1]")
        let file = FileManager.default.temporaryDirectory.appending(component: "file-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let answer = try await network.download(
            request, toFile: file.path(percentEncoded: false))
        #expect(answer.body.isEmpty)
        #expect(try Data(contentsOf: file) == Data("[1]".utf8))
    }

    @Test func `refuses once it is closed`() async {
        let network = ScriptedTransport()
        network.close()
        await #expect(throws: TransportError(.notSent, .closed)) { try await network.send(request) }
    }
}
