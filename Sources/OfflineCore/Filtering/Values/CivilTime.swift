/// A date with a time of day as PostgreSQL writes it, and the forms close to it that people write.
///
/// `2024-01-02T03:04:05.5+01:00`, `2024-1-2`, `infinity`, `epoch`, `0044-03-15 BC`. All other forms that
/// PostgreSQL reads (`now`, names of zones or months, `20240102`) are none here.
struct CivilTime: Hashable, Sendable {
    /// What is said about the zone.
    enum Zone: Hashable, Sendable {
        case none
        case utc
        /// Seconds east of UTC, not zero.
        case offset(Int)
    }

    /// The limits, above and below everything else.
    static let infinity = Int64.max
    static let negativeInfinity = Int64.min

    /// Days since 1970, or a limit.
    let day: Int64
    /// Microseconds since 1970 as the clock there shows, or a limit.
    let clock: Int64
    let zone: Zone

    /// - Complexity: O(*n*).
    init?(parsing text: Bytes) {
        switch String(decoding: text.lowercasedASCII, as: UTF8.self) {
        case "infinity", "+infinity": self.init(limit: Self.infinity)
        case "-infinity": self.init(limit: Self.negativeInfinity)
        case "epoch":
            self.init(day: 0, clock: 0, zone: .utc)
        default:
            var reader = TimeReader(text: text)
            guard var year = reader.number(digits: 4...6), reader.skip("-"),
                let month = reader.number(digits: 1...2), reader.skip("-"),
                let dayOfMonth = reader.number(digits: 1...2)
            else { return nil }
            var time: Int64 = 0
            var zone = Zone.none
            if reader.skip("T") || reader.skip("t") || reader.skipBlankBeforeDigit() {
                guard let clock = reader.timeOfDay(), let read = reader.zone() else { return nil }
                (time, zone) = (clock, read)
            }
            // The year before 1 is 1 BC.
            if reader.skip(" BC") { year = 1 - year } else if year == 0 { return nil }
            guard reader.isAtEnd, 1...12 ~= month, 1...daysInMonth(month, of: year) ~= dayOfMonth
            else { return nil }
            let day = Int64(daysSince1970(year: year, month: month, day: dayOfMonth))
            self.init(day: day, clock: day * 86_400_000_000 + time, zone: zone)
        }
    }

    private init(day: Int64, clock: Int64, zone: Zone) {
        self.day = day
        self.clock = clock
        self.zone = zone
    }

    private init(limit: Int64) { self.init(day: limit, clock: limit, zone: .utc) }

    var isFinite: Bool { day != Self.infinity && day != Self.negativeInfinity }

    /// Microseconds since 1970 in UTC; without a zone, UTC is taken for the session's.
    var instant: Int64 {
        guard case .offset(let seconds) = zone, isFinite else { return clock }
        return clock - Int64(seconds) * 1_000_000
    }

    /// A time of day alone, `03:04:05.5` or `9:00`, in microseconds.
    static func timeOfDay(parsing text: Bytes) -> Int64? {
        var reader = TimeReader(text: text)
        guard let time = reader.timeOfDay(), reader.isAtEnd else { return nil }
        return time
    }
}

/// Reads the parts of dates and times from the left.
struct TimeReader {
    let text: Bytes
    private var position = 0

    init(text: Bytes) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    mutating func skip(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        let word = Bytes(word.description.utf8)
        guard end <= text.count, text[position..<end].elementsEqual(word) else { return false }
        position = end
        return true
    }

    /// Moves over one blank with a time behind it.
    mutating func skipBlankBeforeDigit() -> Bool {
        guard position + 1 < text.count, text[position] == 0x20, text[position + 1].isDigit else {
            return false
        }
        position += 1
        return true
    }

    mutating func number(digits: ClosedRange<Int>) -> Int? {
        var number = 0
        var count = 0
        while position < text.count, text[position].isDigit, count < digits.upperBound {
            number = number * 10 + Int(text[position] - .zero)
            count += 1
            position += 1
        }
        let isCut = position < text.count && text[position].isDigit
        return digits ~= count && !isCut ? number : nil
    }

    /// Hours and minutes, perhaps with seconds, up to 24:00:00.
    mutating func timeOfDay() -> Int64? {
        guard let hour = number(digits: 1...2), skip(":"), let minute = number(digits: 2...2),
            minute <= 59
        else { return nil }
        var microseconds: Int64 = 0
        if skip(":") {
            guard let second = number(digits: 2...2), second <= 59, let fraction = fraction() else {
                return nil
            }
            microseconds = Int64(second) * 1_000_000 + fraction
        }
        microseconds += Int64(hour * 60 + minute) * 60_000_000
        return microseconds <= 86_400_000_000 ? microseconds : nil
    }

    /// Decimals of a second, in microseconds; 0 if there are none.
    ///
    /// Which way PostgreSQL rounds exact halves of a microsecond hangs on its arithmetic: those are
    /// none here.
    mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        var microseconds: Int64 = 0
        var rest: [UInt8] = []
        var count = 0
        while position < text.count, text[position].isDigit {
            if count < 6 {
                microseconds = microseconds * 10 + Int64(text[position] - .zero)
            } else {
                rest.append(text[position] - .zero)
            }
            count += 1
            position += 1
        }
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 6 - count) { microseconds *= 10 }
        guard let first = rest.first, first >= 5 else { return microseconds }
        // Near a half as well: PostgreSQL rounds the nearest double.
        if first == 5, rest.dropFirst().prefix(6).allSatisfy({ $0 == 0 }) { return nil }
        return microseconds + 1
    }

    /// `Z`, `±hh`, `±hhmm`, `±hh:mm`, `±hh:mm:ss` or nothing.
    mutating func zone() -> CivilTime.Zone? {
        if skip("Z") || skip("z") { return .utc }
        let isWest = skip("-")
        guard isWest || skip("+") else { return CivilTime.Zone.none }
        guard let digits = zoneDigits() else { return nil }
        let seconds = digits.hours * 3600 + digits.minutes * 60 + digits.seconds
        guard digits.hours <= 15, digits.minutes <= 59, digits.seconds <= 59 else { return nil }
        return seconds == 0 ? .utc : .offset(isWest ? -seconds : seconds)
    }

    private mutating func zoneDigits() -> (hours: Int, minutes: Int, seconds: Int)? {
        var copy = self
        if let both = copy.number(digits: 4...4) {
            self = copy
            return (both / 100, both % 100, 0)
        }
        guard let hours = number(digits: 1...2) else { return nil }
        var minutes = 0
        var seconds = 0
        if skip(":") {
            guard let value = number(digits: 2...2) else { return nil }
            minutes = value
            if skip(":") {
                guard let value = number(digits: 2...2) else { return nil }
                seconds = value
            }
        }
        return (hours, minutes, seconds)
    }
}
