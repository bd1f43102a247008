import Testing

@testable import OfflineCore

@Suite("An error", .timeLimit(.minutes(5)))
struct OfflineErrorTests {
    static let reasons: [OfflineError.Reason] = [
        .cacheMiss, .sessionExpired, .identityChanged,
        .connectivity(.init(.init(.notSent, .timedOut))),
        .connectivity(.init(answeredWith: .cutBody)),
        .connectivity(.init(answeredWith: .foreignAnswer(status: 302))),
        .server(.init(status: 400, code: "42703", message: "canary", details: "canary")),
        .unexpectedAnswer(status: 200), .decoding, .invalidRequest("Give a name."),
        .invalidConfiguration("Give a key."), .databaseInUse, .storageUnavailable("It is a file."),
        .storageFull, .storageTooNew, .closed,
    ]

    @Test(arguments: reasons)
    func `says what was asked, what went wrong and what to do`(_ reason: OfflineError.Reason) {
        let text = OfflineError(reason, in: .init("select", table: "tasks")).description
        #expect(text.hasPrefix("select tasks: "))
        #expect(text.hasSuffix(".") || text.hasSuffix("42703"))
        #expect(!text.contains("canary"))
    }

    @Test(arguments: ["insert", "upsert", "update", "delete"])
    func `of a write says whether anything was written`(_ operation: String) {
        func text(_ reason: OfflineError.Reason) -> String {
            OfflineError(reason, in: .init(operation, table: "tasks")).description
        }
        #expect(text(.sessionExpired).contains("Nothing was written."))
        #expect(!text(.sessionExpired).contains("read"))
        #expect(text(.decoding).contains("The server has taken the write."))
        let unknown = text(.outcomeUnknown(.init(.init(.unanswered, .connectionLost))))
        #expect(unknown.contains("is not known. The request was sent without an answer: the"))
        #expect(unknown.hasSuffix("was lost. Read the rows before you write again."))
    }

    @Test(arguments: reasons)
    func `is caught by its reason alone`(_ reason: OfflineError.Reason) {
        let error = OfflineError(reason, in: .init("select"))
        #expect(reason ~= error)
        #expect((OfflineError.cacheMiss ~= error) == (reason == .cacheMiss))
        #expect(!(OfflineError.cacheMiss ~= CancellationError()))
    }

    @Test func `a request and an answer show no token, no key and no row`() {
        let request = HTTPRequest(
            url: "https://x.co/rest/v1/t?name=eq.canary",
            headers: ["apikey": "canary", "Authorization": "Bearer canary"],
            body: .bytes(ContiguousArray("canary".utf8)))
        let response = HTTPResponse(status: 200, body: ContiguousArray("canary".utf8))
        for value: Any in [request, response] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("canary"))
            }
        }
    }
}
