package import FoundationEssentials

/// An instant to the microsecond, which is all that PostgreSQL keeps.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the first instant of 1970 in UTC.
    package let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// The microsecond nearest to a date; a date beyond 28,000 years from now becomes that limit.
    package init(_ date: Date) {
        let exact = (date.timeIntervalSince1970 * 1_000_000).rounded()
        microseconds = Int64(exact.isNaN ? 0 : min(max(exact, -9e17), 9e17))
    }

    /// The date, which keeps microseconds for some centuries around 2001.
    package var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

    package static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.microseconds < rhs.microseconds
    }
}

// MARK: Text

extension Timestamp {
    /// This instant in UTC with `Z`: `2025-01-02T03:04:05.123456Z`.
    ///
    /// - Parameter digits: How many decimals of a second to write, from 0 to 6; the rest is
    ///   rounded.
    /// - Returns: The text.
    package func text(fractionDigits digits: Int = 6) -> String {
        precondition(0...6 ~= digits, "PostgreSQL knows up to 6 decimals of a second")
        let unit = (digits..<6).reduce(into: Int64(1)) { unit, _ in unit *= 10 }
        let rounded = (microseconds + unit / 2).flooredQuotient(by: unit) * unit
        let seconds = rounded.flooredQuotient(by: 1_000_000)
        let days = seconds.flooredQuotient(by: 86_400)
        let time = Int(seconds - days * 86_400)
        let (year, month, day) = civilDate(daysSince1970: Int(days))
        var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
        text += "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
        if digits > 0 { text += "." + padded(Int((rounded - seconds * 1_000_000) / unit), digits) }
        return text + "Z"
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number.magnitude)
    let zeros = String(repeating: "0", count: max(0, width - digits.count))
    return (number < 0 ? "-" : "") + zeros + digits
}

extension Int64 {
    /// The quotient rounded down, so that instants before 1970 have times of day as well.
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

// MARK: Calendar

// The proleptic Gregorian calendar, counted in eras of 400 years that begin in March, so that the
// leap day is the last of its year (the method of Hinnant's "chrono-compatible low-level date
// algorithms").

func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
}

private func civilDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
}

func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}
