import Foundation
import OfflineCore
import TestSupport
import Testing

@testable import Transport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if canImport(CCurl)
import CCurl
#endif

@Suite("The page about failed exchanges", .timeLimit(.minutes(5)))
struct FailuresPageTests {
    /// A row: a cause and the codes of both libraries.
    private let rows: [[String]]

    init() throws {
        rows = try DocumentationPage("Failures", of: "OfflineCore").table(
            under: "Without an answer")
    }

    #if canImport(CCurl)
    @Test func `has each code of libcurl's under its cause`() {
        let listed = codes(inColumn: 2)
        #expect(!listed.isEmpty)
        // One more than there are stands for what a newer library brings.
        for number in 1...CURL_LAST.rawValue {
            let cause = CurlFailure(CURLcode(rawValue: number)).cause
            #expect("\(cause)" == listed[Int(number)] ?? "other", "\(number)")
        }
    }
    #endif

    @Test func `has each code of URLSession's under its cause`() throws {
        let listed = codes(inColumn: 3)
        #expect(!listed.isEmpty)
        for row in URLErrorMeaningTests.rows {
            #expect("\(row.cause)" == listed[row.code] ?? "other", "\(row.code)")
        }
        #expect(Set(listed.keys).isSubset(of: URLErrorMeaningTests.rows.map(\.code)))
    }

    private func codes(inColumn column: Int) -> [Int: String] {
        var causes: [Int: String] = [:]
        for row in rows {
            for code in row[column].split(separator: ", ").compactMap({ Int($0) }) {
                causes[code] = row[0]
            }
        }
        return causes
    }
}
