extension Timestamp {
    /// What is missing where no timestamp can be read.
    static let expectation = "Expected a timestamp or a date as PostgreSQL writes it."

    /// Reads what PostgreSQL writes for `timestamptz`, `timestamp` and `date`, and ISO 8601 alike.
    ///
    /// `T` or a blank between date and time; 0–9 digits of fraction, rounded to microseconds; `Z`,
    /// `±hh`, `±hhmm`, `±hh:mm` or no zone, which means UTC; or a date alone. Anything else, such
    /// as `infinity` or a year before Christ, is none.
    package init?(parsing text: String) {
        let bytes = Bytes(text.utf8)
        self.init(parsing: bytes.span)
    }

    /// Reads a text from its UTF-8.
    package init?(parsing text: Span<UInt8>) {
        var reader = DigitReader()
        guard let year = reader.number(digits: 4, in: text), reader.skip("-", in: text),
            let month = reader.number(digits: 2, in: text), reader.skip("-", in: text),
            let day = reader.number(digits: 2, in: text),
            1...12 ~= month, 1...daysInMonth(month, of: year) ~= day
        else { return nil }
        var seconds = daysSince1970(year: year, month: month, day: day) * 86_400
        var fraction = 0
        if !reader.isAtEnd(of: text) {
            guard
                reader.skip("T", in: text) || reader.skip("t", in: text)
                    || reader.skip(" ", in: text),
                let hour = reader.number(digits: 2, in: text), reader.skip(":", in: text),
                let minute = reader.number(digits: 2, in: text), hour <= 24, minute <= 59
            else { return nil }
            var second = 0
            if reader.skip(":", in: text) {
                guard let value = reader.number(digits: 2, in: text), value <= 60 else {
                    return nil
                }
                second = value
            }
            if reader.skip(".", in: text) {
                guard let value = reader.fraction(in: text) else { return nil }
                fraction = value
            }
            guard let offset = reader.offset(in: text), reader.isAtEnd(of: text) else {
                return nil
            }
            seconds += hour * 3600 + minute * 60 + second - offset
        }
        self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction))
    }
}

/// Reads numbers of a fixed width from the left.
private struct DigitReader {
    private var position = 0

    func isAtEnd(of text: Span<UInt8>) -> Bool { position == text.count }

    @inline(__always)
    mutating func skip(_ character: Unicode.Scalar, in text: Span<UInt8>) -> Bool {
        guard position < text.count, UInt32(text[position]) == character.value else { return false }
        position += 1
        return true
    }

    @inline(__always)
    mutating func digit(in text: Span<UInt8>) -> Int? {
        guard position < text.count, text[position].isDigit else { return nil }
        position += 1
        return Int(text[position - 1] &- .zero)
    }

    mutating func number(digits: Int, in text: Span<UInt8>) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit(in: text) else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// One to nine decimals of a second, in microseconds.
    mutating func fraction(in text: Span<UInt8>) -> Int? {
        var nanoseconds = 0
        var count = 0
        while let digit = digit(in: text) {
            guard count < 9 else { return nil }
            nanoseconds = nanoseconds * 10 + digit
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in count..<9 { nanoseconds *= 10 }
        return (nanoseconds + 500) / 1000
    }

    /// The zone's distance from UTC in seconds; none means UTC.
    mutating func offset(in text: Span<UInt8>) -> Int? {
        guard !isAtEnd(of: text), !skip("Z", in: text), !skip("z", in: text) else { return 0 }
        let isNegative = skip("-", in: text)
        guard isNegative || skip("+", in: text), let hours = number(digits: 2, in: text) else {
            return nil
        }
        var seconds = hours * 3600
        if !isAtEnd(of: text) {
            let hasColons = skip(":", in: text)
            guard let minutes = number(digits: 2, in: text), minutes <= 59 else { return nil }
            seconds += minutes * 60
            // Zones of the time before standard time have seconds too.
            if !isAtEnd(of: text) {
                guard skip(":", in: text) == hasColons, let rest = number(digits: 2, in: text),
                    rest <= 59
                else { return nil }
                seconds += rest
            }
        }
        return isNegative ? -seconds : seconds
    }
}
