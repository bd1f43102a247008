/// The members of one row, read by a pass over its bytes.
///
/// It holds ranges only and keeps its room from row to row, so one value can serve a whole list. The
/// ranges count from the first byte of what was handed in and mean nothing for other bytes.
package struct RowMembers: Sendable {
    /// The members in the order of the row, those with a repeated name included.
    package private(set) var members: ContiguousArray<RowMember> = []

    package init() {}

    /// Reads the row that starts at a byte, in place of the one before.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - start: Where the row's `{` is.
    ///   - depth: How many containers are open around the row.
    /// - Returns: The offset behind the row.
    /// - Throws: ``JSONError`` if no whole object stands there.
    /// - Complexity: O(*n*) in the length of the row.
    @discardableResult
    package mutating func read(
        _ bytes: Span<UInt8>, at start: Int = 0, depth: Int = 0
    ) throws(JSONError) -> Int {
        members.removeAll(keepingCapacity: true)
        var scanner = JSONScanner(at: start)
        try scanner.skipObject(in: bytes, depth: depth) { members.append($0) }
        return scanner.position
    }

    /// The member of a name; the first one if the name is repeated, as for `JSONDecoder`.
    ///
    /// - Parameters:
    ///   - name: The name as text in UTF-8, not as JSON.
    ///   - bytes: The bytes that were read.
    /// - Returns: The member, or nil if the row has none of that name.
    /// - Complexity: O(*n*) in the number of members.
    package func first(named name: Span<UInt8>, in bytes: Span<UInt8>) -> RowMember? {
        for member in members where member.isNamed(name, in: bytes) { return member }
        return nil
    }
}
