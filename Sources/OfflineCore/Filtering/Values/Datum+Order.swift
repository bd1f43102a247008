extension Datum {
    /// How a value stands to another of the same type.
    ///
    /// - Parameters:
    ///   - lhs: A value; of an untold type, one that a row shows.
    ///   - rhs: Another one; it may be a literal.
    ///   - type: The type of both.
    /// - Returns: Their order.
    /// - Complexity: O(*n*) in the length of both.
    static func compare(_ lhs: Datum, _ rhs: Datum, as type: ValueType) -> Ordering {
        switch (lhs, rhs) {
        case (.integer(let lhs), .integer(let rhs)): Ordering(lhs, rhs)
        case (.number(let lhs), .number(let rhs)):
            type == .numeric ? Ordering(lhs, rhs) : UntoldValue.compare(lhs, rhs)
        case (.float(let lhs), .float(let rhs)): compare(lhs, rhs)
        case (.boolean(let lhs), .boolean(let rhs)): Ordering(lhs ? 1 : 0, rhs ? 1 : 0)
        case (.text(let lhs), .text(let rhs)): compare(lhs, rhs, as: type)
        case (.bytes(let lhs), .bytes(let rhs)): byteOrder(lhs, rhs)
        case (.ticks(let lhs), .ticks(let rhs)): Ordering(lhs, rhs)
        case (.instant(let lhs, let zone), .instant(let rhs, let other)):
            // What has no zone is read in the session's, which a row shows not to be UTC.
            zone.contradicts(other) ? .undecidable : Ordering(lhs, rhs)
        case (.json(let lhs), .json(let rhs)):
            type == .json ? .undecidable : JSONTree.compare(lhs, rhs)
        case (.array(let lhs), .array(let rhs)):
            if case .array(let element) = type {
                ArrayValue.compare(lhs, rhs, of: element)
            } else {
                .undecidable
            }
        case (.range(let lhs), .range(let rhs)): RangeValue.compare(lhs, rhs)
        default: UntoldValue.compare(lhs, rhs)
        }
    }

    private static func compare(_ lhs: Double, _ rhs: Double) -> Ordering {
        guard !lhs.isNaN, !rhs.isNaN else { return Ordering(lhs.isNaN ? 1 : 0, rhs.isNaN ? 1 : 0) }
        return Ordering(lhs, rhs)
    }

    private static func compare(_ lhs: Bytes, _ rhs: Bytes, as type: ValueType) -> Ordering {
        if lhs == rhs { return .equal }
        guard case .text(let rules, let isByBytes) = type else { return .undecidable }
        switch rules {
        case .exact, .padded: return isByBytes ? byteOrder(lhs, rhs) : .unequal
        case .caseless:
            switch CaseFolding.areEqual(lhs, rhs) {
            case .true: return .equal
            case .false: return .unequal
            default: return .undecidable
            }
        }
    }

    private static func byteOrder(_ lhs: Bytes, _ rhs: Bytes) -> Ordering {
        lhs == rhs ? .equal : lhs.span.precedes(rhs.span) ? .less : .greater
    }
}

extension CivilTime.Zone {
    fileprivate func contradicts(_ other: CivilTime.Zone) -> Bool {
        switch (self, other) {
        case (.offset, .none), (.none, .offset): true
        default: false
        }
    }
}
