// Every filter is one item of the query, in PostgREST's form `column=operator.value`. All of them
// must hold; two on one column are both sent. A column of an embedded table is written with its
// table: `"comments.author"`.
extension PostgrestRequestBuilder where Phase: PostgrestFilterablePhase {
    /// Keeps rows whose column equals a value.
    public func eq(_ column: String, value: some PostgrestFilterValue) -> Self {
        compare(column, "eq", value)
    }

    /// Keeps rows whose column differs from a value; a row without a value differs from none.
    public func neq(_ column: String, value: some PostgrestFilterValue) -> Self {
        compare(column, "neq", value)
    }

    /// Keeps rows whose column is greater than a value.
    public func gt(_ column: String, value: some PostgrestFilterValue) -> Self {
        compare(column, "gt", value)
    }

    /// Keeps rows whose column is greater than a value or equal to it.
    public func gte(_ column: String, value: some PostgrestFilterValue) -> Self {
        compare(column, "gte", value)
    }

    /// Keeps rows whose column is less than a value.
    public func lt(_ column: String, value: some PostgrestFilterValue) -> Self {
        compare(column, "lt", value)
    }

    /// Keeps rows whose column is less than a value or equal to it.
    public func lte(_ column: String, value: some PostgrestFilterValue) -> Self {
        compare(column, "lte", value)
    }

    /// Keeps rows whose text matches a pattern, in which `%` and `*` stand for any characters and
    /// `_` for one.
    public func like(_ column: String, pattern: some PostgrestFilterValue) -> Self {
        compare(column, "like", pattern)
    }

    /// Keeps rows whose text matches a pattern in either case.
    public func ilike(_ column: String, pattern: some PostgrestFilterValue) -> Self {
        compare(column, "ilike", pattern)
    }

    /// Keeps rows whose text matches all patterns.
    public func likeAllOf(_ column: String, patterns: [some PostgrestFilterValue]) -> Self {
        compare(column, "like(all)", patterns)
    }

    /// Keeps rows whose text matches one of the patterns.
    public func likeAnyOf(_ column: String, patterns: [some PostgrestFilterValue]) -> Self {
        compare(column, "like(any)", patterns)
    }

    /// Keeps rows whose text matches all patterns in either case.
    public func iLikeAllOf(_ column: String, patterns: [some PostgrestFilterValue]) -> Self {
        compare(column, "ilike(all)", patterns)
    }

    /// Keeps rows whose text matches one of the patterns in either case.
    public func iLikeAnyOf(_ column: String, patterns: [some PostgrestFilterValue]) -> Self {
        compare(column, "ilike(any)", patterns)
    }

    /// Keeps rows whose text matches a regular expression of PostgreSQL.
    public func match(_ column: String, pattern: some PostgrestFilterValue) -> Self {
        compare(column, "match", pattern)
    }

    /// Keeps rows whose text matches a regular expression of PostgreSQL in either case.
    public func imatch(_ column: String, pattern: some PostgrestFilterValue) -> Self {
        compare(column, "imatch", pattern)
    }

    /// Keeps rows whose columns equal the values; the same as one `eq` for each.
    public func match(_ query: [String: any PostgrestFilterValue]) -> Self {
        // A dictionary has another order in each run; the request should not.
        query.sorted { $0.key < $1.key }.reduce(self) { builder, entry in
            builder.filter(entry.key, operator: "eq", value: entry.value.rawValue)
        }
    }

    /// Keeps rows whose column is true, false, or without a value (nil).
    public func `is`(_ column: String, value: Bool?) -> Self {
        filter(column, operator: "is", value: value.map(\.description) ?? "NULL")
    }

    /// Keeps rows whose column differs from a value, those without one among them.
    public func isDistinct(_ column: String, value: some PostgrestFilterValue) -> Self {
        compare(column, "isdistinct", value)
    }

    /// Keeps rows whose column equals one of the values; without values, none.
    public func `in`(_ column: String, values: [any PostgrestFilterValue]) -> Self {
        filter(column, operator: "in", value: listLiteral(values))
    }

    /// Keeps rows whose column equals none of the values; without values, all.
    public func notIn(_ column: String, values: [any PostgrestFilterValue]) -> Self {
        filter(column, operator: "not.in", value: listLiteral(values))
    }

    /// Keeps rows whose array, range or JSON contains a value.
    public func contains(_ column: String, value: some PostgrestFilterValue) -> Self {
        compare(column, "cs", value)
    }

    /// Keeps rows whose array, range or JSON is contained in a value.
    public func containedBy(_ column: String, value: some PostgrestFilterValue) -> Self {
        compare(column, "cd", value)
    }

    /// Keeps rows whose array or range has something in common with a value.
    public func overlaps(_ column: String, value: some PostgrestFilterValue) -> Self {
        compare(column, "ov", value)
    }

    /// Keeps rows whose range lies wholly before another.
    public func rangeLt(_ column: String, range: some PostgrestFilterValue) -> Self {
        compare(column, "sl", range)
    }

    /// Keeps rows whose range lies wholly behind another.
    public func rangeGt(_ column: String, range: some PostgrestFilterValue) -> Self {
        compare(column, "sr", range)
    }

    /// Keeps rows whose range doesn't begin before another.
    public func rangeGte(_ column: String, range: some PostgrestFilterValue) -> Self {
        compare(column, "nxl", range)
    }

    /// Keeps rows whose range doesn't end behind another.
    public func rangeLte(_ column: String, range: some PostgrestFilterValue) -> Self {
        compare(column, "nxr", range)
    }

    /// Keeps rows whose range lies next to another, with nothing between.
    public func rangeAdjacent(_ column: String, range: some PostgrestFilterValue) -> Self {
        compare(column, "adj", range)
    }

    /// Keeps rows that a full-text search finds.
    ///
    /// - Parameters:
    ///   - column: A column of text or `tsvector`.
    ///   - query: The search, in the syntax that `type` names.
    ///   - config: The text search configuration, such as `english`.
    ///   - type: The syntax of `query`; nil is that of `to_tsquery`.
    /// - Returns: The request with the filter.
    public func textSearch(
        _ column: String, query: String, config: String? = nil, type: TextSearchType? = nil
    ) -> Self {
        let name = (type?.rawValue ?? "") + "fts" + (config.map { "(\($0))" } ?? "")
        return filter(column, operator: name, value: query)
    }

    /// Keeps rows that a full-text search in the syntax of `to_tsquery` finds.
    public func fts(_ column: String, query: String, config: String? = nil) -> Self {
        textSearch(column, query: query, config: config)
    }

    /// Keeps rows that another filter drops, but for those that it can't decide.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - operator: The operator of the other filter.
    ///   - value: Its value, as PostgREST reads it: a list for `in` is `(1,2)`.
    /// - Returns: The request with the filter.
    public func not(
        _ column: String, operator: PostgrestOperator, value: some PostgrestFilterValue
    ) -> Self {
        compare(column, "not.\(`operator`.rawValue)", value)
    }

    /// Keeps rows that pass one of several filters.
    ///
    /// - Parameters:
    ///   - filters: The filters in PostgREST's form, joined by commas:
    ///     `"priority.gt.3,done.is.true"`. They are sent as they are; quote what needs it.
    ///   - referencedTable: The embedded table whose rows to keep instead.
    /// - Returns: The request with the filter.
    public func or(_ filters: some PostgrestFilterValue, referencedTable: String? = nil) -> Self {
        changed { $0.append("or".item(of: referencedTable), "(\(filters.rawValue))") }
    }

    /// Keeps rows that pass a filter in PostgREST's own words, sent as they are.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - operator: The operator, such as `eq` or `not.is`.
    ///   - value: The value, quoted where PostgREST needs it.
    /// - Returns: The request with the filter.
    public func filter(_ column: String, operator: String, value: String) -> Self {
        changed { $0.append(column, "\(`operator`).\(value)") }
    }

    private func compare(
        _ column: String, _ name: String, _ value: some PostgrestFilterValue
    ) -> Self {
        filter(column, operator: name, value: value.rawValue)
    }

    private func listLiteral(_ values: [any PostgrestFilterValue]) -> String {
        "(" + values.map { quotedListElement($0.rawValue) }.joined(separator: ",") + ")"
    }
}

// The longer names of supabase-swift.
extension PostgrestRequestBuilder where Phase: PostgrestFilterablePhase {
    /// The same as ``eq(_:value:)``.
    public func equals(_ column: String, value: String) -> Self { eq(column, value: value) }
    /// The same as ``neq(_:value:)``.
    public func notEquals(_ column: String, value: String) -> Self { neq(column, value: value) }
    /// The same as ``gt(_:value:)``.
    public func greaterThan(_ column: String, value: String) -> Self { gt(column, value: value) }
    /// The same as ``gte(_:value:)``.
    public func greaterThanOrEquals(_ column: String, value: String) -> Self {
        gte(column, value: value)
    }
    /// The same as ``lt(_:value:)``.
    public func lowerThan(_ column: String, value: String) -> Self { lt(column, value: value) }
    /// The same as ``lte(_:value:)``.
    public func lowerThanOrEquals(_ column: String, value: String) -> Self {
        lte(column, value: value)
    }
}

/// An operator of PostgREST.
public struct PostgrestOperator: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The operator's word on the wire.
    public let rawValue: String

    /// Creates an operator that PostgREST knows by this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an operator that PostgREST knows by this word.
    public init(stringLiteral value: String) { rawValue = value }
}

extension PostgrestOperator {
    /// Equal.
    public static let eq: Self = "eq"
    /// Not equal.
    public static let neq: Self = "neq"
    /// Greater.
    public static let gt: Self = "gt"
    /// Greater or equal.
    public static let gte: Self = "gte"
    /// Less.
    public static let lt: Self = "lt"
    /// Less or equal.
    public static let lte: Self = "lte"
    /// Matches a pattern.
    public static let like: Self = "like"
    /// Matches a pattern in either case.
    public static let ilike: Self = "ilike"
    /// Matches a regular expression.
    public static let match: Self = "match"
    /// Matches a regular expression in either case.
    public static let imatch: Self = "imatch"
    /// Is null, true, false or unknown.
    public static let `is`: Self = "is"
    /// Differs, null being a value like others.
    public static let isdistinct: Self = "isdistinct"
    /// Equals one of a list.
    public static let `in`: Self = "in"
    /// Contains.
    public static let cs: Self = "cs"
    /// Is contained.
    public static let cd: Self = "cd"
    /// Overlaps.
    public static let ov: Self = "ov"
    /// Lies wholly before.
    public static let sl: Self = "sl"
    /// Lies wholly behind.
    public static let sr: Self = "sr"
    /// Doesn't begin before.
    public static let nxl: Self = "nxl"
    /// Doesn't end behind.
    public static let nxr: Self = "nxr"
    /// Lies next to.
    public static let adj: Self = "adj"
    /// Found by `to_tsquery`.
    public static let fts: Self = "fts"
    /// Found by `plainto_tsquery`.
    public static let plfts: Self = "plfts"
    /// Found by `phraseto_tsquery`.
    public static let phfts: Self = "phfts"
    /// Found by `websearch_to_tsquery`.
    public static let wfts: Self = "wfts"
}

/// The syntax of a full-text search.
public struct TextSearchType: RawRepresentable, Hashable, Sendable {
    /// What stands before `fts` on the wire.
    public let rawValue: String

    /// Creates a type that PostgREST knows by these letters.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Plain words, all of which must occur.
    public static let plain = TextSearchType(rawValue: "pl")
    /// Words that must follow each other.
    public static let phrase = TextSearchType(rawValue: "ph")
    /// The syntax of web search engines.
    public static let websearch = TextSearchType(rawValue: "w")
}
