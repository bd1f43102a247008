import Foundation
import OfflineCore
import OfflineTesting

extension Bytes {
    /// The bytes of a text.
    init(_ text: String) { self.init(text.utf8) }

    /// The text of these bytes.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// Part of these bytes.
    func slice(_ range: Range<Int>) -> Bytes { Bytes(self[range]) }

    /// Whether they are one JSON value.
    var isValid: Bool { error == nil }

    /// What a scan says against them.
    var error: JSONError? {
        do throws(JSONError) {
            try JSONScanner.validate(span)
            return nil
        } catch {
            return error
        }
    }

    /// What kind of value they are.
    var kind: JSONKind? { JSONKind(of: span) }

    /// The number they are.
    var number: NumberLexeme? { NumberLexeme(span) }

    /// Whether they are a string with a certain text.
    func isString(_ text: String) -> Bool {
        let text = Bytes(text)
        return JSONText.isText(text.span, of: span)
    }

    /// What Foundation makes of them; nil if it refuses them.
    var foundationValue: NSObject? {
        try? JSONSerialization.jsonObject(with: Data(self), options: .fragmentsAllowed) as? NSObject
    }
}

extension RowMembers {
    /// The member of a name.
    func first(named name: String, in bytes: Bytes) -> RowMember? {
        let name = Bytes(name)
        return first(named: name.span, in: bytes.span)
    }
}

extension RowDirectory {
    /// Scans a text, whose key column is `id` unless told otherwise.
    init(_ text: String, key: String...) throws(RowListError) {
        try self.init(
            scanning: Bytes(text).span, columns: KeyColumns(key.isEmpty ? ["id"] : key))
    }
}

/// Writes random JSON, in random spelling.
struct JSONWriter {
    private(set) var text = Bytes()
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// A list of rows with distinct names in each row.
    static func list(seed: UInt64) -> Bytes {
        var writer = JSONWriter(seed: seed)
        writer.writeList()
        return writer.text
    }

    private mutating func writeList() {
        writeSequence("[", "]", count: .random(in: 0...6, using: &random)) { writer, _ in
            writer.writeObject(depth: 2)
        }
    }

    private mutating func writeValue(depth: Int) {
        switch Int.random(in: 0..<(depth < 6 ? 10 : 8), using: &random) {
        case 0: text += Bytes("null")
        case 1: text += Bytes(Bool.random(using: &random) ? "true" : "false")
        case 2...4: text += Bytes(Self.number(using: &random))
        case 5...7: writeString(length: .random(in: 0...20, using: &random))
        case 8: writeObject(depth: depth + 1)
        default:
            writeSequence("[", "]", count: .random(in: 0...4, using: &random)) { writer, _ in
                writer.writeValue(depth: depth + 1)
            }
        }
    }

    private mutating func writeObject(depth: Int) {
        writeSequence("{", "}", count: .random(in: 0...5, using: &random)) { writer, index in
            // The number keeps names apart.
            writer.writeString(length: .random(in: 0...9, using: &writer.random), index)
            writer.writeBlanks()
            writer.text.append(UInt8(ascii: ":"))
            writer.writeBlanks()
            writer.writeValue(depth: depth)
        }
    }

    private mutating func writeSequence(
        _ start: Character, _ end: Character, count: Int,
        _ element: (inout JSONWriter, Int) -> Void
    ) {
        writeBlanks()
        text += Bytes(String(start))
        writeBlanks()
        for index in 0..<count {
            if index > 0 { text += Bytes(",") }
            writeBlanks()
            element(&self, index)
            writeBlanks()
        }
        text += Bytes(String(end))
        writeBlanks()
    }

    private mutating func writeString(length: Int, _ suffix: Int? = nil) {
        text += Bytes("\"")
        for _ in 0..<length { text += Bytes(Self.pieces.randomElement(using: &random) ?? "") }
        if let suffix { text += Bytes("#\(suffix)") }
        text += Bytes("\"")
    }

    private mutating func writeBlanks() {
        while Int.random(in: 0..<4, using: &random) == 0 {
            text += Bytes([" ", "\n", "\t", "\r"].randomElement(using: &random) ?? "")
        }
    }

    /// A number that a `Double` holds, in any spelling.
    static func number(using random: inout SplitMix64) -> String {
        func digits(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in
                ["0", "0", "1", "5", "9"].randomElement(using: &random) ?? ""
            }.joined()
        }
        var number = Bool.random(using: &random) ? "" : "-"
        number += Bool.random(using: &random) ? "0" : "\(Int.random(in: 1...9, using: &random))"
        if !number.hasSuffix("0") { number += digits(0...9) }
        if Bool.random(using: &random) { number += "." + digits(1...9) }
        if Int.random(in: 0..<3, using: &random) == 0 {
            number += ["e", "E"].randomElement(using: &random) ?? ""
            number += ["", "+", "-"].randomElement(using: &random) ?? ""
            number += digits(1...1)
        }
        return number
    }

    /// What strings are put together from.
    private static let pieces = [
        "a", "b", "Z", " ", "abcdefgh", "é", "ß", "漢", "😀", "\u{7F}", "\u{2028}", "{", "}", "[",
        "]", ",", ":", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0000",
        "\\u00e9", "\\u6F22", "\\uD83D\\uDE00", "\\uFFFF",
    ]
}
