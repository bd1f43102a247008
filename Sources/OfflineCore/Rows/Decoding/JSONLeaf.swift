/// A value without parts, which is read from its bytes without a decoder.
protocol JSONLeaf: Decodable {
    /// Reads a value.
    ///
    /// - Returns: The value, or nil if the bytes are of another kind.
    /// - Throws: ``JSONError`` or ``UnrepresentableNumber`` if they are of this kind and stand for
    ///   nothing that this type has.
    static func read(_ value: Range<Int>, of source: JSONSource) throws -> Self?
}

extension Bool: JSONLeaf {
    @inline(__always)
    static func read(_ value: Range<Int>, of source: JSONSource) -> Bool? {
        switch source.byte(at: value.lowerBound) {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }
}

extension String: JSONLeaf {
    @inline(__always)
    static func read(_ value: Range<Int>, of source: JSONSource) throws -> String? {
        let bytes = source.bytes
        guard source.byte(at: value.lowerBound) == .quote else { return nil }
        let content = value.lowerBound + 1..<value.upperBound - 1
        guard bytes.span.contains(.backslash, in: content) else {
            return bytes.span.extracting(content).makeString()
        }
        return try JSONText.string(of: bytes.span.extracting(value))
    }
}

extension ValueDecoder {
    /// Reads a leaf of this value.
    @inline(__always)
    func leaf<Leaf: JSONLeaf>(
        _ type: Leaf.Type, _ value: Range<Int>, at step: @autoclosure () -> CodingStep
    ) throws -> Leaf {
        guard let leaf = try Leaf.read(value, of: source) else {
            throw failure(type, value, at: step())
        }
        return leaf
    }

    /// Why this value isn't what was asked for.
    func failure(_ type: Any.Type) -> DecodingError { failure(type, value, at: .none) }

    /// Why something inside this value isn't what was asked for.
    func failure(_ type: Any.Type, _ value: Range<Int>, at step: CodingStep) -> DecodingError {
        let path = codingPath(to: step)
        // `JSONDecoder` takes `null` for a mismatch where a Boolean is expected.
        if source.isNull(value), type != Bool.self {
            return .valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: path,
                    debugDescription: "Cannot get value of type \(type) -- found null value instead"
                ))
        }
        let found = source.kind(of: value)?.name ?? "nothing"
        return .typeMismatch(
            type,
            DecodingError.Context(
                codingPath: path,
                debugDescription: "Expected to decode \(type) but found \(found) instead."))
    }

    /// A value of the right kind that makes no sense.
    func corrupted(_ description: String, at step: CodingStep) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: codingPath(to: step), debugDescription: description))
    }
}

extension JSONKind {
    fileprivate var name: String {
        switch self {
        case .object: "a dictionary"
        case .array: "an array"
        case .string: "a string"
        case .number: "number"
        case .true, .false: "bool"
        case .null: "null"
        }
    }
}
