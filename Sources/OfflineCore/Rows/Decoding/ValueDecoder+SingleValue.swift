extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { source.isNull(value) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try special(type, value, at: .none) { try T(from: self) }
    }

    @inline(__always)
    private func leaf<Leaf: JSONLeaf>() throws -> Leaf {
        try leaf(Leaf.self, value, at: .none)
    }

    // The leaves, one by one as the protocol wants them.

    func decode(_: Bool.Type) throws -> Bool { try leaf() }
    func decode(_: String.Type) throws -> String { try leaf() }
    func decode(_: Double.Type) throws -> Double { try leaf() }
    func decode(_: Float.Type) throws -> Float { try leaf() }
    func decode(_: Int.Type) throws -> Int { try leaf() }
    func decode(_: Int8.Type) throws -> Int8 { try leaf() }
    func decode(_: Int16.Type) throws -> Int16 { try leaf() }
    func decode(_: Int32.Type) throws -> Int32 { try leaf() }
    func decode(_: Int64.Type) throws -> Int64 { try leaf() }
    func decode(_: Int128.Type) throws -> Int128 { try leaf() }
    func decode(_: UInt.Type) throws -> UInt { try leaf() }
    func decode(_: UInt8.Type) throws -> UInt8 { try leaf() }
    func decode(_: UInt16.Type) throws -> UInt16 { try leaf() }
    func decode(_: UInt32.Type) throws -> UInt32 { try leaf() }
    func decode(_: UInt64.Type) throws -> UInt64 { try leaf() }
    func decode(_: UInt128.Type) throws -> UInt128 { try leaf() }
}
