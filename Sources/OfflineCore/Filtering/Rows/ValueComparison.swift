/// Compares a value of a row, as its bytes, with an operand.
struct ValueComparison: Hashable, Sendable {
    let `operator`: FilterOperator
    let type: ValueType

    /// The result for a value that is no null of SQL.
    ///
    /// - Complexity: O(*n*) in the length of the value; for containment times that of the operand.
    func truth(of value: Span<UInt8>, _ operand: PreparedOperand) -> Truth {
        switch `operator` {
        case .eq, .neq, .gt, .gte, .lt, .lte: truth(of: compare(value, operand))
        case .like, .ilike, .match, .imatch:
            (try? JSONText.text(of: value)).map { truth(of: $0, operand) } ?? .undecidable
        case .cs, .cd, .ov: containment(value, operand)
        case .sl, .sr, .nxr, .nxl, .adj: range(value, operand)
        case .fts, .plfts, .phfts, .wfts: .undecidable
        }
    }

    /// The result for a text that was taken out of JSON.
    func truth(of text: Bytes, _ operand: PreparedOperand) -> Truth {
        if let pattern = operand.pattern { return pattern.matches(text, as: type) }
        switch `operator` {
        case .eq, .neq, .gt, .gte, .lt, .lte:
            guard let datum = operand.datum else { return .undecidable }
            return truth(of: Datum.compare(.text(text), datum, as: type))
        default: return .undecidable
        }
    }

    /// The result for the text of a value of JSON, of which only the meaning is known.
    func truth(ofTextOf value: Span<UInt8>, _ operand: PreparedOperand) -> Truth {
        guard operand.pattern == nil, let own = JSONTree(scanned: value) else {
            return .undecidable
        }
        // What means something else is another text, and so is what is no JSON.
        let means = JSONTree(parsing: operand.text.span)
        return truth(of: means == own ? .undecidable : .unequal)
    }

    /// The result for a null of JSON, should the field hold JSON; nil if it can't, as the operand is
    /// none.
    func truthOfJSONNull(_ operand: PreparedOperand) -> Truth? {
        guard let json = operand.json else { return nil }
        switch `operator` {
        case .eq, .neq, .gt, .gte, .lt, .lte: return truth(of: JSONTree.compare(.null, json))
        case .cs: return Truth(JSONTree.null.contains(json))
        case .cd: return Truth(json.contains(.null))
        // There is no such operator for JSON.
        default: return nil
        }
    }

    private func truth(of order: Ordering) -> Truth {
        switch `operator` {
        case .eq: order.isEqual
        case .neq: !order.isEqual
        case .lt: order.isLess
        case .gte: !order.isLess
        case .gt: order.reversed.isLess
        case .lte: !order.reversed.isLess
        default: .undecidable
        }
    }

    private func compare(_ value: Span<UInt8>, _ operand: PreparedOperand) -> Ordering {
        let kind = JSONKind(of: value)
        // Most comparisons are of text, and need no copy of it.
        if kind == .string, type == .text || type == .untold {
            if JSONText.isText(operand.text.span, of: value) { return .equal }
            if type == .text { return .unequal }
        }
        if type == .untold, kind == .array || kind == .object {
            return comparedOpenly(value, operand)
        }
        guard let datum = Datum(json: value, as: type), let other = operand.datum else {
            return .undecidable
        }
        if type == .document, case .json(let tree) = datum, tree.looksLikeGeometry {
            return .undecidable
        }
        return Datum.compare(datum, other, as: type)
    }

    /// Compares an array or object of an untold type in each way that the operand can be read.
    private func comparedOpenly(_ value: Span<UInt8>, _ operand: PreparedOperand) -> Ordering {
        var order: Ordering?
        if let array = operand.array, let own = ArrayValue(json: value, of: .untold) {
            order = ArrayValue.compare(own, array, of: .untold)
        }
        if let json = operand.json, let own = JSONTree(scanned: value) {
            if own.looksLikeGeometry { return .undecidable }
            let asJSON = JSONTree.compare(own, json)
            order = order?.or(asJSON) ?? asJSON
        }
        return order ?? .undecidable
    }

    private func containment(_ value: Span<UInt8>, _ operand: PreparedOperand) -> Truth {
        switch type {
        case .range: return range(value, operand)
        case .array(let element):
            guard case .array(let other)? = operand.datum,
                case .array(let own)? = Datum(json: value, as: type)
            else { return .undecidable }
            return containment(own, other, of: element)
        case .jsonb, .document:
            guard let json = operand.json, let own = JSONTree(scanned: value) else {
                return .undecidable
            }
            return containment(own, json)
        case .untold:
            var truth: Truth = []
            if let array = operand.array, let own = ArrayValue(json: value, of: .untold) {
                truth = containment(own, array, of: .untold)
            }
            if let json = operand.json, JSONKind(of: value)?.isContainer == true,
                `operator` != .ov, let own = JSONTree(scanned: value)
            {
                truth.formUnion(containment(own, json))
            }
            return truth.isEmpty ? .undecidable : truth
        default: return .undecidable
        }
    }

    private func containment(
        _ own: ArrayValue, _ other: ArrayValue, of type: ValueType
    ) -> Truth {
        switch `operator` {
        case .cs: own.contains(other, of: type)
        case .cd: own.isContained(in: other, of: type)
        case .ov: own.overlaps(other, of: type)
        default: .undecidable
        }
    }

    private func containment(_ own: JSONTree, _ other: JSONTree) -> Truth {
        if type != .jsonb, own.looksLikeGeometry { return .undecidable }
        return switch `operator` {
        case .cs: Truth(own.contains(other))
        case .cd: Truth(other.contains(own))
        default: .undecidable
        }
    }

    private func range(_ value: Span<UInt8>, _ operand: PreparedOperand) -> Truth {
        guard case .range(let other)? = operand.datum,
            case .range(let own)? = Datum(json: value, as: type)
        else { return .undecidable }
        return switch `operator` {
        case .cs: own.contains(other)
        case .cd: other.contains(own)
        case .ov: own.overlaps(other)
        case .sl: own.isLeft(of: other)
        case .sr: other.isLeft(of: own)
        case .nxr: own.endsNoLater(than: other)
        case .nxl: own.beginsNoEarlier(than: other)
        case .adj: own.isAdjacent(to: other)
        default: .undecidable
        }
    }
}

extension JSONKind {
    /// Whether it is an array or an object.
    var isContainer: Bool { self == .array || self == .object }
}
