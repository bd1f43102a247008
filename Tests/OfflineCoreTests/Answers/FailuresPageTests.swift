import TestSupport
import Testing

@testable import OfflineCore

@Suite("The page about failures", .timeLimit(.minutes(5)))
struct FailuresPageTests {
    private let page: DocumentationPage

    init() throws { page = try DocumentationPage("Failures", of: "OfflineCore") }

    @Test func `has the classes that there are`() {
        let classes = page.table(under: "Overview").map { $0[0] }
        #expect(classes == RefusalClass.allCases.map(\.rawValue))
    }

    @Test func `has the table of codes`() {
        let rows = RefusalTable.codes.map { row in
            [
                row.status.map { "\(row.code)` with \($0)" } ?? row.code,
                row.meaning.refusalClass.rawValue, row.meaning.mayHaveTakenEffect.word, row.words,
            ]
        }
        #expect(page.table(under: "By the code") == rows)
    }

    @Test func `has the table of statuses`() {
        let rows = RefusalTable.statuses.map { row in
            let (first, last) = (row.statuses.lowerBound, row.statuses.upperBound)
            return [
                first == last ? "\(first)" : "\(first)–\(last)",
                row.meaning?.refusalClass.rawValue ?? "the network",
                row.meaning?.mayHaveTakenEffect.word ?? "–", row.words,
            ]
        }
        #expect(page.table(under: "By the status, without a code") == rows)
    }

    @Test func `has every cause of a failed exchange and its class`() {
        let causes: [TransportError.Cause] = [
            .hostNotFound, .cannotConnect, .insecure, .connectionLost, .timedOut, .malformed,
            .cutShort, .file, .invalidRequest, .cancelled, .closed, .other,
        ]
        let rows = causes.map { cause in
            ["\(cause)", ServerAnswer(TransportError(.notSent, cause)).word]
        }
        #expect(page.table(under: "Without an answer").map { Array($0.prefix(2)) } == rows)
    }
}

extension Bool {
    /// What the page says of an effect.
    fileprivate var word: String { self ? "perhaps" : "no" }
}

extension ServerAnswer {
    /// What the page says of a class.
    fileprivate var word: String {
        switch self {
        case .failure(.connectivity, .outOfReach): "the network"
        case .failure(.invalidRequest, nil): "the request is at fault"
        case .failure(.closed, nil): "the client is closed"
        default: "\(self)"
        }
    }
}
