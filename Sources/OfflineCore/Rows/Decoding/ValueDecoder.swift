/// Decodes one value of a text.
///
/// It is also a place in the coding path, and holds the members if the value is an object.
final class ValueDecoder {
    let source: JSONSource
    /// Where the value is.
    ///
    /// The outermost array ends where the text does, as far as is known before it is read.
    private(set) var value: Range<Int>
    private(set) var parent: ValueDecoder?
    private var step: CodingStep
    /// The members, once ``readObject()`` has found them.
    private(set) var object = ObjectMembers()
    private var isObjectRead = false

    init(
        of value: Range<Int>, in source: JSONSource, parent: ValueDecoder? = nil,
        step: CodingStep = .none
    ) {
        self.source = source
        self.value = value
        self.parent = parent
        self.step = step
    }

    /// Turns to another value.
    func enter(_ value: Range<Int>, parent: ValueDecoder, step: CodingStep) {
        self.value = value
        self.parent = parent
        self.step = step
        isObjectRead = false
    }

    /// Turns to no value.
    func leave() {
        parent = nil
        step = .none
    }

    /// Finds the members of the object that begins where the value does, and with them its end.
    func readObject() throws(JSONError) {
        guard !isObjectRead else { return }
        let bytes = source.bytes
        let end = try object.read(
            bytes.span, at: value.lowerBound, depth: parent == nil ? 0 : 1)
        value = value.lowerBound..<end
        isObjectRead = true
    }

    /// The value of the first member with a name.
    @inline(__always)
    func member(_ name: String) -> Range<Int>? {
        let bytes = source.bytes
        return object.value(named: name, in: bytes.span)
    }

    /// The different names of the members.
    var memberNames: [String] {
        let bytes = source.bytes
        return object.names(in: bytes.span)
    }

    // MARK: Coding paths

    var codingPath: [any CodingKey] {
        var keys: [any CodingKey] = []
        var place: ValueDecoder? = self
        while let current = place {
            if let key = current.step.key { keys.append(key) }
            place = current.parent
        }
        keys.reverse()
        return keys
    }

    /// The path of something inside this value.
    func codingPath(to step: CodingStep) -> [any CodingKey] {
        guard let key = step.key else { return codingPath }
        return codingPath + [key]
    }

    // MARK: Inner values

    /// Lets `body` use a decoder of something inside this value.
    @inline(__always)
    func withDecoder<R>(
        of value: Range<Int>, at step: CodingStep, _ body: (ValueDecoder) throws -> R
    ) rethrows -> R {
        var decoder = source.takeDecoder()
        decoder.enter(value, parent: self, step: step)
        defer { source.giveBack(&decoder) }
        return try body(decoder)
    }

    /// A decoder of something inside this value, for somebody who will keep it.
    func decoder(of value: Range<Int>, at step: CodingStep) -> ValueDecoder {
        ValueDecoder(of: value, in: source, parent: self, step: step)
    }
}

extension ValueDecoder: Decoder {
    var userInfo: [CodingUserInfoKey: Any] { source.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard source.kind(of: value) == .object else { throw failure([String: Any].self) }
        try readObject()
        let bytes = source.bytes
        try object.checkNames(in: bytes.span)
        return KeyedDecodingContainer(KeyedContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard source.kind(of: value) == .array else { throw failure([Any].self) }
        return try UnkeyedContainer(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
