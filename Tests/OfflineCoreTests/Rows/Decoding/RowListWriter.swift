import OfflineCore
import OfflineTesting

/// Writes random lists of rows: mostly with the same columns in the same order, sometimes not; with
/// values of every kind, some of them at a limit.
struct RowListWriter {
    /// Names of columns, among them equal ones and one that nobody asks for.
    static let names = [
        "id", "title", "a", "b", "a_longer_name", "super", "1", "é", "e\u{301}", "K", "",
    ]

    private var random: SplitMix64
    private var text = ""

    /// A list of rows.
    static func list(using random: inout SplitMix64) -> Bytes {
        var writer = RowListWriter(random: SplitMix64(seed: random.next()))
        writer.writeList()
        return Bytes(writer.text)
    }

    private mutating func writeList() {
        let columns = columns()
        text += "["
        for index in 0..<int(0...5) {
            if index > 0 { text += "," }
            switch int(0...19) {
            case 0: writeValue(depth: 2)
            case 1...3: writeObject(self.columns(), depth: 1)
            default: writeObject(columns, depth: 1)
            }
            writeBlank()
        }
        text += "]"
    }

    private mutating func columns() -> [String] {
        let isPlain = int(0...2) > 0
        let names = isPlain ? Array(Self.names.prefix(7)) : Self.names
        return (0..<int(0...7)).map { _ in names.randomElement(using: &random) ?? "" }
    }

    private mutating func writeObject(_ names: [String], depth: Int) {
        text += "{"
        for (index, name) in names.enumerated() {
            if index > 0 { text += "," }
            writeBlank()
            let isEscaped = int(0...40) == 0 && name.unicodeScalars.first?.isASCII == true
            text += isEscaped ? "\"\\u00\(hex(name))\(name.dropFirst())\"" : "\"\(name)\""
            text += ":"
            writeBlank()
            writeValue(depth: depth + 1)
        }
        text += "}"
    }

    private func hex(_ name: String) -> String {
        let digits = String(name.utf8.first ?? 0, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
    }

    private mutating func writeValue(depth: Int) {
        switch int(0...(depth < 5 ? 13 : 9)) {
        case 0, 1: text += "null"
        case 2: text += Bool.random(using: &random) ? "true" : "false"
        case 3, 4: text += "\(int(-3...300))"
        case 5: text += LeafTests.number(using: &random)
        case 6: text += LeafTests.numbers.randomElement(using: &random) ?? ""
        case 7...9: text += Self.strings.randomElement(using: &random) ?? ""
        case 10, 11: writeObject(columns(), depth: depth)
        default:
            text += "["
            for index in 0..<int(0...4) {
                if index > 0 { text += "," }
                writeBlank()
                writeValue(depth: depth + 1)
            }
            text += "]"
        }
    }

    private mutating func writeBlank() { if int(0...3) == 0 { text += " " } }

    private mutating func int(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private static let strings = [
        #""""#, #""x""#, #""a text of some length""#, #""é\n\u00e9""#, #""\ud83d\ude00""#,
        #""8c3b0f5e-6c5d-4d6b-9f1c-000000000001""#, #""2026-01-02T03:04:05.678Z""#,
        #""2026-01-02""#, #""https://example.com""#, #""aGVsbG8=""#, #""1""#, #""\ud800""#,
    ]
}
