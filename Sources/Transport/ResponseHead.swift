import OfflineCore

/// The head of an answer, read line by line.
///
/// libcurl reports an answer that breaks off inside its head as a success with an empty body. What
/// tells the two apart is the blank line: only with it is a head whole.
struct ResponseHead {
    /// The most that the lines before the end of the final head may have in all.
    static let limit = 256 << 10

    private(set) var status = 0
    /// Whether the blank line of the final head was seen.
    private(set) var isComplete = false
    private var size = 0
    private var fields: [(name: String, value: String)] = []

    /// Takes the next line, with or without its line break; false if the head gets too long.
    ///
    /// A status line begins a new head: interim answers (RFC 9110, 15.2) come before the final
    /// one. After that there are only trailers, which are left aside.
    mutating func take(line: some BidirectionalCollection<UInt8>) -> Bool {
        guard !isComplete else { return true }
        size += line.count
        guard size <= Self.limit else { return false }
        let text = line.trimmingBlanks()
        if line.starts(with: "HTTP/".utf8) {
            status = Self.status(of: text)
            fields = []
        } else if text.isEmpty {
            // 101 is final: nobody here asked for another protocol, so nothing follows it.
            isComplete = status >= 200 || status == 101
        } else if let first = line.first, first == 32 || first == 9 {
            // A value folded over several lines, the obsolete way (RFC 9112, 5.2).
            if let last = fields.indices.last {
                fields[last].value += " " + String(decoding: text, as: UTF8.self)
            }
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: text[..<colon].trimmingBlanks(), as: UTF8.self)
            let value = text[text.index(after: colon)...].trimmingBlanks()
            fields.append((name, String(decoding: value, as: UTF8.self)))
        }
        return true
    }

    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in fields { headers.append(value, for: name) }
        return headers
    }

    /// The length of the body, as far as it is announced.
    var announcedLength: Int? { headers["Content-Length"].flatMap { Int($0) } }

    private static func status(of line: some Collection<UInt8>) -> Int {
        let digits = line.drop { $0 != 32 }.drop { $0 == 32 }.prefix { $0 != 32 }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }
}

extension BidirectionalCollection<UInt8> {
    /// These bytes without the blanks and line breaks around them.
    fileprivate func trimmingBlanks() -> SubSequence {
        let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 || byte == 10 || byte == 13 }
        guard let last = lastIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
        return self[...last].drop(while: isBlank)
    }
}
