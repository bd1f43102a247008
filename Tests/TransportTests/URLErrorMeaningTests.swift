import Foundation
import OfflineCore
import Testing

@testable import Transport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A code of URLSession's", .timeLimit(.minutes(5)))
struct URLErrorMeaningTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let code: Int
        let cause: TransportError.Cause
        let stage: TransportError.Stage

        init(_ code: Int, _ cause: TransportError.Cause, _ stage: TransportError.Stage) {
            self.code = code
            self.cause = cause
            self.stage = stage
        }

        var testDescription: String { "\(code)" }
    }

    /// Every code there is, and the stage if nothing is known of the exchange.
    static let rows = [
        Row(-1, .other, .unanswered), Row(-995, .other, .unanswered),
        Row(-996, .other, .unanswered), Row(-997, .other, .unanswered),
        Row(-999, .cancelled, .unanswered), Row(-1000, .invalidRequest, .notSent),
        Row(-1001, .timedOut, .unanswered), Row(-1002, .invalidRequest, .notSent),
        Row(-1003, .hostNotFound, .notSent), Row(-1004, .cannotConnect, .notSent),
        Row(-1005, .connectionLost, .unanswered), Row(-1006, .hostNotFound, .notSent),
        Row(-1007, .malformed, .unanswered), Row(-1008, .connectionLost, .unanswered),
        Row(-1009, .cannotConnect, .notSent), Row(-1010, .malformed, .unanswered),
        Row(-1011, .malformed, .unanswered), Row(-1012, .other, .unanswered),
        Row(-1013, .other, .unanswered), Row(-1014, .connectionLost, .unanswered),
        Row(-1015, .malformed, .unanswered), Row(-1016, .malformed, .unanswered),
        Row(-1017, .malformed, .unanswered), Row(-1018, .cannotConnect, .notSent),
        Row(-1019, .cannotConnect, .notSent), Row(-1020, .cannotConnect, .notSent),
        Row(-1021, .file, .unanswered), Row(-1022, .insecure, .notSent),
        Row(-1100, .file, .notSent), Row(-1101, .file, .notSent), Row(-1102, .file, .notSent),
        Row(-1103, .invalidRequest, .notSent), Row(-1200, .insecure, .notSent),
        Row(-1201, .insecure, .notSent), Row(-1202, .insecure, .notSent),
        Row(-1203, .insecure, .notSent), Row(-1204, .insecure, .notSent),
        Row(-1205, .insecure, .notSent), Row(-1206, .insecure, .notSent),
        Row(-2000, .connectionLost, .unanswered), Row(-3000, .file, .unanswered),
        Row(-3001, .file, .unanswered), Row(-3002, .file, .unanswered),
        Row(-3003, .file, .unanswered), Row(-3004, .file, .unanswered),
        Row(-3005, .file, .unanswered), Row(-3006, .malformed, .unanswered),
        Row(-3007, .malformed, .unanswered),
    ]

    @Test(arguments: rows)
    func `becomes a cause and a stage`(_ row: Row) throws {
        let error = URLErrorMeaning.error(for: try code(row.code), after: .connecting)
        #expect(error == TransportError(row.stage, row.cause, code: row.code))
    }

    @Test(arguments: rows)
    func `never takes back that a request left`(_ row: Row) throws {
        let code = try code(row.code)
        #expect(URLErrorMeaning.error(for: code, after: .sending).stage == .unanswered)
        #expect(URLErrorMeaning.error(for: code, after: .receiving).stage == .answeredBadly)
    }

    @Test func `about the network is a lost connection once the head is there`() {
        let error = URLErrorMeaning.error(for: .notConnectedToInternet, after: .receiving)
        #expect(error.cause == .connectionLost)
    }

    /// A code by its number, which only Linux may refuse.
    private func code(_ number: Int) throws -> URLError.Code {
        let code: URLError.Code? = URLError.Code(rawValue: number)
        return try #require(code, "there is no such code")
    }
}
