import Foundation
import OfflineCore
import OfflineTesting
import Testing

@Suite("A number in JSON", .timeLimit(.minutes(5)))
struct NumberLexemeTests {
    private func number(_ text: String) throws -> NumberLexeme {
        try #require(Bytes(text).number, "\(text)")
    }

    @Test(arguments: [
        ["0", "-0", "0.0", "0e5", "-0.00e-7", "0E99999999999999999999"],
        ["1", "1.0", "1e0", "10e-1", "0.1e1", "0.001E+3", "1.000000000000000000000000"],
        ["-120", "-1.2e2", "-12e1", "-0.12E+3", "-120.0"],
        ["12345678901234567890.5", "123456789012345678905e-1"],
        ["1e999999999", "10e999999998", "0.1e1000000000"],
        ["1e-999999999", "0.1e-999999998"],
    ])
    func `is the same in every spelling`(_ spellings: [String]) throws {
        let numbers = try spellings.map(number)
        #expect(Set(numbers).count == 1)
        for (lhs, rhs) in zip(numbers, numbers.dropFirst()) {
            #expect(lhs == rhs)
            #expect(!(lhs < rhs) && !(rhs < lhs))
        }
    }

    @Test func `is ordered by its value with all its digits`() throws {
        let ascending = try [
            "-1e999999999999999999999999", "-1e999999999", "-12345678901234567890.2",
            "-12345678901234567890.1", "-101", "-100", "-99", "-1.5", "-1.05", "-1", "-0.5",
            "-1e-999999999", "0", "1e-999999999999999999999999", "1e-999999999", "1e-5",
            "0.00001000000000000000000000000001", "0.1", "0.5", "0.50000000000000000000000001",
            "1", "1.05", "1.5", "9", "10", "99", "100", "101", "9007199254740992",
            "9007199254740993", "12345678901234567890.1", "12345678901234567890.2",
            "1e999999998", "9e999999998", "1e999999999", "1e999999999999999999999999",
        ].map(number)
        for (place, lhs) in ascending.enumerated() {
            #expect(ascending.map { lhs < $0 } == ascending.indices.map { place < $0 })
            #expect(ascending.map { lhs == $0 } == ascending.indices.map { place == $0 })
        }
    }

    @Test func `past the largest exponent, counts as having that one`() throws {
        let huge = ["1e100000000000000000", "1e100000000000000001", "0.1e900000000000000000000"]
        let nines = String(repeating: "9", count: 100)
        let tiny = ["1e-100000000000000000", "100e-100000000000000005", "1e-\(nines)"]
        #expect(try Set(huge.map(number)).count == 1)
        #expect(try Set(tiny.map(number)).count == 1)
        #expect(try number("1e99999999999999999") < number(huge[0]))
    }

    @Test func `keeps only the digits that are written`() throws {
        let zeros = String(repeating: "0", count: 100_000)
        #expect(try number("1\(zeros)") == number("1e100000"))
        #expect(try number("0.\(zeros)1") == number("1e-100001"))
        #expect(try number("1\(zeros).\(zeros)1") > number("1e100000"))
    }

    @Test(arguments: [
        "", "-", "01", "1.", "+1", " 1", "1 ", "1x", "\"1\"", "true", "NaN", "1,2", "[]",
    ])
    func `is nothing else than a number`(_ text: String) {
        #expect(Bytes(text).number == nil)
    }

    /// Seeds that failed once, and a new one in every run; the test's name shows it.
    static let seeds = [1, UInt64.random(in: 2...UInt64.max)]

    @Test(arguments: seeds)
    func `compares like a decimal number of its digits`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let texts = (JSONWriter.number(using: &random), JSONWriter.number(using: &random))
            let numbers = try (number(texts.0), number(texts.1))
            let decimals = try (
                #require(Decimal(string: texts.0)), #require(Decimal(string: texts.1))
            )
            let comment: Comment = "\(texts.0) and \(texts.1), seed \(seed)"
            let isSmaller = numbers.0 < numbers.1
            let isEqual = numbers.0 == numbers.1
            try #require(isSmaller == (decimals.0 < decimals.1), comment)
            try #require(isEqual == (decimals.0 == decimals.1), comment)
        }
    }
}
