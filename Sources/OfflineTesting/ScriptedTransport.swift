import FoundationEssentials
public import OfflineCore
import Synchronization

/// A network that answers as a test has written down.
///
/// Answers are given in the order in which they were scripted, whatever was asked; what was asked is
/// in ``requests`` for the test to look at. A request for which nothing is left fails as if there
/// were no network and is counted in ``unexpectedRequests``.
///
/// ```swift
/// let network = ScriptedTransport()
/// network.answer(json: #"[{"id":1}]"#)
/// network.fail(.init(.notSent, .cannotConnect))
/// ```
public final class ScriptedTransport: HTTPTransport {
    private enum Step {
        case answer(HTTPResponse)
        case failure(TransportError)
    }

    private struct State {
        var script: [(step: Step, gate: Gate?)] = []
        var requests: [HTTPRequest] = []
        var unexpectedRequests = 0
        var cancelledRequests = 0
        var isDown = false
        var isClosed = false
    }

    private let state = Lock(State())
    private let arrivals = StateRelay(0)

    /// Creates a network that knows no answer yet.
    public init() {}

    /// Scripts an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The headers beside `Content-Type: application/json`.
    ///   - json: The body.
    ///   - timeSinceHead: How long the body took.
    ///   - gate: Holds the answer back until it is opened.
    public func answer(
        status: Int = 200, headers: HTTPHeaders = [:], json: String,
        timeSinceHead: Duration = .zero, after gate: Gate? = nil
    ) {
        var all = headers
        if all["Content-Type"] == nil { all["Content-Type"] = "application/json; charset=utf-8" }
        answer(
            HTTPResponse(
                status: status, headers: all, body: ContiguousArray(json.utf8),
                timeSinceHead: timeSinceHead), after: gate)
    }

    /// Scripts an answer.
    public func answer(_ response: HTTPResponse, after gate: Gate? = nil) {
        state.withLock { $0.script.append((.answer(response), gate)) }
    }

    /// Scripts a failure.
    public func fail(_ error: TransportError, after gate: Gate? = nil) {
        state.withLock { $0.script.append((.failure(error), gate)) }
    }

    /// Forgets the answers and failures that have not been asked for.
    public func forgetScript() {
        state.withLock { $0.script = [] }
    }

    /// Takes the network away, or brings it back: while it is away, every request fails at once
    /// without using up the script.
    public func setDown(_ isDown: Bool) {
        state.withLock { $0.isDown = isDown }
    }

    /// What was asked, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// How many requests came for which nothing was scripted.
    public var unexpectedRequests: Int { state.withLock { $0.unexpectedRequests } }

    /// How many requests were cancelled before they had their answer.
    public var cancelledRequests: Int { state.withLock { $0.cancelledRequests } }

    /// How many scripted answers were not asked for.
    public var unusedAnswers: Int { state.withLock { $0.script.count } }

    /// Waits until so many requests have come, counted from the beginning.
    public func waitForRequests(_ count: Int) async {
        for await arrived in arrivals.updates() where arrived >= count { return }
    }

    /// Answers with the next step of the script.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let next: Result<(step: Step, gate: Gate?), TransportError> = state.withLock { state in
            if state.isClosed { return .failure(TransportError(.notSent, .closed)) }
            state.requests.append(request)
            // Under the lock, so that the count never goes back.
            arrivals.send(state.requests.count)
            if state.isDown { return .failure(TransportError(.notSent, .cannotConnect)) }
            guard !state.script.isEmpty else {
                state.unexpectedRequests += 1
                return .failure(TransportError(.notSent, .cannotConnect))
            }
            return .success(state.script.removeFirst())
        }
        let (step, gate) = try next.get()
        await gate?.wait()
        if Task.isCancelled {
            state.withLock { $0.cancelledRequests += 1 }
            throw TransportError(.unanswered, .cancelled)
        }
        switch step {
        case .answer(let response): return response
        case .failure(let error): throw error
        }
    }

    /// Answers with the next step of the script and writes its body into a file.
    public func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        var response = try await send(request)
        do {
            try Data(response.body).write(to: URL(filePath: path))
        } catch {
            throw TransportError(.answeredBadly, .file)
        }
        response.body = []
        return response
    }

    /// Refuses further requests.
    public func close() {
        state.withLock { $0.isClosed = true }
    }
}
