import OfflineCore
import Testing

@Suite("A string in JSON", .timeLimit(.minutes(5)))
struct JSONStringTests {
    /// Scans a string with these bytes in it, at every place in the words that are read at once.
    private func errors(of content: Bytes) -> Set<JSONError?> {
        Set(
            (0...17).map { count in
                let lead = Bytes(repeating: UInt8(ascii: "x"), count: count)
                let text: Bytes = [0x22] + lead + content + lead + [0x22]
                return text.error?.moved(by: -1 - count)
            })
    }

    @Test(arguments: [
        "", "a", "\u{7F}", "é", "߿", "ࠀ", "퟿", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
        "漢字かな交じり文", "😀😀😀", "e\u{301}",
    ])
    func `holds any character`(_ text: String) {
        #expect(errors(of: Bytes(text)) == [nil])
    }

    @Test(arguments: [
        "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0000", "\\uabCD", "\\uFFFF",
        "\\ud83d\\ude00", "\\\\\\\"",
    ])
    func `holds every escape`(_ text: String) {
        #expect(errors(of: Bytes(text)) == [nil])
    }

    @Test(arguments: ["\\x", "\\u12g4", "\\u123", "\\U0041", "\\'", "\\ ", "\\u 123", "\\0", "\\é"])
    func `refuses other escapes`(_ text: String) {
        #expect(errors(of: Bytes(text)) == [.invalidEscape(offset: 0)])
    }

    @Test func `refuses raw control characters`() {
        for byte in UInt8(0)..<0x20 {
            #expect(errors(of: [byte]) == [.controlCharacter(offset: 0)])
        }
    }

    @Test(
        arguments: [
            // Continuation bytes alone, and bytes that never occur.
            [0x80], [0xBF], [0xC0], [0xC1], [0xF5], [0xF8], [0xFE], [0xFF],
            // Cut by the next character.
            [0xC3, 0x78], [0xE2, 0x82, 0x78], [0xF0, 0x9F, 0x98, 0x78], [0xE2, 0x78], [0xF0, 0x78],
            // Overlong.
            [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            // Surrogates.
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
            // Past U+10FFFF.
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF, 0xBF, 0xBF, 0xBF],
        ] as [Bytes])
    func `refuses what is no UTF-8`(_ bytes: Bytes) {
        #expect(errors(of: bytes) == [.invalidUTF8(offset: 0)])
    }

    @Test(
        arguments: [[], [0x80], [0xBF], [0x41], [0x80, 0xBF], [0xBF, 0x7F], [0xC0, 0x80]] as [Bytes]
    )
    func `agrees with the standard library on every start of a character`(_ rest: Bytes) {
        var differences: [Bytes] = []
        var text: Bytes = [0x22, 0, 0] + rest + [0x22]
        for first in UInt8(0x80)...0xFF {
            for second in UInt8(0x80)...0xFF {
                (text[1], text[2]) = (first, second)
                let isValid = String(validating: text, as: UTF8.self) != nil
                if text.isValid != isValid { differences.append(text) }
            }
        }
        #expect(differences.isEmpty)
    }

    @Test func `ends at its first quote without a backslash`() {
        #expect(Bytes("\"a\\\\\"b\"").error == .trailingBytes(offset: 5))
        #expect(Bytes("\"a\\\"").error == .unexpectedEnd(offset: 4))
        #expect(Bytes("\"a\\\\\\\"").error == .unexpectedEnd(offset: 6))
    }

    @Test func `may hold half of a surrogate pair, as the grammar has it`() {
        for text in ["\\ud800", "\\udc00", "\\ud800x", "\\ud800\\ud800", "\\udc00\\ud800"] {
            #expect(errors(of: Bytes(text)) == [nil])
        }
    }
}

extension JSONError {
    /// The same error with its offset counted from somewhere else.
    fileprivate func moved(by distance: Int) -> JSONError {
        switch self {
        case .unexpectedEnd(let offset): .unexpectedEnd(offset: offset + distance)
        case .unexpectedByte(let offset): .unexpectedByte(offset: offset + distance)
        case .invalidNumber(let offset): .invalidNumber(offset: offset + distance)
        case .invalidEscape(let offset): .invalidEscape(offset: offset + distance)
        case .controlCharacter(let offset): .controlCharacter(offset: offset + distance)
        case .invalidUTF8(let offset): .invalidUTF8(offset: offset + distance)
        case .loneSurrogate(let offset): .loneSurrogate(offset: offset + distance)
        case .tooDeep(let offset): .tooDeep(offset: offset + distance)
        case .trailingBytes(let offset): .trailingBytes(offset: offset + distance)
        }
    }
}
