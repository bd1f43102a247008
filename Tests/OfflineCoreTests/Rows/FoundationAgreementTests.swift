import Foundation
import OfflineCore
import OfflineTesting
import Testing

@Suite("The scan, beside Foundation's parser", .timeLimit(.minutes(5)))
struct FoundationAgreementTests {
    /// Seeds that failed once, and a new one in every run; the test's name shows it.
    static let seeds = [1, UInt64.random(in: 2...UInt64.max)]

    @Test(arguments: seeds)
    func `finds the same values in the same rows`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var members = RowMembers()
        for _ in 0..<200 {
            let body = JSONWriter.list(seed: random.next())
            let comment: Comment = "\(body.text), seed \(seed)"
            let rows = try #require(body.foundationValue as? [[String: NSObject]], comment)
            let directory = try RowDirectory(scanning: body.span, columns: KeyColumns(["id"]))
            try #require(directory.count == rows.count, comment)
            for (index, row) in rows.enumerated() {
                try members.read(body.span, at: directory[index].lowerBound)
                #expect(members.members.count == row.count, comment)
                for member in members.members {
                    let quoted = member.name.lowerBound - 1..<member.name.upperBound + 1
                    let name = try JSONText.string(of: body.slice(quoted).span)
                    let value = body.slice(member.value)
                    try #require(value.foundationValue == row[name], comment)
                    if value.kind == .string {
                        try #require(
                            try JSONText.string(of: value.span) as NSString == row[name], comment)
                    }
                }
            }
        }
    }

    /// Where the two are known to part.
    private enum Difference: CaseIterable {
        /// Foundation takes a comma behind the last element.
        case trailingComma
        /// Foundation guesses UTF-16 and UTF-32, and skips a byte order mark.
        case encoding
        /// We take half a surrogate pair in an escape, as the grammar does.
        case loneSurrogate
        /// We take numbers that no `Double` holds.
        case rangeOfNumbers
    }

    private func difference(_ text: Bytes) -> Difference? {
        switch text.error {
        case .unexpectedByte(let offset)
        where text.prefix(offset).last { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: ","):
            return "]}".utf8.contains(text[offset]) ? .trailingComma : nil
        case nil where text.text.contains(/\\u[dD][89a-fA-F]/): return .loneSurrogate
        case nil where text.text.contains(/[0-9][eE]\+?[0-9]{3}|[0-9]{300}/): return .rangeOfNumbers
        case nil: return nil
        default:
            let isMarked = text.starts(with: [0xEF, 0xBB, 0xBF])
            let isWide = text.prefix(4).contains { $0 == 0 || $0 >= 0xFE }
            return isMarked || isWide ? .encoding : nil
        }
    }

    @Test(arguments: [
        ("[1,]", Difference.trailingComma), ("{\"a\":1 , }", .trailingComma),
        ("\u{FEFF}[1]", .encoding), ("[\u{0}1\u{0}]\u{0}", .encoding),
        ("[\"\\ud800\"]", .loneSurrogate),
        ("[1e400]", .rangeOfNumbers),
    ])
    private func `parts from it where it is known to`(_ text: String, _ expected: Difference) {
        let text = Bytes(text)
        #expect(text.isValid != (text.foundationValue != nil))
        #expect(difference(text) == expected)
    }

    @Test(arguments: seeds)
    func `takes and refuses the same changed texts, but for the known differences`(
        _ seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var countTaken = 0
        for _ in 0..<8000 {
            var text = JSONWriter.list(seed: random.next() % 500)
            for _ in 0..<Int.random(in: 1...2, using: &random) { text.change(using: &random) }
            let isTaken = text.foundationValue != nil
            countTaken += isTaken ? 1 : 0
            if text.isValid != isTaken {
                #expect(difference(text) != nil, "\(text.text.debugDescription), seed \(seed)")
            }
        }
        // Enough of them are still JSON to make this worth something.
        #expect(countTaken > 400)
    }
}

extension Bytes {
    /// Puts in, takes out, replaces or repeats something.
    fileprivate mutating func change(using random: inout SplitMix64) {
        let pieces = [
            ",", "]", "}", "[", "{", "\"", ":", "0", "1", "-", "+", ".", "e", "e9", "E40", "\\",
            "\\u",
            "\\ud800", "\u{1}", " ", "\u{A0}", "nul", "true", "é", "x", "/", "\0",
        ]
        let start = Int.random(in: 0...count, using: &random)
        let end = Swift.min(count, start + Int.random(in: 0...3, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: removeSubrange(start..<end)
        case 1: insert(contentsOf: Bytes(pieces.randomElement(using: &random) ?? ""), at: start)
        case 2:
            replaceSubrange(start..<end, with: Bytes(pieces.randomElement(using: &random) ?? ""))
        case 3: insert(contentsOf: self[start..<end], at: start)
        default:
            guard start < count else { return }
            self[start] = .random(in: 0...255, using: &random)
        }
    }
}
