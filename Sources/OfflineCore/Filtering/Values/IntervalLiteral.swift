/// A length of time as PostgreSQL writes and compares it: a month has 30 days, a day 24 hours.
enum IntervalLiteral {
    private static let day: Int128 = 86_400_000_000

    /// The microseconds of an interval such as `1 year 2 mons -3 days 04:05:06.789`.
    ///
    /// - Returns: Nil for the other styles (`P1D`, `@ 1 day ago`), fractions of units and whatever
    ///   is no interval.
    /// - Complexity: O(*n*).
    static func microseconds(parsing text: Bytes) -> Int128? {
        let words = text.lowercasedASCII.split(whereSeparator: \.isSQLBlank)
        guard !words.isEmpty else { return nil }
        var sum: Int128 = 0
        var index = 0
        var seen: Set<Int128> = []
        while index < words.count {
            let word = Bytes(words[index])
            if let time = clock(word) {
                // Behind it nothing may stand that is added again.
                guard index == words.count - 1 else { return nil }
                return sum + time
            }
            guard index + 1 < words.count, let number = integer(word),
                let unit = unit(String(decoding: words[index + 1], as: UTF8.self)),
                seen.insert(unit).inserted
            else { return nil }
            sum += number * unit
            index += 2
        }
        return sum
    }

    private static func integer(_ word: Bytes) -> Int128? {
        guard word.count <= 10, let number = Int128(String(decoding: word, as: UTF8.self)) else {
            return nil
        }
        return number
    }

    /// `[-]h:mm[:ss[.f]]` with any number of hours up to nine digits.
    private static func clock(_ word: Bytes) -> Int128? {
        let isNegative = word.first == .minus
        let isSigned = isNegative || word.first == .plus
        let digits = isSigned ? Bytes(word.dropFirst()) : word
        var reader = TimeReader(text: digits)
        guard let hours = reader.number(digits: 1...9), reader.skip(":"),
            let minutes = reader.number(digits: 2...2), minutes <= 59
        else { return nil }
        var microseconds = Int128(hours * 60 + minutes) * 60_000_000
        if reader.skip(":") {
            guard let seconds = reader.number(digits: 2...2), seconds <= 59,
                let fraction = reader.fraction()
            else { return nil }
            microseconds += Int128(seconds) * 1_000_000 + Int128(fraction)
        }
        guard reader.isAtEnd else { return nil }
        return isNegative ? -microseconds : microseconds
    }

    private static func unit(_ word: String) -> Int128? {
        switch word {
        case "year", "years": 360 * day
        case "mon", "mons", "month", "months": 30 * day
        case "week", "weeks": 7 * day
        case "day", "days": day
        case "hour", "hours": day / 24
        case "minute", "minutes", "min", "mins": day / 1440
        case "second", "seconds", "sec", "secs": 1_000_000
        default: nil
        }
    }
}
