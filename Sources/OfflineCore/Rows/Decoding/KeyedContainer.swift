/// Decodes what is inside an object.
struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        decoder.memberNames.compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { decoder.member(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { decoder.source.isNull(try value(key)) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder.inner(type, try value(key), at: .key(key))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let value = valueUnlessNull(key) else { return nil }
        return try decoder.inner(type, value, at: .key(key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder.decoder(of: try value(key), at: .key(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.decoder(of: try value(key), at: .key(key)).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { superDecoder(at: SuperKey()) }

    func superDecoder(forKey key: Key) -> any Decoder { superDecoder(at: key) }

    /// A decoder of a member; one that isn't there passes for `null`.
    private func superDecoder(at key: some CodingKey) -> any Decoder {
        decoder.decoder(of: decoder.member(key.stringValue) ?? decoder.source.absent, at: .key(key))
    }

    @inline(__always)
    private func value(_ key: Key) throws -> Range<Int> {
        guard let value = decoder.member(key.stringValue) else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription:
                        "No value associated with key \(key) (\"\(key.stringValue)\")."))
        }
        return value
    }

    @inline(__always)
    private func valueUnlessNull(_ key: Key) -> Range<Int>? {
        guard let value = decoder.member(key.stringValue), !decoder.source.isNull(value) else {
            return nil
        }
        return value
    }

    @inline(__always)
    private func leaf<Leaf: JSONLeaf>(_ key: Key) throws -> Leaf {
        try decoder.leaf(Leaf.self, try value(key), at: .key(key))
    }

    @inline(__always)
    private func leafIfPresent<Leaf: JSONLeaf>(_ key: Key) throws -> Leaf? {
        guard let value = valueUnlessNull(key) else { return nil }
        return try decoder.leaf(Leaf.self, value, at: .key(key))
    }
}

// MARK: The leaves, one by one as the protocol wants them

extension KeyedContainer {
    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try leaf(key) }
    func decode(_: String.Type, forKey key: Key) throws -> String { try leaf(key) }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { try leaf(key) }
    func decode(_: Float.Type, forKey key: Key) throws -> Float { try leaf(key) }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try leaf(key) }
    func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try leaf(key) }
    func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try leaf(key) }
    func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try leaf(key) }
    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try leaf(key) }
    func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try leaf(key) }
    func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try leaf(key) }
    func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try leaf(key) }
    func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try leaf(key) }
    func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try leaf(key) }
    func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try leaf(key) }
    func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try leaf(key) }

    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try leafIfPresent(key) }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
        try leafIfPresent(key)
    }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? {
        try leafIfPresent(key)
    }
    func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? { try leafIfPresent(key) }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try leafIfPresent(key) }
    func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try leafIfPresent(key) }
    func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try leafIfPresent(key) }
    func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try leafIfPresent(key) }
    func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try leafIfPresent(key) }
    func decodeIfPresent(_: Int128.Type, forKey key: Key) throws -> Int128? {
        try leafIfPresent(key)
    }
    func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try leafIfPresent(key) }
    func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try leafIfPresent(key) }
    func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try leafIfPresent(key)
    }
    func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try leafIfPresent(key)
    }
    func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try leafIfPresent(key)
    }
    func decodeIfPresent(_: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try leafIfPresent(key)
    }
}
