/// A range; that of a discrete type always as `[lower,upper)`, so that equal ranges have equal bounds.
struct RangeValue: Hashable, Sendable {
    /// One end.
    struct Bound: Hashable, Sendable {
        /// Nil where the range has no end.
        var value: Datum?
        var isInclusive: Bool
    }

    let type: ValueType
    /// The two ends; nil for the empty range.
    let bounds: Bounds?

    struct Bounds: Hashable, Sendable {
        var lower: Bound
        var upper: Bound
    }

    /// Reads what PostgreSQL writes for a range and takes for one; nil for anything else.
    ///
    /// - Complexity: O(*n*).
    init?(parsing text: Bytes, of type: ValueType) {
        self.type = type
        let text = text.trimmingSQLBlanks
        if text.lowercasedASCII == Bytes("empty".utf8) {
            bounds = nil
            return
        }
        var reader = BoundReader(text: text)
        guard var bounds = reader.bounds(of: type) else { return nil }
        if let lower = bounds.lower.value, let upper = bounds.upper.value {
            switch Datum.compare(lower, upper, as: type) {
            case .less: break
            case .equal where bounds.lower.isInclusive && bounds.upper.isInclusive: break
            case .equal:
                self.bounds = nil
                return
            case .greater, .unequal, .undecidable: return nil
            }
        }
        guard !type.isDiscrete || bounds.makeCanonical() else { return nil }
        if let lower = bounds.lower.value, lower == bounds.upper.value, type.isDiscrete {
            self.bounds = nil
        } else {
            self.bounds = bounds
        }
    }
}

extension RangeValue.Bounds {
    /// Writes a discrete range as `[lower,upper)`; false if a bound has no follower.
    fileprivate mutating func makeCanonical() -> Bool {
        if let value = lower.value, !lower.isInclusive {
            guard let next = value.successor else { return false }
            lower = .init(value: next, isInclusive: true)
        }
        if let value = upper.value, upper.isInclusive {
            guard let next = value.successor else { return false }
            upper = .init(value: next, isInclusive: false)
        }
        return true
    }
}

extension Datum {
    /// The next value of a discrete type; a limit of dates, which has none, stays out as well.
    fileprivate var successor: Datum? {
        switch self {
        case .integer(let value): value < .max ? .integer(value + 1) : nil
        case .ticks(let day):
            day == Int128(CivilTime.infinity) || day == Int128(CivilTime.negativeInfinity)
                ? nil : .ticks(day + 1)
        default: nil
        }
    }
}

private struct BoundReader {
    let text: Bytes
    var position = 0

    init(text: Bytes) { self.text = text }

    mutating func bounds(of type: ValueType) -> RangeValue.Bounds? {
        guard let first = take(), first == .openingBracket || first == UInt8(ascii: "("),
            let lower = bound(), take() == .comma, let upper = bound(),
            let last = take(), last == .closingBracket || last == UInt8(ascii: ")"),
            position == text.count,
            let lower = value(lower, of: type), let upper = value(upper, of: type)
        else { return nil }
        return .init(
            lower: .init(
                value: lower.datum, isInclusive: lower.datum != nil && first == .openingBracket),
            upper: .init(
                value: upper.datum, isInclusive: upper.datum != nil && last == .closingBracket))
    }

    private mutating func take() -> UInt8? {
        guard position < text.count else { return nil }
        position += 1
        return text[position - 1]
    }

    /// The value of a bound; its datum is nil where there is no end.
    private func value(_ bound: Bytes?, of type: ValueType) -> (datum: Datum?, Void)? {
        guard let bound else { return (nil, ()) }
        return Datum(literal: bound, as: type).map { ($0, ()) }
    }

    /// The text of a bound; inside, nil for none.
    private mutating func bound() -> Bytes?? {
        var bound = Bytes()
        var isQuoted = false
        var hasQuotes = false
        while position < text.count {
            let byte = text[position]
            if byte == .quote {
                hasQuotes = true
                if isQuoted, position + 1 < text.count, text[position + 1] == .quote {
                    bound.append(byte)
                    position += 1
                } else {
                    isQuoted.toggle()
                }
            } else if byte == .backslash {
                position += 1
                guard position < text.count else { return nil }
                bound.append(text[position])
            } else if !isQuoted, byte.endsBound {
                break
            } else {
                bound.append(byte)
            }
            position += 1
        }
        guard !isQuoted else { return nil }
        return .some(bound.isEmpty && !hasQuotes ? nil : bound)
    }
}

extension UInt8 {
    fileprivate var endsBound: Bool {
        self == .comma || self == .closingBracket || self == .openingBracket
            || self == UInt8(ascii: "(") || self == UInt8(ascii: ")")
    }
}
