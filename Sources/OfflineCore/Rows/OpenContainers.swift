/// The arrays and objects around a place in JSON text, one bit each.
///
/// A value nested in itself thousands of times thus costs neither stack nor, up to 64 levels, an
/// allocation.
struct OpenContainers {
    private(set) var count = 0
    /// The innermost levels, the last opened in the lowest bit; a set bit is an object.
    private var innermost: UInt64 = 0
    /// Full groups of 64 levels further out.
    private var outer: ContiguousArray<UInt64> = []

    var isEmpty: Bool { count == 0 }

    /// Whether the innermost one is an object; meaningless when empty.
    var isObject: Bool { innermost & 1 == 1 }

    mutating func open(isObject: Bool) {
        if count > 0, count % 64 == 0 {
            outer.append(innermost)
            innermost = 0
        }
        innermost = innermost << 1 | (isObject ? 1 : 0)
        count += 1
    }

    mutating func close() {
        count -= 1
        innermost >>= 1
        if count > 0, count % 64 == 0, let group = outer.popLast() { innermost = group }
    }
}
