/// One step of a coding path.
enum CodingStep {
    /// Not a step: the value is the outermost one.
    case none
    case index(Int)
    case key(any CodingKey)

    var key: (any CodingKey)? {
        switch self {
        case .none: nil
        case .index(let index): IndexKey(index)
        case .key(let key): key
        }
    }
}

/// The place of an element, spelled as `JSONDecoder` spells it.
struct IndexKey: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }

    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }

    init?(stringValue: String) { nil }
    init?(intValue: Int) { index = intValue }
}

/// The key under which a superclass is looked for if none is given.
struct SuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}
