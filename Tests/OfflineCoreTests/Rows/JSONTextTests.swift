import Foundation
import OfflineCore
import Testing

@Suite("The text of a JSON string", .timeLimit(.minutes(5)))
struct JSONTextTests {
    @Test(arguments: [
        ("\"\"", ""), ("\"abc\"", "abc"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u6f22\uFFFF\u0000""#, "Aé漢\u{FFFF}\0"),
        (#""\ud83d\ude00\uDBFF\uDFFF""#, "😀\u{10FFFF}"), (#""a\nb\nc""#, "a\nb\nc"),
        (#""😀\u0041é""#, "😀Aé"), (#""\\u0041""#, "\\u0041"),
    ])
    func `has its escapes replaced`(_ value: String, _ text: String) throws {
        let value = Bytes(value)
        #expect(try JSONText.text(of: value.span) == Bytes(text))
        #expect(try JSONText.string(of: value.span) == text)
        #expect(value.isString(text))
        #expect(!value.isString(text + "x"))
    }

    @Test(arguments: [
        (#""\ud800""#, 1), (#""\udc00""#, 1), (#""ab\ud800x""#, 3), (#""\ud800\ud800""#, 1),
        (#""\ud800\n""#, 1), (#""\ud83d\ude00\ude00""#, 13), (#""\udc00\ud800""#, 1),
        (#""\ud800\u0041""#, 1),
    ])
    func `is none if it holds half of a surrogate pair`(_ value: String, _ offset: Int) {
        let value = Bytes(value)
        #expect(throws: JSONError.loneSurrogate(offset: offset)) {
            try JSONText.text(of: value.span)
        }
        #expect(throws: JSONError.loneSurrogate(offset: offset)) {
            try JSONText.string(of: value.span)
        }
        #expect(!value.isString("\u{FFFD}"))
        #expect((try? JSONDecoder().decode(String.self, from: Data(value))) == nil)
    }

    @Test func `is compared by its bytes, not by its characters`() {
        let composed = Bytes("\"\u{E9}\"")
        #expect(!composed.isString("e\u{301}"))
        #expect(composed.isString("\u{E9}"))
    }

    @Test func `is asked of anything without a crash`() {
        let texts = [
            "", "\"", "x", "1", "\"\\\"", #""\u12""#, #""\ud800\u1""#, "\"\\x\"", "[]", "\"a",
        ]
        for text in texts {
            let value = Bytes(text)
            #expect(throws: JSONError.self) { try JSONText.text(of: value.span) }
            #expect(!value.isString(""))
        }
    }

    @Test(arguments: [
        ("{}", JSONKind.object), ("[]", .array), ("\"\"", .string), ("-1", .number), ("0", .number),
        ("9", .number), ("true", .true), ("false", .false), ("null", .null),
    ])
    func `or of another value: its kind is told by its first byte`(
        _ value: String, _ kind: JSONKind
    ) {
        #expect(Bytes(value).kind == kind)
    }

    @Test(arguments: ["", " 1", "+1", "x", ":", "}"])
    func `no kind is told where no value starts`(_ value: String) {
        #expect(Bytes(value).kind == nil)
    }
}
