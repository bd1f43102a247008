import FoundationEssentials

/// The usual ways of writing a number, taken apart without a detour.
///
/// All digits together are the mantissa; a number that has more digits than fit is none of the usual.
struct PlainNumber {
    /// 19 digits are the most that always fit.
    private static let mostDigits = 19

    private(set) var isNegative = false
    private(set) var mantissa: UInt64 = 0
    /// The power of ten by which to multiply.
    private(set) var exponent = 0
    /// Whether there is neither a point nor an exponent.
    private(set) var isInteger = true

    /// Reads a number that follows the grammar; nil if it is an unusual one.
    @inline(__always)
    init?(_ value: Range<Int>, of source: JSONSource) {
        let bytes = source.bytes
        self.init(value, of: bytes.span)
    }

    @inline(__always)
    private init?(_ value: Range<Int>, of bytes: Span<UInt8>) {
        var index = value.lowerBound
        if bytes.byteOrZero(at: index) == .minus {
            isNegative = true
            index += 1
        }
        let first = index
        var digits = 0
        var point: Int?
        while index < value.upperBound {
            let byte = bytes.byteOrZero(at: index)
            if byte.isDigit {
                mantissa = mantissa &* 10 &+ UInt64(byte &- .zero)
                digits += 1
            } else if byte == .point, digits > 0, point == nil {
                point = index
            } else {
                break
            }
            index += 1
        }
        guard digits > 0, digits <= Self.mostDigits else { return nil }
        if let point {
            isInteger = false
            exponent = point - index + 1
        }
        if index < value.upperBound {
            guard index > first, let written = Self.exponent(index..<value.upperBound, of: bytes)
            else { return nil }
            isInteger = false
            exponent += written
        }
    }

    /// Reads `e+12` and the like.
    private static func exponent(_ text: Range<Int>, of bytes: Span<UInt8>) -> Int? {
        var index = text.lowerBound
        guard bytes.byteOrZero(at: index).isExponentMark else { return nil }
        index += 1
        let sign = bytes.byteOrZero(at: index)
        if sign == .plus || sign == .minus { index += 1 }
        guard index < text.upperBound, text.upperBound - index <= 4 else { return nil }
        var exponent = 0
        while index < text.upperBound {
            guard bytes.byteOrZero(at: index).isDigit else { return nil }
            exponent = exponent * 10 + Int(bytes.byteOrZero(at: index) &- .zero)
            index += 1
        }
        return sign == .minus ? -exponent : exponent
    }

    /// Adds zeros to the exponent instead of the mantissa.
    mutating func moveZerosToExponent() {
        while mantissa > 0, mantissa % 10 == 0 {
            mantissa /= 10
            exponent += 1
        }
    }
}

extension JSONLeaf where Self: FixedWidthInteger {
    @inline(__always)
    static func read(_ value: Range<Int>, of source: JSONSource) throws -> Self? {
        guard source.kind(of: value) == .number else { return nil }
        if let number = PlainNumber(value, of: source), number.isInteger {
            if !number.isNegative {
                if let integer = Self(exactly: number.mantissa) { return integer }
            } else if number.mantissa <= 1 << 63,
                let integer = Self(exactly: 0 &- Int64(truncatingIfNeeded: number.mantissa))
            {
                return integer
            }
        }
        return try source.foundationNumber(Self.self, value)
    }
}

extension Int: JSONLeaf {}
extension Int8: JSONLeaf {}
extension Int16: JSONLeaf {}
extension Int32: JSONLeaf {}
extension Int64: JSONLeaf {}
extension Int128: JSONLeaf {}
extension UInt: JSONLeaf {}
extension UInt8: JSONLeaf {}
extension UInt16: JSONLeaf {}
extension UInt32: JSONLeaf {}
extension UInt64: JSONLeaf {}
extension UInt128: JSONLeaf {}

extension Double: JSONLeaf {
    /// The powers of ten that a `Double` holds exactly.
    private static let exactPowers: [Double] = (0...22).reduce(into: []) { powers, _ in
        powers.append((powers.last ?? 0.1) * 10)
    }

    @inline(__always)
    static func read(_ value: Range<Int>, of source: JSONSource) throws -> Double? {
        guard source.kind(of: value) == .number else { return nil }
        // Two numbers that are held exactly give a result that is rounded once.
        if let number = PlainNumber(value, of: source), number.mantissa <= 1 << 53,
            number.exponent.magnitude < exactPowers.count
        {
            let power = exactPowers[Int(number.exponent.magnitude)]
            let mantissa = Double(number.mantissa)
            let magnitude = number.exponent < 0 ? mantissa / power : mantissa * power
            return number.isNegative ? -magnitude : magnitude
        }
        return try source.number(Double.self, value)
    }
}

extension Float: JSONLeaf {
    static func read(_ value: Range<Int>, of source: JSONSource) throws -> Float? {
        guard source.kind(of: value) == .number else { return nil }
        if let number = PlainNumber(value, of: source), number.isInteger,
            number.mantissa <= 1 << 24
        {
            return number.isNegative ? -Float(number.mantissa) : Float(number.mantissa)
        }
        return try source.number(Float.self, value)
    }
}

extension JSONSource {
    /// Reads a number of any spelling with the standard library, which rounds correctly.
    ///
    /// - Throws: ``UnrepresentableNumber`` if it is too large, or becomes zero and isn't.
    fileprivate func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _: Number.Type, _ value: Range<Int>
    ) throws -> Number {
        let bytes = bytes
        guard let number = Number(bytes.span.extracting(value).makeString()), number.isFinite,
            number != 0 || isZero(value)
        else { throw UnrepresentableNumber() }
        return number
    }

    /// Whether no digit before the exponent counts.
    private func isZero(_ value: Range<Int>) -> Bool {
        for index in value {
            let byte = bytes[index]
            if byte.isExponentMark { return true }
            if byte.isDigit, byte != .zero { return false }
        }
        return true
    }

    /// Reads a number as Foundation does; such as `1.0` and `1e2` as integers.
    func foundationNumber<Number: Decodable>(
        _ type: Number.Type, _ value: Range<Int>
    ) throws -> Number {
        do {
            return try foundation.decode(type, from: data(of: value))
        } catch {
            throw UnrepresentableNumber()
        }
    }
}
