import Testing

@testable import OfflineCore

@Suite("What the queue does about an answer, by the kind of the write", .timeLimit(.minutes(5)))
struct ReplayVerdictOnKindsTests {
    static let kinds: [QueuedWrite] = [
        .insert("{}"), .upsert("{}"), .update(), .delete(), .call(isIdempotent: true), .call(),
    ]
    private static let lost = WriteAnswer.unknown(
        ConnectivityFailure(TransportError(.unanswered, .connectionLost)))

    // MARK: Unknown outcomes

    @Test(arguments: kinds.dropLast())
    func `is to send it again if no answer came`(_ write: QueuedWrite) {
        let again = ReplayVerdict.Summary.stop(.unanswered(retryAfter: nil), perhaps: true)
        #expect(verdict(on: Self.lost, to: write) == again)
        #expect(verdict(on: .unknown(nil), to: write) == again)
        let error = PostgrestError(status: 502, message: "m")
        #expect(verdict(on: error, to: write) == again)
    }

    @Test func `is not to call a function twice that may not be`() {
        let unknown = ReplayVerdict.Summary.reject(.outcomeUnknown, perhaps: true)
        #expect(verdict(on: Self.lost, to: .call()) == unknown)
        #expect(verdict(on: .unknown(nil), to: .call()) == unknown)
        let error = PostgrestError(status: 502, message: "m")
        #expect(verdict(on: error, to: .call()) == unknown)
    }

    @Test(arguments: kinds)
    func `is to send it again if it was certainly not carried out`(_ write: QueuedWrite) {
        let again = ReplayVerdict.Summary.stop(.unanswered(retryAfter: nil), perhaps: false)
        let unsent = ConnectivityFailure(TransportError(.notSent, .cannotConnect))
        #expect(
            verdict(on: .refused(.connectivity(unsent), mayHaveTakenEffect: false), to: write)
                == again)
        let error = PostgrestError(status: 500, code: "40P01", message: "m")
        #expect(verdict(on: error, to: write) == again)
    }

    @Test(arguments: kinds)
    func `is to leave it where it is if the client is being closed`(_ write: QueuedWrite) {
        #expect(
            verdict(on: .refused(.closed, mayHaveTakenEffect: false), to: write)
                == .stop(.halted, perhaps: false))
    }

    @Test(arguments: kinds)
    func `is to take it off once it is accepted`(_ write: QueuedWrite) {
        #expect(verdict(on: .accepted(.count(1)), to: write) == .accepted)
    }

    @Test func `is to reject what can't be sent at all`() {
        #expect(
            verdict(on: .refused(.invalidRequest("why"), mayHaveTakenEffect: false))
                == .reject(
                    .refused(PostgrestError(status: 400, message: "why")), perhaps: false))
    }

    // MARK: A row that is there already

    private static let duplicate = PostgrestError(status: 409, code: "23505", message: "m")

    @Test func `is to look for an insert that may have arrived before`() {
        #expect(
            verdict(on: Self.duplicate, to: .insert("{}"), wasPerhapsSent: true) == .readBack)
    }

    @Test(arguments: kinds)
    func `is to reject what can't have arrived before, or is no insert`(_ write: QueuedWrite) {
        let rejected = ReplayVerdict.Summary.reject(.refused(Self.duplicate), perhaps: false)
        #expect(verdict(on: Self.duplicate, to: write) == rejected)
        if write.operation == .insert { return }
        #expect(verdict(on: Self.duplicate, to: write, wasPerhapsSent: true) == rejected)
    }

    @Test func `is to reject an insert whose other row is missing, sent before or not`() {
        let missing = PostgrestError(status: 409, code: "23503", message: "m")
        for wasPerhapsSent in [false, true] {
            #expect(
                verdict(on: missing, to: .insert("{}"), wasPerhapsSent: wasPerhapsSent)
                    == .reject(.refused(missing), perhaps: false))
        }
    }

    // MARK: No row

    @Test func `is to see for itself that an update or a delete has hit no row`() {
        let none = PostgrestError(
            status: 406, code: "PGRST116", message: "m", details: "The result contains 0 rows")
        let several = PostgrestError(
            status: 406, code: "PGRST116", message: "m", details: "The result contains 2 rows")
        #expect(verdict(on: none, to: .update()) == .noRow)
        #expect(verdict(on: none, to: .delete()) == .noRow)
        for write in [QueuedWrite.insert("{}"), .upsert("{}"), .call()] {
            #expect(verdict(on: none, to: write) == .reject(.refused(none), perhaps: false))
        }
        #expect(
            verdict(on: several, to: .update()) == .reject(.refused(several), perhaps: false))
    }

    // MARK: Batches

    @Test(arguments: [
        ("23505", 409), ("23503", 409), ("23514", 400), ("22P02", 400), ("42501", 403),
        ("PGRST204", 400), ("PGRST205", 404), ("57014", 500), ("PGRST003", 504), (nil, 504),
        (nil, 413), (nil, 400),
    ])
    func `is to send the writes of a batch one by one if they could fare differently`(
        _ code: String?, _ status: Int
    ) {
        let error = PostgrestError(status: status, code: code, message: "m")
        #expect(verdict(on: error) { $0.isBatch = true } == .split)
        #expect(verdict(on: error) != .split)
    }

    @Test(arguments: [
        ("PGRST303", 401), (nil, 402), (nil, 540), ("53100", 503), ("40001", 500), (nil, 503),
        (nil, 429), (nil, 502), ("PGRST000", 503), ("PGRST002", 503),
    ])
    func `is the same for a batch if they could not`(_ code: String?, _ status: Int) {
        let error = PostgrestError(status: status, code: code, message: "m")
        #expect(verdict(on: error) { $0.isBatch = true } == verdict(on: error))
    }

    @Test func `is to stop with a batch that may have arrived`() {
        #expect(
            verdict(on: Self.lost, { $0.isBatch = true })
                == .stop(.unanswered(retryAfter: nil), perhaps: true))
    }
}
