import FoundationEssentials

extension ValueDecoder {
    /// Decodes something inside this value.
    ///
    /// The types of Foundation that `JSONDecoder` doesn't leave to themselves are read here, and the
    /// UUIDs that are written as usual.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - value: Where the value is.
    ///   - step: How it is reached from this value.
    ///   - decode: Decodes a value of any other type.
    /// - Returns: The value.
    /// - Throws: `DecodingError`, or what reading the text or `decode` throws.
    @inline(__always)
    func special<T: Decodable>(
        _ type: T.Type, _ value: Range<Int>, at step: @autoclosure () -> CodingStep,
        otherwise decode: () throws -> T
    ) throws -> T {
        if type == UUID.self {
            let bytes = source.bytes
            guard let uuid = UUID(value, of: bytes.span) else { return try decode() }
            return identical(uuid, as: type)
        }
        if type == Date.self { return identical(try date(value, at: step()), as: type) }
        if type == Decimal.self { return identical(try decimal(value, at: step()), as: type) }
        if type == URL.self { return identical(try url(value, at: step()), as: type) }
        if type == Data.self { return identical(try data(value, at: step()), as: type) }
        return try decode()
    }

    /// Decodes something inside this value, of any type.
    @inline(__always)
    func inner<T: Decodable>(
        _ type: T.Type, _ value: Range<Int>, at step: @autoclosure () -> CodingStep
    ) throws -> T {
        try special(type, value, at: step()) {
            try withDecoder(of: value, at: step()) { try T(from: $0) }
        }
    }

    private func date(_ value: Range<Int>, at step: CodingStep) throws -> Date {
        guard source.kind(of: value) == .string else {
            throw source.isNull(value)
                ? failure(Date.self, value, at: step) : failure(String.self, value, at: step)
        }
        let bytes = source.bytes
        if let timestamp = Timestamp(
            parsing: bytes.span.extracting(value.lowerBound + 1..<value.upperBound - 1))
        {
            return timestamp.date
        }
        // It may be written with escapes.
        guard let text = try String.read(value, of: source),
            let timestamp = Timestamp(parsing: text)
        else {
            throw corrupted(Timestamp.expectation, at: step)
        }
        return timestamp.date
    }

    private func decimal(_ value: Range<Int>, at step: CodingStep) throws -> Decimal {
        guard source.kind(of: value) == .number else {
            throw failure(Decimal.self, value, at: step)
        }
        guard var number = PlainNumber(value, of: source), number.mantissa > 0,
            number.exponent.magnitude < 100
        else { return try source.foundationNumber(Decimal.self, value) }
        number.moveZerosToExponent()
        return Decimal(
            sign: number.isNegative ? .minus : .plus, exponent: number.exponent,
            significand: Decimal(number.mantissa))
    }

    private func url(_ value: Range<Int>, at step: CodingStep) throws -> URL {
        guard let text = try String.read(value, of: source) else {
            throw failure(source.isNull(value) ? URL.self : String.self, value, at: step)
        }
        guard let url = URL(string: text) else { throw corrupted("Invalid URL string.", at: step) }
        return url
    }

    private func data(_ value: Range<Int>, at step: CodingStep) throws -> Data {
        guard let text = try String.read(value, of: source) else {
            throw failure(source.isNull(value) ? Data.self : String.self, value, at: step)
        }
        guard let data = Data(base64Encoded: text) else {
            throw corrupted("Encountered Data is not valid Base64.", at: step)
        }
        return data
    }
}

extension UUID {
    /// Reads a UUID in the usual spelling; nil for every other value.
    fileprivate init?(_ value: Range<Int>, of bytes: Span<UInt8>) {
        guard value.count == 38, bytes.byteOrZero(at: value.lowerBound) == .quote else {
            return nil
        }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for offset in 0..<36 {
            let byte = bytes[value.lowerBound + 1 + offset]
            if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                guard byte == .minus else { return nil }
                continue
            }
            guard let digit = byte.hexadecimalValue else { return nil }
            // 4 bits leave the lower half for the upper one with each digit.
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        func byte(_ number: Int) -> UInt8 {
            let half = number < 8 ? high : low
            return UInt8(truncatingIfNeeded: half >> UInt64(8 * (7 - number % 8)))
        }
        self.init(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8),
                byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }
}
