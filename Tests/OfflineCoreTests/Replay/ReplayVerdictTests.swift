import Testing

@testable import OfflineCore

@Suite("What the queue does about a refusal", .timeLimit(.minutes(5)))
struct ReplayVerdictTests {
    // MARK: By the table

    @Test(
        arguments: RefusalClassTests.ofTheDatabase + RefusalClassTests.ofPostgREST
            + RefusalClassTests.ofFunctions + RefusalClassTests.withoutCode)
    func `follows its class, for an insert that goes alone`(_ example: RefusalClassTests.Example) {
        #expect(
            verdict(on: example.error)
                == .following(
                    example.refusalClass, example.error, perhaps: example.mayHaveTakenEffect))
    }

    @Test(
        .enabled(if: Vectors.areThere, Vectors.absence), arguments: PostgrestErrorVectors.all)
    func `follows the class of every error that is known`(_ vector: PostgrestErrorVectors.Vector) {
        for code in vector.codes
        where !PostgrestErrorVectors.hasRowOfItsOwn(code, besides: vector) {
            for status in vector.queueClass == "by-status" ? [422, 503] : vector.statuses {
                let queueClass =
                    vector.queueClass != "by-status"
                    ? RefusalClass(rawValue: vector.queueClass) : status == 422 ? .reject : .retry
                let fullCode = code == "PT" ? "PT\(status)" : code
                let error = PostgrestError(status: status, code: fullCode, message: "m")
                guard let queueClass else {
                    Issue.record("\(vector.queueClass) is no class")
                    continue
                }
                let expected = ReplayVerdict.Summary.following(
                    queueClass, error, perhaps: vector.outcome == "unknown")
                #expect(verdict(on: error) == expected, "\(fullCode ?? "") \(status)")
            }
        }
    }

    // MARK: retry

    @Test func `is to come again when the server says so`() {
        let error = PostgrestError(status: 503, message: "m")
        let stop = ReplayVerdict(
            .refused(.server(error), mayHaveTakenEffect: false), retryAfter: .seconds(7),
            .init(write: .insert("{}"), wasPerhapsSent: false)
        ).summary
        #expect(stop == .stop(.unanswered(retryAfter: .seconds(7)), perhaps: false))
    }

    @Test func `is to try a statement that takes too long three times`() {
        let error = PostgrestError(status: 500, code: "57014", message: "m")
        var history = History(.insert("{}"))
        #expect(history.hear(error) == .stop(.unanswered(retryAfter: nil), perhaps: false))
        #expect(history.hear(error) == .stop(.unanswered(retryAfter: nil), perhaps: false))
        #expect(history.hear(error) == .reject(.refused(error), perhaps: false))
    }

    @Test func `is to give up after ten failures, if other requests worked between them`() {
        let error = PostgrestError(status: 500, code: "40001", message: "m")
        var history = History(.insert("{}"))
        for _ in 1...9 {
            #expect(history.hear(error) == .stop(.unanswered(retryAfter: nil), perhaps: false))
        }
        #expect(history.hear(error) == .reject(.persistentFailure(error), perhaps: false))
    }

    @Test func `is never to give up while nothing else works`() {
        let error = PostgrestError(status: 500, code: "40001", message: "m")
        var history = History(.insert("{}"))
        for _ in 1...100 {
            let verdict = history.hear(error, othersSucceed: false)
            #expect(verdict == .stop(.unanswered(retryAfter: nil), perhaps: false))
        }
        #expect(history.write.failures.temporary == 1)
    }

    @Test(arguments: [
        (nil, 429), (nil, 503), ("53300", 503), ("PT429", 429), ("PGRST000", 503),
        ("PGRST001", 503), ("PGRST002", 503), ("PGRST003", 504),
    ])
    func `is never to give up because the server is busy`(_ code: String?, _ status: Int) {
        let error = PostgrestError(status: status, code: code, message: "m")
        var history = History(.insert("{}"))
        for _ in 1...100 {
            let verdict = history.hear(error)
            #expect(
                verdict
                    == .stop(
                        .unanswered(retryAfter: nil), perhaps: error.mayHaveTakenEffect))
        }
        #expect(history.write.failures == .init())
    }

    @Test func `is never to give up because no answer came`() {
        for failure: ConnectivityFailure? in [
            nil, .init(TransportError(.unanswered, .timedOut)),
            .init(answeredWith: .foreignAnswer(status: 200)),
        ] {
            var history = History(.insert("{}"))
            for _ in 1...100 {
                let verdict = history.hear(.unknown(failure))
                #expect(verdict == .stop(.unanswered(retryAfter: nil), perhaps: true))
            }
            #expect(history.write.failures == .init())
        }
    }

    // MARK: auth, reload

    @Test func `is to send another token once`() {
        let error = PostgrestError(status: 401, code: "PGRST303", message: "m")
        #expect(verdict(on: error) == .renewToken)
        #expect(verdict(on: error) { $0.canRenew = false } == .stop(.auth, perhaps: false))
    }

    @Test func `is to wait for the schema three times`() {
        let error = PostgrestError(status: 404, code: "PGRST205", message: "m")
        var history = History(.insert("{}"))
        #expect(history.hear(error) == .stop(.reload(1), perhaps: false))
        #expect(history.hear(error) == .stop(.reload(2), perhaps: false))
        #expect(history.hear(error) == .stop(.reload(3), perhaps: false))
        #expect(history.hear(error) == .reject(.refused(error), perhaps: false))
    }
}

/// A write that is answered again and again, and remembers it.
private struct History {
    var write: QueuedWrite

    init(_ write: QueuedWrite) { self.write = write }

    mutating func hear(_ error: PostgrestError, othersSucceed: Bool = true) -> ReplayVerdict.Summary
    {
        hear(
            .refused(.server(error), mayHaveTakenEffect: error.mayHaveTakenEffect),
            othersSucceed: othersSucceed)
    }

    mutating func hear(_ answer: WriteAnswer, othersSucceed: Bool = true) -> ReplayVerdict.Summary {
        var about = ReplayVerdict.Circumstances(write: write, wasPerhapsSent: false)
        about.othersSucceed = othersSucceed
        let verdict = ReplayVerdict(answer, retryAfter: nil, about)
        if case .stop(_, let failures, _, _) = verdict { write.failures = failures }
        return verdict.summary
    }
}
