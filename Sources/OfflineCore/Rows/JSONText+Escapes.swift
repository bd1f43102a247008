extension JSONText {
    /// Appends what the bytes between two quotes stand for; what was appended before an error stays.
    ///
    /// - Complexity: O(*n*).
    static func append(
        unescaping content: Range<Int>, of bytes: Span<UInt8>, to text: inout Bytes
    ) throws(JSONError) {
        var plainStart = content.lowerBound
        var index = plainStart
        while index < content.upperBound {
            guard bytes[index] == .backslash else {
                index += 1
                continue
            }
            text.append(copying: bytes.extracting(plainStart..<index))
            index = try append(escapeAt: index, before: content.upperBound, of: bytes, to: &text)
            plainStart = index
        }
        text.append(copying: bytes.extracting(plainStart..<index))
    }

    /// Appends what an escape stands for, and returns where it ends.
    private static func append(
        escapeAt start: Int, before end: Int, of bytes: Span<UInt8>, to text: inout Bytes
    ) throws(JSONError) -> Int {
        guard start + 1 < end else { throw .unexpectedEnd(offset: end) }
        switch bytes[start + 1] {
        case .quote, .backslash, UInt8(ascii: "/"): text.append(bytes[start + 1])
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            let (scalar, next) = try scalar(escapedAt: start, before: end, of: bytes)
            text.append(contentsOf: String(scalar).utf8)
            return next
        default: throw .invalidEscape(offset: start)
        }
        return start + 2
    }

    /// The character of one `\u` escape, or of two that are a surrogate pair.
    private static func scalar(
        escapedAt start: Int, before end: Int, of bytes: Span<UInt8>
    ) throws(JSONError) -> (Unicode.Scalar, next: Int) {
        let unit = try unit(escapedAt: start, before: end, of: bytes)
        if let scalar = Unicode.Scalar(unit) { return (scalar, start + 6) }
        let next = start + 6
        guard UTF16.isLeadSurrogate(unit), next + 1 < end, bytes[next] == .backslash,
            bytes[next + 1] == UInt8(ascii: "u")
        else { throw .loneSurrogate(offset: start) }
        let second = try self.unit(escapedAt: next, before: end, of: bytes)
        let pair = UInt32(unit & 0x3FF) << 10 | UInt32(second & 0x3FF)
        guard UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(0x1_0000 + pair) else {
            throw .loneSurrogate(offset: start)
        }
        return (scalar, next + 6)
    }

    /// The four hexadecimal digits behind `\u`.
    private static func unit(
        escapedAt start: Int, before end: Int, of bytes: Span<UInt8>
    ) throws(JSONError) -> UInt16 {
        guard start + 6 <= end else { throw .unexpectedEnd(offset: end) }
        var unit: UInt16 = 0
        for index in start + 2..<start + 6 {
            guard let digit = bytes[index].hexadecimalValue else {
                throw .invalidEscape(offset: start)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
