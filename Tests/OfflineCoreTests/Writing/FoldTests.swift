import Testing

@testable import OfflineCore

@Suite("A list, after a write that the server has taken", .timeLimit(.minutes(5)))
struct FoldTests {
    private static let rows = #"[{"id":1,"t":"a","d":false},{"id":2,"t":"b","d":false}]"#
    private static let first = #"{"id":1,"t":"a","d":false}"#
    private static let second = #"{"id":2,"t":"b","d":false}"#
    private static let third = #"{"id":3,"t":"c","d":true}"#

    static let inserts: [FoldCase] = [
        .init(
            name: "takes a row as the server has it", before: rows,
            write: .insert(#"{"t":"c"}"#, returning: "[\(third)]"),
            after: "[\(first),\(second),\(third)]"),
        .init(
            name: "takes a single row that comes as an object", before: rows,
            write: .insert(#"{"t":"c"}"#, returning: third).accepting(MediaType.object),
            after: "[\(first),\(second),\(third)]"),
        .init(
            name: "takes a row from a payload that has every column", before: rows,
            write: .insert(third), after: "[\(first),\(second),\(third)]"),
        .init(
            name: "shows a payload that lacks columns, and is stale", before: rows,
            write: .insert(#"{"id":3,"t":"c"}"#),
            after: #"[\#(first),\#(second),{"id":3,"t":"c"}]"#, isStale: true),
        .init(
            name: "without rows can't know that a payload is whole", before: "[]",
            write: .insert(third), after: "[\(third)]", isStale: true),
        .init(
            name: "without rows knows that what the server returns is whole", before: "[]",
            write: .insert(#"{"t":"c"}"#, returning: "[\(third)]"), after: "[\(third)]"),
        .init(
            name: "needs no columns that it doesn't show", list: "select=id,t", before: "[]",
            write: .insert(third), after: #"[{"id":3,"t":"c"}]"#),
        .init(
            name: "shows a column under its other name", list: "select=id,title:t", before: "[]",
            write: .insert(third), after: #"[{"id":3,"title":"c"}]"#),
        .init(
            name: "is stale where it shows what is no column", list: "select=id,n:t::text",
            before: "[]", write: .insert(third), after: #"[{"id":3}]"#, isStale: true),
        .init(
            name: "is stale where it shows other tables' rows", list: "select=*,photos(*)",
            before: "[]", write: .insert(#"{"t":"c"}"#, returning: "[\(third)]"),
            after: "[\(third)]", isStale: true),
        .init(
            name: "keeps out a row that its filter excludes", list: "select=*&d=eq.false",
            before: rows, write: .insert(#"{"t":"c"}"#, returning: "[\(third)]")),
        .init(
            name: "keeps out a payload that its filter excludes", list: "select=*&d=is.false",
            before: rows, write: .insert(#"{"id":3,"d":true}"#)),
        .init(
            name: "shows a row of which its filter can't be decided, and is stale",
            list: "select=*&t=fts.x", before: rows,
            write: .insert(#"{"t":"c"}"#, returning: "[\(third)]"),
            after: "[\(first),\(second),\(third)]", isStale: true),
        .init(
            name: "is stale where the payload lacks what its filter reads",
            list: "select=id,t&o=eq.1", before: "[]", write: .insert(#"{"id":3,"t":"c"}"#),
            after: #"[{"id":3,"t":"c"}]"#, isStale: true),
        .init(
            name: "with an offset admits no row, and is stale", list: "select=*&offset=10",
            before: rows, write: .insert(#"{"t":"c"}"#, returning: "[\(third)]"), isStale: true),
        .init(
            name: "with a limit that it doesn't reach takes a row", list: "select=*&limit=3",
            before: rows, write: .insert(#"{"t":"c"}"#, returning: "[\(third)]"),
            after: "[\(first),\(second),\(third)]"),
        .init(
            name: "with a limit that it reaches is stale", list: "select=*&limit=2&order=t",
            before: rows, write: .insert(#"{"t":"c"}"#, returning: "[\(third)]"),
            after: "[\(first),\(second),\(third)]", isStale: true),
        .init(
            name: "takes no row twice", before: rows,
            write: .insert(#"{"id":2}"#, returning: #"[{"id":2,"t":"x","d":true}]"#),
            after: #"[\#(first),{"id":2,"t":"x","d":true}]"#),
        .init(
            name: "adds what the payload tells to what the server returns", before: rows,
            write: .insert(#"{"t":"c","d":true}"#, "select=id", returning: #"[{"id":3}]"#),
            after: "[\(first),\(second),\(third)]", isStale: true),
        .init(
            name: "adds payloads to the rows with their keys", before: rows,
            write: .insert(
                #"[{"id":4,"t":"d"},{"id":3,"t":"c"}]"#, "select=id,d",
                returning: #"[{"id":3,"d":true},{"id":4,"d":false}]"#),
            after: #"[\#(first),\#(second),{"id":3,"d":true,"t":"c"},{"id":4,"d":false,"t":"d"}]"#,
            isStale: true),
        .init(
            name: "can't place a row without a key, and is stale", before: rows,
            write: .insert(#"{"t":"c"}"#), isStale: true),
        .init(
            name: "that doesn't show keys can't place a row, and is stale", list: "select=t",
            before: #"[{"t":"a"}]"#, write: .insert(third), isStale: true),
        .init(
            name: "keeps out a row without a key that its filter excludes",
            list: "select=*&t=eq.a", before: #"[{"id":1,"t":"a"}]"#,
            write: .insert(#"{"t":"c"}"#, "columns=\"t\"")),
        .init(
            name: "takes null for what one of several payloads lacks", list: "select=id,t,d",
            before: "[]",
            write: .insert(#"[{"id":3,"t":"c"},{"id":4,"d":true}]"#, "columns=id,t,d"),
            after: #"[{"id":3,"t":"c","d":null},{"id":4,"d":true,"t":null}]"#),
        .init(
            name: "is stale where missing columns have their defaults", list: "select=id,t,d",
            before: "[]",
            write: .insert(#"[{"id":3,"t":"c"}]"#, "columns=id,t,d", prefer: "missing=default"),
            after: #"[{"id":3,"t":"c"}]"#, isStale: true),
        .init(
            name: "is not touched by a row that PostgREST did not add", before: rows,
            write: .upsert(#"{"id":2,"t":"x"}"#, returning: "[]", ignoring: true)),
        .init(
            name: "takes back what a tree of filters has hidden from the answer", before: rows,
            write: .insert(#"{"id":3,"t":"c"}"#, "or=(t.eq.x)", returning: "[]"),
            after: #"[\#(first),\#(second),{"id":3,"t":"c"}]"#, isStale: true),
    ]

    static let upserts: [FoldCase] = [
        .init(
            name: "takes an upserted row as the server has it", before: rows,
            write: .upsert(#"{"id":2,"t":"x"}"#, returning: #"[{"id":2,"t":"x","d":true}]"#),
            after: #"[\#(first),{"id":2,"t":"x","d":true}]"#),
        .init(
            name: "keeps the columns that an upsert doesn't name, and is stale", before: rows,
            write: .upsert(#"{"id":2,"t":"x"}"#),
            after: #"[\#(first),{"id":2,"t":"x","d":false}]"#, isStale: true),
        .init(
            name: "finds a row by other columns than its key", before: rows,
            write: .upsert(#"{"t":"b","d":true}"#, "on_conflict=t"),
            after: #"[\#(first),{"id":2,"t":"b","d":true}]"#, isStale: true),
        .init(
            name: "keeps the spelling of a key",
            before: #"[{"id":"aaaaaaaa-0000-4000-8000-00000000000a","t":"a"}]"#,
            write: .upsert(
                #"{"id":"AAAAAAAA-0000-4000-8000-00000000000A","t":"x"}"#),
            after: #"[{"id":"aaaaaaaa-0000-4000-8000-00000000000a","t":"x"}]"#, isStale: true),
        .init(
            name: "keeps a row that is ignored as it is", before: rows,
            write: .upsert(#"{"id":2,"t":"x"}"#, ignoring: true)),
    ]

    @Test(arguments: inserts + upserts)
    func `of new rows`(_ one: FoldCase) throws { try check(one) }

    static let updates: [FoldCase] = [
        .init(
            name: "takes a changed row as the server has it", before: rows,
            write: .update(#"{"t":"x"}"#, "id=eq.2", returning: #"[{"id":2,"t":"x","d":true}]"#),
            after: #"[\#(first),{"id":2,"t":"x","d":true}]"#),
        .init(
            name: "takes the payload where nothing is returned, and is stale", before: rows,
            write: .update(#"{"t":"x"}"#, "id=eq.2"),
            after: #"[\#(first),{"id":2,"t":"x","d":false}]"#, isStale: true),
        .init(
            name: "is not touched by a row that it doesn't hold and excludes",
            list: "select=*&d=eq.false", before: rows,
            write: .update(#"{"t":"x"}"#, "id=eq.3", returning: "[\(third)]")),
        .init(
            name: "loses a row that its filter excludes now", list: "select=*&d=eq.false",
            before: rows,
            write: .update(#"{"d":true}"#, "id=eq.2", returning: #"[{"id":2,"t":"b","d":true}]"#),
            after: "[\(first)]"),
        .init(
            name: "gets a row that its filter admits now", list: "select=*&d=eq.false",
            before: rows,
            write: .update(#"{"d":false}"#, "id=eq.3", returning: #"[{"id":3,"t":"c","d":false}]"#),
            after: #"[\#(first),\#(second),{"id":3,"t":"c","d":false}]"#),
        .init(
            name: "is stale where a row may have become its own that nobody knows",
            list: "select=*&d=eq.false", before: rows,
            write: .update(#"{"d":false}"#, "id=eq.3"), isStale: true),
        .init(
            name: "keeps what the server doesn't tell, and is stale", before: rows,
            write: .update(#"{"t":"x"}"#, "id=eq.2&select=id,t", returning: #"[{"id":2,"t":"x"}]"#),
            after: #"[\#(first),{"id":2,"t":"x","d":false}]"#, isStale: true),
        .init(
            name: "that shows no more than the server tells follows it", list: "select=id,t",
            before: #"[{"id":2,"t":"b"}]"#,
            write: .update(#"{"t":"x"}"#, "id=eq.2&select=id,t", returning: #"[{"id":2,"t":"x"}]"#),
            after: #"[{"id":2,"t":"x"}]"#),
        .init(
            name: "takes names that the answer has changed for what they stand for", before: rows,
            write: .update(
                #"{"t":"x"}"#, "id=eq.2&select=id,d:t,t:d",
                returning: #"[{"id":2,"d":"x","t":false}]"#),
            after: #"[\#(first),{"id":2,"t":"x","d":false}]"#),
        .init(
            name: "is stale where it follows from columns what it shows",
            list: "select=id,n:t::text", before: #"[{"id":2,"n":"b"}]"#,
            write: .update(#"{"t":"x"}"#, "id=eq.2", returning: #"[{"id":2,"t":"x","d":true}]"#),
            isStale: true),
        .init(
            name: "is stale where a row is returned without nulls", before: rows,
            write: .update(#"{"t":null}"#, "id=eq.2", returning: #"[{"id":2,"d":false}]"#)
                .accepting(MediaType.strippedRows),
            after: #"[\#(first),{"id":2,"t":null,"d":false}]"#, isStale: true),
        .init(
            name: "is stale where it holds a row that should have been hit and was not",
            before: rows, write: .update(#"{"t":"x"}"#, "id=eq.2", count: 0), isStale: true),
        .init(
            name: "is stale where it holds a row that should have been returned and was not",
            before: rows,
            write: .update(
                #"{"t":"x"}"#, "id=in.(1,2)", returning: #"[{"id":1,"t":"x","d":false}]"#),
            after: #"[{"id":1,"t":"x","d":false},\#(second)]"#, isStale: true),
        .init(
            name: "is not touched by an update of no row that it doesn't hold", before: rows,
            write: .update(#"{"t":"x"}"#, "id=eq.3", returning: "[]")),
        .init(
            name: "is not touched by an update of nothing", before: rows,
            write: .update("{}", "id=eq.1", count: 0)),
        .init(
            name: "with an offset is stale", list: "select=*&offset=2&order=t", before: rows,
            write: .update(#"{"t":"x"}"#, "id=eq.9", returning: #"[{"id":9,"t":"x","d":true}]"#),
            isStale: true),
        .init(
            name: "with an offset is not touched by an update of no row",
            list: "select=*&offset=2", before: rows,
            write: .update(#"{"t":"x"}"#, "id=eq.9", returning: "[]")),
        .init(
            name: "is right or stale where a tree of filters hides what was written",
            before: rows,
            write: .update(#"{"t":"x"}"#, "or=(t.eq.a,t.eq.b)", returning: "[]", count: 0),
            after: #"[{"id":1,"t":"x","d":false},{"id":2,"t":"x","d":false}]"#, isStale: true),
        .init(
            name: "is stale where a tree may have changed rows that nobody knows",
            list: "select=*&d=eq.false", before: "[]",
            write: .update(#"{"d":false}"#, "or=(t.eq.a,t.eq.b)", returning: "[]", count: 0),
            isStale: true),
        .init(
            name: "that a hidden row can't belong to is not touched",
            list: "select=*&d=eq.true", before: "[]",
            write: .update(#"{"d":false}"#, "or=(t.eq.a,t.eq.b)", returning: "[]", count: 0)),
        .init(
            name: "leaves a row alone of which the write's filter can't be decided, and is stale",
            before: rows, write: .update(#"{"t":"x"}"#, "t=fts.x"), isStale: true),
    ]

    private static let uuids =
        #"[{"id":"5f0f3a52-9d5c-4e6e-8f0e-0c8a1d6b7f10","o":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"}]"#

    /// Swift writes a UUID in capitals, and PostgreSQL in small letters.
    static let spelled: [FoldCase] = [
        .init(
            name: "loses a row that is named in capitals", before: uuids,
            write: .delete("id=eq.5F0F3A52-9D5C-4E6E-8F0E-0C8A1D6B7F10", total: 1), after: "[]"),
        .init(
            name: "keeps a row whose owner is named in capitals",
            list: "select=*&o=eq.A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", before: uuids,
            write: .update(
                #"{"o":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"}"#,
                "id=eq.5F0F3A52-9D5C-4E6E-8F0E-0C8A1D6B7F10",
                returning: uuids)),
        .init(
            name: "gets no row of another owner",
            list: "select=*&o=eq.A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", before: uuids,
            write: .insert(
                #"{"id":1}"#,
                returning:
                    #"[{"id":"5f0f3a52-9d5c-4e6e-8f0e-0c8a1d6b7f11","o":"b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12"}]"#
            )),
        .init(
            name: "takes a payload as it is spelled, and no number loses a digit",
            list: "select=id,n,m,at", before: "[]",
            write: .insert(
                #"{"id":3,"n":9223372036854775807,"m":1.50,"at":"2025-01-02T03:04:05.123456+05:30"}"#
            ),
            after:
                #"[{"id":3,"n":9223372036854775807,"m":1.50,"at":"2025-01-02T03:04:05.123456+05:30"}]"#
        ),
    ]

    @Test(arguments: spelled)
    func `of values in another spelling`(_ one: FoldCase) throws { try check(one) }

    static let deletes: [FoldCase] = [
        .init(
            name: "loses a deleted row", before: rows,
            write: .delete("id=eq.2", returning: "[\(second)]"), after: "[\(first)]"),
        .init(
            name: "loses a deleted row of which only the key is returned", before: rows,
            write: .delete("id=eq.2&select=id", returning: #"[{"id":2}]"#), after: "[\(first)]"),
        .init(
            name: "loses the rows that should be deleted, and is stale", before: rows,
            write: .delete("id=eq.2"), after: "[\(first)]", isStale: true),
        .init(
            name: "knows by the count that the row is deleted", before: rows,
            write: .delete("id=eq.2", total: 1), after: "[\(first)]"),
        .init(
            name: "is stale where fewer were deleted than named", before: rows,
            write: .delete("id=in.(1,2)", total: 1), after: "[]", isStale: true),
        .init(
            name: "is stale where the row was not deleted", before: rows,
            write: .delete("id=eq.2", total: 0), isStale: true),
        .init(
            name: "is stale where keys are not returned", before: rows,
            write: .delete("t=eq.b&select=t", returning: #"[{"t":"b"}]"#), after: "[\(first)]",
            isStale: true),
        .init(
            name: "that doesn't show keys is stale", list: "select=t", before: #"[{"t":"a"}]"#,
            write: .delete("id=eq.2", returning: "[\(second)]"), isStale: true),
        .init(
            name: "is not touched by a row that it doesn't hold", before: rows,
            write: .delete("id=eq.3", returning: "[\(third)]")),
        .init(
            name: "with a limit that it reaches doesn't know who comes next",
            list: "select=*&limit=2", before: rows,
            write: .delete("id=eq.2", returning: "[\(second)]"), after: "[\(first)]",
            isStale: true),
        .init(
            name: "with an offset is stale", list: "select=*&offset=2", before: rows,
            write: .delete("id=eq.9", returning: #"[{"id":9}]"#), isStale: true),
    ]

    @Test(arguments: updates)
    func `of changed rows`(_ one: FoldCase) throws { try check(one) }

    @Test(arguments: deletes)
    func `of deleted rows`(_ one: FoldCase) throws { try check(one) }

    @Test func `is not looked at where no row of the write is or comes in`() throws {
        let passed = try (Self.inserts + Self.updates + Self.deletes).filter { try $0.isPassedBy() }
        #expect(
            passed.map(\.name) == [
                "keeps out a row that its filter excludes",
                "is not touched by a row that PostgREST did not add",
                "is not touched by a row that it doesn't hold and excludes",
                "is not touched by an update of no row that it doesn't hold",
                "is not touched by a row that it doesn't hold",
            ])
    }

    @Test func `has every row once, however alike they are in what they are sorted by`() throws {
        let rows = (0..<50).map { #"{"id":\#($0),"t":"a","d":false}"# }
        let one = FoldCase(
            name: "", list: "select=*&order=t",
            before: "[\(rows.joined(separator: ","))]",
            write: .upsert(#"{"id":50,"t":"a"}"#, returning: #"[{"id":50,"t":"a","d":false}]"#))
        let body = try one.folded().body
        let directory = try RowDirectory(scanning: body.span, columns: KeyColumns(["id"]))
        let keys = (0..<directory.count).compactMap { row in
            (try? RowKey(ofRow: body.span.extracting(directory[row]), columns: KeyColumns(["id"])))
                ?? nil
        }
        #expect(keys == (0...50).compactMap { RowKey(values: [Bytes("\($0)".utf8)]) })
    }

    private func check(_ one: FoldCase) throws {
        let folded = try one.folded()
        let text = String(decoding: folded.body, as: UTF8.self)
        #expect(text == one.after ?? one.before)
        #expect(folded.isChanged == (one.after != nil))
        #expect(folded.isStale == one.isStale)
        // What passes a list by without a look at its rows makes no difference to it.
        if try one.isPassedBy() { #expect(!folded.isChanged && !folded.isStale) }
        // What is shown and known is the same the second time.
        var again = one
        again = FoldCase(
            name: one.name, list: one.list, before: text, write: one.write, after: one.after)
        let second = try again.folded()
        #expect(String(decoding: second.body, as: UTF8.self) == text)
    }
}
