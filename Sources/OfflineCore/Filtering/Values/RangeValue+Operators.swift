/// The operators of ranges; nil where the order of two bounds isn't known.
extension RangeValue {
    /// An end of a range with the side that it is on.
    private struct End {
        let bound: Bound
        let isLower: Bool

        /// How this end stands to another: one without a value is further out than any value.
        func compare(_ other: End, as type: ValueType) -> Ordering {
            switch (bound.value, other.bound.value) {
            case (nil, nil): return Ordering(isLower ? 0 : 1, other.isLower ? 0 : 1)
            case (nil, _?): return isLower ? .less : .greater
            case (_?, nil): return other.isLower ? .greater : .less
            case (let lhs?, let rhs?):
                return Datum.compare(lhs, rhs, as: type)
                    .followed(by: Ordering(side, other.side))
            }
        }

        /// On which side of its value the end really lies.
        private var side: Int { bound.isInclusive ? 0 : isLower ? 1 : -1 }
    }

    private var ends: (lower: End, upper: End)? {
        bounds.map {
            (End(bound: $0.lower, isLower: true), End(bound: $0.upper, isLower: false))
        }
    }

    /// How a range stands to another: the empty one comes first, then the lower ends count.
    static func compare(_ lhs: RangeValue, _ rhs: RangeValue) -> Ordering {
        guard let left = lhs.ends, let right = rhs.ends else {
            return Ordering(lhs.bounds == nil ? 0 : 1, rhs.bounds == nil ? 0 : 1)
        }
        return left.lower.compare(right.lower, as: lhs.type)
            .followed(by: left.upper.compare(right.upper, as: lhs.type))
    }

    func contains(_ other: RangeValue) -> Truth {
        guard let inner = other.ends else { return .true }
        guard let outer = ends else { return .false }
        return !inner.lower.compare(outer.lower, as: type).isLess
            && !outer.upper.compare(inner.upper, as: type).isLess
    }

    func overlaps(_ other: RangeValue) -> Truth {
        guard let lhs = ends, let rhs = other.ends else { return .false }
        return !rhs.upper.compare(lhs.lower, as: type).isLess
            && !lhs.upper.compare(rhs.lower, as: type).isLess
    }

    /// Whether this ends before another begins.
    func isLeft(of other: RangeValue) -> Truth {
        guard let lhs = ends, let rhs = other.ends else { return .false }
        return lhs.upper.compare(rhs.lower, as: type).isLess
    }

    /// Whether this ends no later than another.
    func endsNoLater(than other: RangeValue) -> Truth {
        guard let lhs = ends, let rhs = other.ends else { return .false }
        return !rhs.upper.compare(lhs.upper, as: type).isLess
    }

    /// Whether this begins no earlier than another.
    func beginsNoEarlier(than other: RangeValue) -> Truth {
        guard let lhs = ends, let rhs = other.ends else { return .false }
        return !lhs.lower.compare(rhs.lower, as: type).isLess
    }

    /// Whether one begins exactly where the other ends.
    func isAdjacent(to other: RangeValue) -> Truth {
        guard let lhs = bounds, let rhs = other.bounds else { return .false }
        return touches(lhs.upper, rhs.lower) || touches(rhs.upper, lhs.lower)
    }

    private func touches(_ upper: Bound, _ lower: Bound) -> Truth {
        guard let end = upper.value, let start = lower.value,
            upper.isInclusive != lower.isInclusive
        else { return .false }
        return Datum.compare(end, start, as: type).isEqual
    }
}
