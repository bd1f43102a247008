/// A JSON number by its value, with all the digits it was written with.
///
/// `1`, `1.0` and `10e-1` are the same, as are `0` and `-0.0`; `12345678901234567890.1` and
/// `12345678901234567890.2` are not. Only the digits that are written take room: `1e999999999` is one
/// digit and an exponent. Exponents past ``NumberParts/largestExponent`` count as that one, so that
/// they can be compared at all; PostgreSQL has no such number.
package struct NumberLexeme: Hashable, Sendable {
    private let isNegative: Bool
    private let exponent: Int64
    /// As ASCII, without zeros at either end; empty for zero.
    private let digits: Bytes

    /// Reads a number; nil if the bytes are anything else than one JSON number.
    ///
    /// - Complexity: O(*n*) in the length of the lexeme.
    package init?(_ lexeme: Span<UInt8>) {
        guard JSONKind(of: lexeme) == .number,
            let range = try? JSONScanner.validate(lexeme), range.count == lexeme.count
        else { return nil }
        let parts = NumberParts(of: lexeme)
        isNegative = parts.isNegative
        exponent = parts.exponent
        digits = parts.digits(of: lexeme)
    }

    /// Adds the value to a hash.
    ///
    /// - Complexity: O(*n*) in the number of digits.
    func add(to hash: inout StableHash) {
        hash.add(digits: digits.span, exponent: exponent, isNegative: isNegative)
    }
}

extension NumberLexeme {
    /// Whether six digits say it all, of a size that any float holds.
    var isShort: Bool { digits.count <= 6 && -30...30 ~= exponent }

    /// The number in one spelling, for what reads numbers from text: `-12345e-3`.
    ///
    /// - Complexity: O(*n*) in the number of digits.
    var text: String {
        guard !digits.isEmpty else { return "0" }
        let power = exponent - Int64(digits.count) + 1
        return (isNegative ? "-" : "") + digits.span.makeString() + "e\(power)"
    }
}

extension NumberLexeme: Comparable {
    /// Whether a number is smaller than another.
    ///
    /// - Complexity: O(*n*) in the number of digits.
    package static func < (lhs: NumberLexeme, rhs: NumberLexeme) -> Bool {
        if lhs.sign != rhs.sign { return lhs.sign < rhs.sign }
        return lhs.isNegative ? rhs.isCloserToZero(than: lhs) : lhs.isCloserToZero(than: rhs)
    }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    /// Compares without the signs, which are the same.
    private func isCloserToZero(than other: NumberLexeme) -> Bool {
        exponent == other.exponent
            ? digits.span.precedes(other.digits.span) : exponent < other.exponent
    }
}

/// Where the parts of a number are that decide its value: ±d.ddd × 10^exponent.
struct NumberParts {
    /// The exponent at which differences end to count, up and down.
    static let largestExponent: Int64 = 100_000_000_000_000_000

    /// False for zero, however it is written.
    let isNegative: Bool
    /// The power of ten of the first digit that isn't zero; 0 for zero.
    let exponent: Int64
    /// From the first to the last digit that isn't zero; empty for zero.
    private let significant: Range<Int>
    /// Whether a point stands among those digits.
    private let isBroken: Bool

    /// Takes apart a number that follows the grammar.
    ///
    /// - Complexity: O(*n*).
    init(of lexeme: Span<UInt8>) {
        var first: Int?
        var last = 0
        var point: Int?
        var index = lexeme[0] == .minus ? 1 : 0
        while index < lexeme.count, !lexeme[index].isExponentMark {
            if lexeme[index] == .point {
                point = index
            } else if lexeme[index] != .zero {
                first = first ?? index
                last = index
            }
            index += 1
        }
        guard let first else {
            (isNegative, exponent, significant, isBroken) = (false, 0, 0..<0, false)
            return
        }
        isNegative = lexeme[0] == .minus
        significant = first..<last + 1
        let unit = point ?? index
        isBroken = significant.contains(unit)
        let shift = first < unit ? unit - first - 1 : unit - first
        let sum = Int64(shift) + Self.exponent(writtenIn: lexeme, from: index + 1)
        exponent = min(max(sum, -Self.largestExponent), Self.largestExponent)
    }

    /// The digits that count, without a point.
    ///
    /// - Complexity: O(*n*).
    func digits(of lexeme: Span<UInt8>) -> Bytes {
        var digits = Bytes()
        for index in significant where lexeme[index] != .point { digits.append(lexeme[index]) }
        return digits
    }

    /// Where the digits that count are, if no point stands among them.
    func unbrokenDigits(of lexeme: Span<UInt8>) -> Range<Int>? {
        isBroken ? nil : significant
    }

    /// The exponent behind the `e`, 0 if there is none.
    ///
    /// It stops growing so far past ``largestExponent`` that no shift of the point leads back.
    private static func exponent(writtenIn lexeme: Span<UInt8>, from start: Int) -> Int64 {
        var exponent: Int64 = 0
        var isNegative = false
        var index = start
        while index < lexeme.count {
            if lexeme[index].isDigit {
                exponent = exponent * 10 + Int64(lexeme[index] - .zero)
                exponent = min(exponent, 8 * largestExponent)
            }
            isNegative = isNegative || lexeme[index] == .minus
            index += 1
        }
        return isNegative ? -exponent : exponent
    }
}
