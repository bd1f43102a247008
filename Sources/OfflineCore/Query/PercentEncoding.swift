extension String {
    /// These characters as a query item has them on the wire.
    ///
    /// Names and values are encoded apart. All but `A–Z a–z 0–9 - . _ ~ / ?` becomes `%XX`, as
    /// supabase-swift does it: a bare `+` would reach PostgREST as a blank.
    package var percentEncodedQuery: String {
        percentEncoded { $0.isUnreserved || $0.isOneOf("/?") }
    }

    /// These characters as one segment of a path has them on the wire (RFC 3986, 3.3).
    package var percentEncodedPathSegment: String { percentEncoded(keeping: \.isUnreserved) }

    private func percentEncoded(keeping isKept: (UInt8) -> Bool) -> String {
        guard !utf8.allSatisfy(isKept) else { return self }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count + utf8.count / 2)
        for byte in utf8 {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(hexDigit(byte >> 4))
                encoded.append(hexDigit(byte & 0xF))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension Substring {
    /// The characters that were encoded; nil if these are not of that form.
    ///
    /// - Complexity: O(*n*).
    var percentDecoded: String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(utf8.count)
        var bytes = utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = bytes.next()?.hexadecimalValue,
                let low = bytes.next()?.hexadecimalValue
            else { return nil }
            decoded.append(high << 4 | low)
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}

extension UInt8 {
    /// Whether RFC 3986 (2.3) calls this character unreserved.
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            isOneOf("-._~")
        }
    }

    fileprivate func isOneOf(_ characters: StaticString) -> Bool {
        characters.withUTF8Buffer { unsafe $0.contains(self) }
    }
}
