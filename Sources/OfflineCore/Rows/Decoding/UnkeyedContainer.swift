/// Decodes the elements of an array, one after the other.
struct UnkeyedContainer: UnkeyedDecodingContainer {
    private let decoder: ValueDecoder
    /// Where the next element begins.
    private var position: Int
    private(set) var currentIndex = 0
    private(set) var isAtEnd: Bool

    /// Starts with the first element.
    init(decoder: ValueDecoder) throws(JSONError) {
        self.decoder = decoder
        let bytes = decoder.source.bytes
        var scanner = JSONScanner(at: decoder.value.lowerBound + 1)
        scanner.skipWhitespace(in: bytes.span)
        position = scanner.position
        isAtEnd = scanner.byte(in: bytes.span) == .closingBracket
        if isAtEnd { try end() }
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// The number of elements.
    ///
    /// - Complexity: O(*n*) in the bytes of the array.
    var count: Int? {
        let bytes = decoder.source.bytes
        var scanner = JSONScanner(at: decoder.value.lowerBound + 1)
        var count = 0
        scanner.skipWhitespace(in: bytes.span)
        while scanner.byte(in: bytes.span) != .closingBracket {
            guard (try? scanner.skipValue(in: bytes.span, depth: 1)) != nil else { return nil }
            count += 1
            scanner.skipWhitespace(in: bytes.span)
            guard scanner.byte(in: bytes.span) == .comma else { break }
            scanner.position += 1
            scanner.skipWhitespace(in: bytes.span)
        }
        return count
    }

    // MARK: Elements

    mutating func decodeNil() throws -> Bool {
        try expectElement(Never.self)
        let next = position..<position
        guard decoder.source.isNull(next) else { return false }
        try advance(behind: try endOfValue())
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try expectElement(type)
        return try element(type)
    }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        guard try !skipNull() else { return nil }
        return try element(type)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let (inner, end) = try nestedDecoder(KeyedDecodingContainer<NestedKey>.self)
        let container = try inner.container(keyedBy: type)
        try advance(behind: end)
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let (inner, end) = try nestedDecoder((any UnkeyedDecodingContainer).self)
        let container = try inner.unkeyedContainer()
        try advance(behind: end)
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let (inner, end) = try nestedDecoder((any Decoder).self)
        try advance(behind: end)
        return inner
    }

    @inline(__always)
    private mutating func element<T: Decodable>(_ type: T.Type) throws -> T {
        let step = CodingStep.index(currentIndex)
        guard decoder.source.kind(of: position..<position) == .object else {
            let end = try endOfValue()
            let result = try decoder.inner(type, position..<end, at: step)
            try advance(behind: end)
            return result
        }
        // An object is read to its end and taken apart in one go.
        let start = position
        let (result, end) = try decoder.withDecoder(of: start..<start, at: step) { inner in
            try inner.readObject()
            let end = inner.value.upperBound
            let result = try decoder.special(type, start..<end, at: step) { try T(from: inner) }
            return (result, end)
        }
        try advance(behind: end)
        return result
    }

    @inline(__always)
    private mutating func leaf<Leaf: JSONLeaf>() throws -> Leaf {
        try expectElement(Leaf.self)
        return try presentLeaf()
    }

    @inline(__always)
    private mutating func leafIfPresent<Leaf: JSONLeaf>() throws -> Leaf? {
        guard try !skipNull() else { return nil }
        return try presentLeaf()
    }

    @inline(__always)
    private mutating func presentLeaf<Leaf: JSONLeaf>() throws -> Leaf {
        let end = try endOfValue()
        let leaf = try decoder.leaf(Leaf.self, position..<end, at: .index(currentIndex))
        try advance(behind: end)
        return leaf
    }

    private func nestedDecoder(_ type: Any.Type) throws -> (ValueDecoder, end: Int) {
        try expectElement(type)
        let end = try endOfValue()
        return (decoder.decoder(of: position..<end, at: .index(currentIndex)), end)
    }

    // MARK: Moving on

    @inline(__always)
    private func expectElement(_ type: Any.Type) throws {
        guard isAtEnd else { return }
        throw DecodingError.valueNotFound(
            type,
            DecodingError.Context(
                codingPath: decoder.codingPath(to: .index(currentIndex)),
                debugDescription: "Unkeyed container is at end."))
    }

    /// Passes over `null`; and over the end, as `JSONDecoder` does.
    private mutating func skipNull() throws -> Bool {
        if isAtEnd {
            currentIndex += 1
            return true
        }
        return try decodeNil()
    }

    private func endOfValue() throws(JSONError) -> Int {
        let bytes = decoder.source.bytes
        var scanner = JSONScanner(at: position)
        try scanner.skipValue(in: bytes.span, depth: 1)
        return scanner.position
    }

    @inline(__always)
    private mutating func advance(behind end: Int) throws(JSONError) {
        let bytes = decoder.source.bytes
        var scanner = JSONScanner(at: end)
        scanner.skipWhitespace(in: bytes.span)
        switch scanner.byte(in: bytes.span) {
        case .comma:
            scanner.position += 1
            scanner.skipWhitespace(in: bytes.span)
            position = scanner.position
        case .closingBracket:
            position = scanner.position
            isAtEnd = true
            try self.end()
        default:
            throw scanner.unexpected(in: bytes.span)
        }
        currentIndex += 1
    }

    /// Looks behind the outermost array.
    private func end() throws(JSONError) {
        guard decoder.parent == nil else { return }
        let bytes = decoder.source.bytes
        var scanner = JSONScanner(at: position + 1)
        try scanner.expectEnd(in: bytes.span)
        decoder.source.isReadToItsEnd = true
    }
}

// MARK: The leaves, one by one as the protocol wants them

extension UnkeyedContainer {
    mutating func decode(_: Bool.Type) throws -> Bool { try leaf() }
    mutating func decode(_: String.Type) throws -> String { try leaf() }
    mutating func decode(_: Double.Type) throws -> Double { try leaf() }
    mutating func decode(_: Float.Type) throws -> Float { try leaf() }
    mutating func decode(_: Int.Type) throws -> Int { try leaf() }
    mutating func decode(_: Int8.Type) throws -> Int8 { try leaf() }
    mutating func decode(_: Int16.Type) throws -> Int16 { try leaf() }
    mutating func decode(_: Int32.Type) throws -> Int32 { try leaf() }
    mutating func decode(_: Int64.Type) throws -> Int64 { try leaf() }
    mutating func decode(_: Int128.Type) throws -> Int128 { try leaf() }
    mutating func decode(_: UInt.Type) throws -> UInt { try leaf() }
    mutating func decode(_: UInt8.Type) throws -> UInt8 { try leaf() }
    mutating func decode(_: UInt16.Type) throws -> UInt16 { try leaf() }
    mutating func decode(_: UInt32.Type) throws -> UInt32 { try leaf() }
    mutating func decode(_: UInt64.Type) throws -> UInt64 { try leaf() }
    mutating func decode(_: UInt128.Type) throws -> UInt128 { try leaf() }

    // `Int128` and `UInt128` are left to the standard library, which doesn't pass over the end: as
    // `JSONDecoder` does.

    mutating func decodeIfPresent(_: Bool.Type) throws -> Bool? { try leafIfPresent() }
    mutating func decodeIfPresent(_: String.Type) throws -> String? { try leafIfPresent() }
    mutating func decodeIfPresent(_: Double.Type) throws -> Double? { try leafIfPresent() }
    mutating func decodeIfPresent(_: Float.Type) throws -> Float? { try leafIfPresent() }
    mutating func decodeIfPresent(_: Int.Type) throws -> Int? { try leafIfPresent() }
    mutating func decodeIfPresent(_: Int8.Type) throws -> Int8? { try leafIfPresent() }
    mutating func decodeIfPresent(_: Int16.Type) throws -> Int16? { try leafIfPresent() }
    mutating func decodeIfPresent(_: Int32.Type) throws -> Int32? { try leafIfPresent() }
    mutating func decodeIfPresent(_: Int64.Type) throws -> Int64? { try leafIfPresent() }
    mutating func decodeIfPresent(_: UInt.Type) throws -> UInt? { try leafIfPresent() }
    mutating func decodeIfPresent(_: UInt8.Type) throws -> UInt8? { try leafIfPresent() }
    mutating func decodeIfPresent(_: UInt16.Type) throws -> UInt16? { try leafIfPresent() }
    mutating func decodeIfPresent(_: UInt32.Type) throws -> UInt32? { try leafIfPresent() }
    mutating func decodeIfPresent(_: UInt64.Type) throws -> UInt64? { try leafIfPresent() }
}
