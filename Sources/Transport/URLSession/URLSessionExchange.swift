import Foundation
import OfflineCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange over URLSession; called from the session's queue, timers and the caller's task.
final class URLSessionExchange: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>

    private enum Phase {
        case beginning
        case underway(CheckedContinuation<Outcome, Never>)
        /// It ended before anybody waited for it.
        case ended(Outcome)
        case handedOver
    }

    private struct State {
        var phase = Phase.beginning
        var deadlines: Deadlines
        var progress = Progress.connecting
        var response: HTTPResponse?
        var headArrival: ContinuousClock.Instant?
        var answer: AnswerBody
    }

    private let state: Monitor<State>
    private let task: URLSessionTask

    init(_ task: URLSessionTask, limits: HTTPRequest.Limits, file: OutputFile?) {
        self.task = task
        state = Monitor(
            State(deadlines: Deadlines(limits, from: .now), answer: AnswerBody(file: file)))
    }

    /// The next moment at which somebody has to look at the limits; nil once it has ended.
    var nextDeadline: ContinuousClock.Instant? {
        state.withLock { state in
            switch state.phase {
            case .beginning, .underway: state.deadlines.next
            case .ended, .handedOver: nil
            }
        }
    }

    /// Starts, and hands the outcome to `reply`; false if it has ended before and never starts.
    func begin(_ reply: CheckedContinuation<Outcome, Never>) -> Bool {
        let early: Outcome? = state.withLock { state in
            guard case .ended(let outcome) = state.phase else {
                state.phase = .underway(reply)
                return nil
            }
            state.phase = .handedOver
            return outcome
        }
        guard let early else {
            task.resume()
            return true
        }
        reply.resume(returning: early)
        return false
    }

    /// Ends with an error, unless it has ended; the task is left to run out where ending it
    /// endangers the process.
    func end(_ cause: TransportError.Cause) {
        // URLSession doesn't say when it starts to send, so once begun a request counts as sent.
        finish { state in
            if case .beginning = state.phase { return .failure(TransportError(.notSent, cause)) }
            return .failure(TransportError(max(state.progress, .sending).stage, cause))
        }
        #if !canImport(FoundationNetworking)
        task.cancel()
        #endif
    }

    func endIfOverdue() {
        guard state.withLock({ $0.deadlines.areOver(at: .now) }) else { return }
        end(.timedOut)
    }

    func headArrived(_ head: HTTPURLResponse) {
        state.withLock { state in
            let now = ContinuousClock.now
            state.progress = .receiving
            state.headArrival = now
            state.deadlines.headArrived(at: now)
            state.response = HTTPResponse(
                status: head.statusCode, headers: HTTPHeaders(head.allHeaderFields))
            state.answer.reserve(Int(exactly: head.expectedContentLength))
        }
    }

    func bodyArrived(_ data: Data) {
        let isTaken = state.withLock { state in
            guard case .underway = state.phase else { return true }
            state.deadlines.bytesTravelled(at: .now)
            return data.withUnsafeBytes { state.answer.append($0) }
        }
        if !isTaken { end(.file) }
    }

    func bodyLeft() {
        state.withLock { state in
            state.progress = max(state.progress, .sending)
            state.deadlines.bytesTravelled(at: .now)
        }
    }

    /// Hears that the request began to be written to a connection.
    func requestLeft() {
        state.withLock { $0.progress = max($0.progress, .sending) }
    }

    func completed(_ error: (any Error)?) {
        finish { state in
            if let error {
                let code = (error as? URLError)?.code ?? .unknown
                return .failure(URLErrorMeaning.error(for: code, after: state.progress))
            }
            guard var response = state.response, let headArrival = state.headArrival else {
                return .failure(TransportError(.unanswered, .malformed))
            }
            guard state.answer.keep() else {
                return .failure(TransportError(.answeredBadly, .file))
            }
            response.body = state.answer.bytes
            response.timeSinceHead = .now - headArrival
            return .success(response)
        }
    }

    private func finish(_ outcome: (inout State) -> Outcome) {
        let waiting: (CheckedContinuation<Outcome, Never>, Outcome)? = state.withLock { state in
            switch state.phase {
            case .beginning:
                state.phase = .ended(outcome(&state))
                state.answer = AnswerBody(file: nil)
                return nil
            case .underway(let reply):
                let outcome = outcome(&state)
                state.phase = .handedOver
                // Letting go of a file removes it unless it was kept.
                state.answer = AnswerBody(file: nil)
                return (reply, outcome)
            case .ended, .handedOver:
                return nil
            }
        }
        if let (reply, outcome) = waiting { reply.resume(returning: outcome) }
    }
}

extension HTTPHeaders {
    /// The fields of an answer; URLSession doesn't keep their order, so it is that of their names.
    fileprivate init(_ fields: [AnyHashable: Any]) {
        self.init()
        let texts = fields.compactMap { name, value in
            (name as? String).flatMap { name in (value as? String).map { (name, $0) } }
        }
        for (name, value) in texts.sorted(by: { $0.0 < $1.0 }) { append(value, for: name) }
    }
}
