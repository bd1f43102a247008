@testable import OfflineCore

/// How the keys of samples are written; the other columns are numbers, or null below zero.
enum SampleSpelling: Sendable {
    case number
    /// As PostgreSQL writes a UUID.
    case uuid
    /// As Swift does.
    case uuidInCapitals

    /// A value as JSON.
    func json(_ value: Int) -> String {
        switch self {
        case _ where value < 0: return "null"
        case .number: return "\(value)"
        case .uuid, .uuidInCapitals:
            let digits = String(value, radix: 16)
            let zeros = String(repeating: "0", count: 11 - digits.count)
            let text = "a0000000-0000-4000-8000-b\(zeros)\(digits)"
            return self == .uuid ? "\"\(text)\"" : "\"\(text.uppercased())\""
        }
    }

    func key(_ key: Int) -> RowKey? { RowKey(values: [Bytes(json(key).utf8)]) }
}

extension SampleRow {
    /// Reads an object that ``json(_:keys:)`` wrote.
    init(parsing object: Span<UInt8>) {
        self.init()
        var members = RowMembers()
        guard (try? members.read(object)) != nil else { return }
        for member in members.members {
            let name = Character(Unicode.Scalar(object[member.name.lowerBound]))
            self[name] = Self.value(object.extracting(member.value))
        }
    }

    private static func value(_ json: Span<UInt8>) -> Int {
        var value = 0
        switch json[0] {
        case UInt8(ascii: "n"): return -1
        case .quote:
            // Of the last group of a UUID, what is behind its first digit.
            for index in json.count - 12..<json.count - 1 {
                let digit = json[index] & 0xF + (json[index] >= UInt8(ascii: "A") ? 9 : 0)
                value = value * 16 + Int(digit)
            }
        default: for index in json.indices { value = value * 10 + Int(json[index] - 0x30) }
        }
        return value
    }

    /// The row as JSON.
    ///
    /// - Parameters:
    ///   - spelling: How keys are written.
    ///   - keys: The names under which the key stands.
    /// - Returns: An object, with its names in order.
    func json(_ spelling: SampleSpelling = .number, keys: [Character] = ["i"]) -> String {
        let members = sorted { $0.key < $1.key }.map { name, value in
            let spelling = keys.contains(name) ? spelling : .number
            return "\"\(name)\":\(spelling.json(value))"
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// The columns as a write says them.
    func columns(_ spelling: SampleSpelling = .number) -> RowColumns {
        guard let columns = try? RowColumns(Bytes(json(spelling).utf8).span) else {
            preconditionFailure("a sample is an object")
        }
        return columns
    }
}
