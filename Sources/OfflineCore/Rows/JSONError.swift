/// Why bytes are no JSON text, and at which byte that shows.
///
/// Offsets count from the first byte of what was handed in. No content is carried along, so that an
/// error can be logged.
package enum JSONError: Error, Hashable, Sendable {
    /// The text ends too early: nothing wrong so far, but something is missing.
    case unexpectedEnd(offset: Int)
    /// A byte that can't stand here. A byte order mark is such a byte too.
    case unexpectedByte(offset: Int)
    /// A number against the grammar, such as `01`, `1.` or `-x`.
    case invalidNumber(offset: Int)
    /// A backslash with something else behind it than an escape.
    case invalidEscape(offset: Int)
    /// A raw control character inside a string.
    case controlCharacter(offset: Int)
    /// Bytes inside a string that are no UTF-8: cut, overlong, a surrogate, past U+10FFFF.
    case invalidUTF8(offset: Int)
    /// An escaped half of a surrogate pair. Only asking for the text of a string finds it.
    case loneSurrogate(offset: Int)
    /// More arrays and objects inside each other than ``JSONScanner/deepestNesting``.
    case tooDeep(offset: Int)
    /// Something after the end of the value.
    case trailingBytes(offset: Int)
}
