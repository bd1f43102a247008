public import FoundationEssentials

/// A value that a filter can compare with.
///
/// PostgREST reads it as text and PostgreSQL by the column's type. There is no conformance for
/// optionals: `column = NULL` is never true, so ask with `is` instead.
public protocol PostgrestFilterValue: PostgrestArrayElement {
    /// The value as PostgREST reads it.
    var rawValue: String { get }
}

/// A value that can stand in an array with which a filter compares.
///
/// Every ``PostgrestFilterValue`` is one, and so is an optional of it: in an array, nil is SQL's
/// null.
public protocol PostgrestArrayElement: Sendable {
    /// The value as it stands in an array literal of PostgreSQL, quoted where it needs it.
    var arrayElement: String { get }
}

extension PostgrestFilterValue {
    /// The value in double quotes, if PostgreSQL would misread it bare.
    public var arrayElement: String { quotedArrayElement(rawValue) }
}

extension Optional: PostgrestArrayElement where Wrapped: PostgrestFilterValue {
    /// The value, or `NULL`.
    public var arrayElement: String { self?.arrayElement ?? "NULL" }
}

extension String: PostgrestFilterValue {
    /// The text itself; a scalar operand is never quoted.
    public var rawValue: String { self }
}

extension Int: PostgrestFilterValue {
    /// The decimal digits.
    public var rawValue: String { description }
}

extension Int64: PostgrestFilterValue {
    /// The decimal digits.
    public var rawValue: String { description }
}

extension Double: PostgrestFilterValue {
    /// The shortest digits that give the same number back.
    public var rawValue: String { description }
}

extension Decimal: PostgrestFilterValue {
    /// All the digits.
    public var rawValue: String { description }
}

extension Bool: PostgrestFilterValue {
    /// `true` or `false`.
    public var rawValue: String { description }
}

extension UUID: PostgrestFilterValue {
    /// The hyphenated form in upper case.
    public var rawValue: String { uuidString }
}

extension Date: PostgrestFilterValue {
    /// The instant in UTC, rounded to milliseconds.
    public var rawValue: String { Timestamp(self).text(fractionDigits: 3) }
}

extension Array: PostgrestArrayElement where Element: PostgrestArrayElement {
    /// An array in an array stands bare.
    public var arrayElement: String {
        "{" + map(\.arrayElement).joined(separator: ",") + "}"
    }
}

extension Array: PostgrestFilterValue where Element: PostgrestArrayElement {
    /// A PostgreSQL array literal: `{a,"b c"}`.
    public var rawValue: String { arrayElement }
}

/// Quotes an element of an array literal where PostgreSQL would misread it bare.
func quotedArrayElement(_ text: String) -> String {
    let isMisread =
        text.isEmpty || text.uppercased() == "NULL" || text.hasBlankEdge
        || text.utf8.contains { #",{}"\"#.utf8.contains($0) }
    return isMisread ? text.doubleQuoted : text
}

/// Quotes an element of `in.(…)` where PostgREST would misread it bare.
///
/// An empty text and `null` are quoted as well, where supabase-swift leaves them bare: the one
/// would vanish beside another element, the other reads as if it were SQL's null.
func quotedListElement(_ text: String) -> String {
    let isMisread =
        text.isEmpty || text.lowercased() == "null" || text.hasBlankEdge
        || text.utf8.contains { #",()"\"#.utf8.contains($0) }
    return isMisread ? text.doubleQuoted : text
}

extension String {
    fileprivate var hasBlankEdge: Bool {
        first?.isWhitespace == true || last?.isWhitespace == true
    }

    /// The text in quotes, as lists and trees of filters take any.
    var doubleQuoted: String {
        var quoted = "\""
        for character in self {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "\""
    }
}
