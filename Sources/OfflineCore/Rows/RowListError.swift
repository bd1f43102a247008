/// Why the body of an answer can't be kept as a list of rows.
package enum RowListError: Error, Hashable, Sendable {
    /// The body is no JSON text.
    case invalid(JSONError)
    /// The body is JSON as far as it was read, but at this byte something else begins than the array
    /// or one of the objects in it.
    case notAList(offset: Int)
    /// The body has more bytes than ``RowDirectory/longestBody``.
    case tooLong(count: Int)
}

/// Why stored bytes can't be read as a directory.
package enum RowDirectoryError: Error, Hashable, Sendable {
    /// Another version of this library wrote them, or they are no directory at all.
    case unknownFormat(UInt8)
    /// They are cut or contradict themselves.
    case corrupted
}
