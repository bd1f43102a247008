import Testing

@testable import OfflineCore

@Suite("A server's answer", .timeLimit(.minutes(5)))
struct ServerAnswerTests {
    /// An answer and what it is taken for.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: HTTPResponse
        let reason: OfflineError.Reason?
        let failure: RetrySchedule.Failure?

        init(
            _ description: String, _ status: Int, _ body: String,
            type: String? = "application/json", headers more: HTTPHeaders = [:],
            _ reason: OfflineError.Reason?, _ failure: RetrySchedule.Failure? = nil
        ) {
            testDescription = description
            var headers = more
            headers["Content-Type"] = type
            response = HTTPResponse(
                status: status, headers: headers, body: ContiguousArray(body.utf8))
            self.reason = reason
            self.failure = failure
        }
    }

    static let examples = [
        Example("rows", 200, #"[{"id":1}]"#, nil),
        Example("no rows", 200, "[]", nil),
        Example("a page", 206, #"[{"id":1}]"#, nil),
        Example("rows without a type", 200, "[]", type: nil, nil),
        Example(
            "a sign-in page", 200, "<html>", type: "text/html; charset=utf-8",
            .foreign(200), .outOfReach),
        Example("nothing", 200, "", .foreign(200), .outOfReach),
        Example("no content", 204, "", type: nil, .foreign(204), .outOfReach),
        Example("a redirect", 302, "", type: nil, .foreign(302), .outOfReach),
        Example("a sign-in page's own status", 511, "{}", .foreign(511), .outOfReach),
        Example("a cut body", 200, #"[{"id":1},{"i"#, .cut, .outOfReach),
        Example("text", 200, "hello", type: "text/plain", .cut, .outOfReach),
        Example("an object", 200, "{}", .unexpectedAnswer(status: 200)),
        Example("a string", 200, #""text""#, .unexpectedAnswer(status: 200)),
        Example("null", 200, "null", .unexpectedAnswer(status: 200)),
        Example("an array of numbers", 200, "[1]", .unexpectedAnswer(status: 200)),
        Example(
            "a refusal", 400, #"{"code":"42703","message":"m","details":"d","hint":"h"}"#,
            .server(.init(status: 400, code: "42703", message: "m", details: "d", hint: "h"))),
        Example(
            "an ambiguous embed", 300,
            #"{"code":"PGRST201","message":"m","details":[{"cardinality":"x"}],"hint":null}"#,
            .server(.init(status: 300, code: "PGRST201", message: "m"))),
        Example(
            "a gateway's refusal", 401, #"{"message":"Invalid API key"}"#,
            .server(.init(status: 401, message: "Invalid API key"))),
        Example(
            "a proxy's page", 502, "<html>", type: "text/html",
            .server(.init(status: 502, message: "status 502"))),
        Example(
            "a busy server", 503, #"{"code":"PGRST001","message":"m"}"#,
            headers: ["Retry-After": "7"],
            .server(.init(status: 503, code: "PGRST001", message: "m")),
            .busy(retryAfter: .seconds(7))),
        Example(
            "a busy server with a date", 503, #"{"message":"m"}"#,
            headers: ["Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"],
            .server(.init(status: 503, message: "m")), .busy(retryAfter: nil)),
        Example(
            "an unknown error of the edge", 520, "<html>", type: "text/html",
            .server(.init(status: 520, message: "status 520")), .busy(retryAfter: nil)),
        Example(
            "an error of the server", 500, #"{"code":"57014","message":"m"}"#,
            .server(.init(status: 500, code: "57014", message: "m"))),
    ]

    @Test(arguments: examples)
    func `is judged by its status, its type and its body`(_ example: Example) {
        let answer = ServerAnswer(example.response, to: .list, columns: KeyColumns(["id"]))
        switch answer {
        case .list: #expect(example.reason == nil)
        case .other, .noRow: Issue.record("a list was asked for")
        case .failure(let reason, let failure):
            #expect(reason == example.reason)
            #expect(failure == example.failure)
        }
    }

    @Test func `may be empty or an object where no list was asked for`() {
        for body in ["", "{}", "[]"] {
            let response = HTTPResponse(status: 200, body: ContiguousArray(body.utf8))
            guard case .other = ServerAnswer(response, to: .other, columns: KeyColumns(["id"]))
            else {
                Issue.record("\(body) is an answer")
                return
            }
        }
    }

    @Test(arguments: ["{", #"{"id":1},"#, #"{"id":1"#, "<html>"])
    func `that says it is JSON and breaks off is none, also where no list was asked for`(
        _ body: String
    ) {
        for shape: PostgrestRequest.Shape in [.optionalRow, .other] {
            let response = HTTPResponse(
                status: 200, headers: ["Content-Type": "application/vnd.pgrst.object+json"],
                body: ContiguousArray(body.utf8))
            guard
                case .failure(.cut, .outOfReach) = ServerAnswer(
                    response, to: shape, columns: KeyColumns(["id"]))
            else {
                Issue.record("\(body) is no answer")
                return
            }
        }
    }

    @Test(arguments: [
        TransportError.Cause.hostNotFound, .cannotConnect, .insecure, .connectionLost, .timedOut,
        .malformed, .cutShort, .other,
    ])
    func `that never came whole is a failure of the network`(_ cause: TransportError.Cause) {
        for stage: TransportError.Stage in [.notSent, .unanswered, .answeredBadly] {
            let error = TransportError(stage, cause)
            guard case .failure(.connectivity(let failure), .outOfReach) = ServerAnswer(error)
            else {
                Issue.record("\(cause) is a failure of the network")
                continue
            }
            #expect(failure.stage == stage)
            #expect(failure.cause == .transport(error))
        }
    }

    @Test func `that could not be asked for is nothing of the network`() {
        guard case .failure(.closed, nil) = ServerAnswer(TransportError(.notSent, .closed)) else {
            Issue.record("closed is closed")
            return
        }
        let refused = ServerAnswer(TransportError(.notSent, .invalidRequest))
        guard case .failure(.invalidRequest, nil) = refused else {
            Issue.record("an invalid request is refused")
            return
        }
    }
}

private func ~= (pattern: OfflineError.Reason, reason: OfflineError.Reason) -> Bool {
    pattern == reason
}

extension OfflineError.Reason {
    fileprivate static func foreign(_ status: Int) -> Self {
        .connectivity(.init(answeredWith: .foreignAnswer(status: status)))
    }

    fileprivate static var cut: Self { .connectivity(.init(answeredWith: .cutBody)) }
}
