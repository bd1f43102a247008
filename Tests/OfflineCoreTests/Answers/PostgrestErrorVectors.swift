import Foundation
import Testing

@testable import OfflineCore

@Suite(
    "Errors of PostgREST", .enabled(if: Vectors.areThere, Vectors.absence),
    .timeLimit(.minutes(5)))
struct PostgrestErrorVectors {
    /// A row of the file: a code, a pattern of codes, or a status without a code.
    struct Vector: Sendable, CustomTestStringConvertible {
        let pattern: String?
        let statuses: [Int]
        let queueClass: String
        let outcome: String

        init?(_ json: [String: Any]) {
            guard let status = json["status"] as? Int, let queueClass = json["queue"] as? String,
                let outcome = json["outcome"] as? String
            else { return nil }
            pattern = json["code"] as? String
            statuses = [status] + [json["statusAnon"] as? Int].compactMap(\.self)
            self.queueClass = queueClass
            self.outcome = outcome
        }

        var testDescription: String { pattern ?? "status \(statuses[0])" }

        /// Codes that the pattern stands for.
        var codes: [String?] {
            switch pattern {
            case nil: [nil]
            case "other": ["0A000", "0Z002", "22004", "23000", "42P07", "ZZZZZ"]
            case "PTxyz": ["PT"]
            case "PGRST (raised)": ["123", "my code"]
            case let pattern? where pattern.hasSuffix("*"):
                ["000", "001", "P99"].map {
                    pattern.dropLast() + String($0.suffix(6 - pattern.count))
                }
            case let pattern?: [pattern.split(separator: " ").first.map(String.init)]
            }
        }
    }

    static let all = Vectors.load("postgrest-errors.json").compactMap { Vector($0) }

    @Test func `are all read`() {
        #expect(Self.all.count == Vectors.load("postgrest-errors.json").count)
        #expect(!Self.all.isEmpty)
    }

    @Test(arguments: all)
    func `have the class and the outcome of the table`(_ vector: Vector) throws {
        for code in vector.codes where !Self.hasRowOfItsOwn(code, besides: vector) {
            if vector.queueClass == "by-status" {
                try goesByStatus(code)
                continue
            }
            for status in vector.statuses {
                let error = PostgrestError(status: status, code: code, message: "m")
                #expect(error.refusalClass.rawValue == vector.queueClass, "\(code ?? "")")
                #expect(error.mayHaveTakenEffect == (vector.outcome == "unknown"), "\(code ?? "")")
            }
        }
    }

    /// Whether a code that a pattern stands for is listed by itself, which counts before the pattern.
    static func hasRowOfItsOwn(_ code: String?, besides vector: Vector) -> Bool {
        guard let code else { return false }
        return all.contains { $0.pattern == code && $0.pattern != vector.pattern }
    }

    private func goesByStatus(_ start: String?) throws {
        for (status, expected) in [
            (400, RefusalClass.reject), (404, .reject), (409, .reject), (422, .reject),
            (429, .retry), (500, .retry), (503, .retry),
        ] {
            let code = start == "PT" ? "PT\(status)" : start
            let error = PostgrestError(status: status, code: code, message: "m")
            #expect(error.refusalClass == expected)
            #expect(!error.mayHaveTakenEffect)
        }
    }
}
