import FoundationEssentials
import Testing

@testable import OfflineCore

@Suite("Writes over a list", .timeLimit(.minutes(5)))
struct ListOverlayTests {
    private static let tasks = #"[{ "id":1,"n":10.50 }, {"id":2,"n":2e1,"x":[1, 2]}]"#

    @Test func `leave every byte where they change nothing`() throws {
        for write in [
            try update(#"{"n":7}"#, ofKey: "9"), .delete(pinned("9")),
            .upsert([try columns(#"{"id":1,"n":7}"#)], conflict: nil, ignoresDuplicates: true),
            .insert([try columns(#"{"id":1,"n":7}"#)]),
        ] {
            let result = try overlaid(Self.tasks, [write])
            #expect(result.body == nil && result.pendingKeys == [] && !result.isTouched)
        }
    }

    @Test func `change the bytes of what they say and no others`() throws {
        let result = try overlaid(Self.tasks, [update(#"{"n":7,"y":1}"#, ofKey: "2")])
        #expect(result.text == #"[{ "id":1,"n":10.50 },{"id":2,"n":7,"x":[1, 2]}]"#)
        #expect(result.pendingKeys == [try key("2")])
        #expect(result.isTouched && !result.isStale)
    }

    @Test func `are seen by those that follow`() throws {
        let result = try overlaid(
            Self.tasks,
            [
                .insert([try columns(#"{"id":3,"n":0}"#)]), try update(#"{"n":1}"#, ofKey: "3"),
                .delete(pinned("1")), .delete(pinned("3")),
                .insert([try columns(#"{"id":3,"n":5}"#)]),
                .upsert(
                    [try columns(#"{"id":2,"n":6}"#), try columns(#"{"id":4}"#)], conflict: nil,
                    ignoresDuplicates: false),
            ])
        #expect(result.text == #"[{"id":2,"n":6,"x":[1, 2]},{"id":3,"n":5},{"id":4}]"#)
        #expect(result.pendingKeys == [try key("2"), try key("3"), try key("4")])
    }

    @Test func `that say what is there already are pending all the same`() throws {
        let result = try overlaid(Self.tasks, [update(#"{"n":10.50}"#, ofKey: "1")])
        #expect(result.body == nil && result.isTouched)
        #expect(result.pendingKeys == [try key("1")])
    }

    @Test func `add rows behind the list's own, and none to a page that begins later`() throws {
        let new = RowWrite.insert([try columns(#"{"id":0,"n":0}"#)])
        #expect(try overlaid("[]", [new]).text == #"[{"id":0,"n":0}]"#)
        #expect(try overlaid(Self.tasks, [new]).text?.hasSuffix(#",{"id":0,"n":0}]"#) == true)
        let page = ListOverlay(keys: KeyColumns(["id"]), hasOffset: true)
        #expect(try overlaid(Self.tasks, [new], page).body == nil)
    }

    @Test func `let a row leave the list, and come back to its place`() throws {
        let open = ListOverlay(condition: equals("done", "false"), keys: KeyColumns(["id"]))
        let list = #"[{"id":1,"done":false},{"id":2,"done":false}]"#
        let done = try update(#"{"done":true}"#, ofKey: "1")
        #expect(try overlaid(list, [done], open).text == #"[{"id":2,"done":false}]"#)
        let undone = try update(#"{"done":false}"#, ofKey: "1")
        let result = try overlaid(list, [done, undone], open)
        #expect(result.text == #"[{"id":1,"done":false},{"id":2,"done":false}]"#)
    }

    @Test func `bring in a row that another list holds, as earlier writes have left it`() throws {
        let other = try columns(#"{"id":7,"done":true,"n":1}"#)
        let open = ListOverlay(
            condition: equals("done", "false"), keys: KeyColumns(["id"]),
            knownRow: { $0 == RowKey(values: [Bytes("7".utf8)]) ? other : nil })
        let result = try overlaid(
            "[]",
            [
                .update(try columns(#"{"n":2}"#), equals("n", "1")),
                try update(#"{"done":false}"#, ofKey: "7"),
            ], open)
        #expect(result.text == #"[{"id":7,"done":false,"n":2}]"#)
    }

    @Test func `of which nobody knows what they hit leave the row and make the list stale`() throws
    {
        let unknown = RowCondition(columns: nil) { _ in .undecidable }
        for write in [RowWrite.delete(unknown), .update(try columns(#"{"n":0}"#), unknown)] {
            let result = try overlaid(Self.tasks, [write])
            #expect(result.body == nil && result.isStale)
        }
    }

    @Test func `after which nobody knows whether a row is the list's are shown, and it is stale`()
        throws
    {
        let list = ListOverlay(
            condition: RowCondition(columns: [Bytes("n".utf8)]) { _ in .undecidable },
            keys: KeyColumns(["id"]))
        let edited = try overlaid(Self.tasks, [update(#"{"n":0}"#, ofKey: "1")], list)
        #expect(edited.text?.contains(#""n":0 "#) == true && edited.isStale)
        let other = try overlaid(Self.tasks, [update(#"{"x":0}"#, ofKey: "2")], list)
        #expect(!other.isStale)
        let added = try overlaid(Self.tasks, [.insert([columns(#"{"id":3}"#)])], list)
        #expect(added.text?.hasSuffix(#"{"id":3}]"#) == true && added.isStale)
    }

    @Test func `speak of columns, and the list may show them under other names`() throws {
        let list = ListOverlay(
            condition: equals("done", "false"),
            selection: RowSelection(
                isWhole: false,
                columns: [
                    .init(Bytes("id".utf8)), .init(Bytes("title".utf8), shownAs: Bytes("n".utf8)),
                ]),
            keys: KeyColumns(["id"]))
        let body = #"[{"id":1,"n":"a"}]"#
        let result = try overlaid(
            body,
            [
                update(#"{"n":5,"title":"b"}"#, ofKey: "1"),
                .insert([columns(#"{"id":2,"title":"c","n":6,"done":false}"#)]),
            ], list)
        #expect(result.text == #"[{"id":1,"n":"b"},{"id":2,"n":"c"}]"#)
        // What decides isn't shown, and is known from the write.
        let gone = try overlaid(body, [update(#"{"done":true}"#, ofKey: "1")], list)
        #expect(gone.text == "[]" && !gone.isStale)
    }

    @Test func `make a list stale that has more than columns, if they touch it`() throws {
        let list = ListOverlay(
            selection: RowSelection(isWhole: true, hasOthers: true), keys: KeyColumns(["id"]))
        let body = #"[{"id":1,"n":1,"doubled":2}]"#
        let changed = try overlaid(body, [update(#"{"n":2}"#, ofKey: "1")], list)
        #expect(changed.text == #"[{"id":1,"n":2,"doubled":2}]"# && changed.isStale)
        let same = try overlaid(body, [update(#"{"n":1}"#, ofKey: "1")], list)
        #expect(same.body == nil && same.isStale)
        let other = try overlaid(body, [update(#"{"n":2}"#, ofKey: "9")], list)
        #expect(!other.isStale)
    }

    @Test func `find a row by its UUID however they spell it`() throws {
        let id = "a0000000-0000-4000-8000-00000000000b"
        let body = #"[{"id":"\#(id)","n":1}]"#
        let capitals = id.uppercased()
        let updated = try overlaid(body, [update(#"{"n":2}"#, ofKey: "\"\(capitals)\"")])
        #expect(updated.text == #"[{"id":"\#(id)","n":2}]"#)
        let own = RowWrite.insert([try columns(#"{"id":"\#(capitals)","n":3}"#)])
        #expect(try overlaid(body, [own]).body == nil)
        let removed = try overlaid("[]", [own, .delete(pinned("\"\(id)\""))])
        #expect(removed.body == nil)
    }

    @Test func `find a row by the columns of a conflict`() throws {
        let body = #"[{"id":1,"slug":"a"},{"id":2,"slug":null}]"#
        func upsert(_ row: String) throws -> RowWrite {
            .upsert(
                [try columns(row)], conflict: KeyColumns(["slug"]), ignoresDuplicates: false)
        }
        let changed = try overlaid(body, [upsert(#"{"slug":"a","n":1}"#)])
        let first = try key("1")
        #expect(changed.isTouched && changed.pendingKeys == [first])
        // A null is equal to nothing, itself included.
        let added = try overlaid(body, [upsert(#"{"slug":null}"#)])
        #expect(added.text?.hasSuffix(#",{"slug":null}]"#) == true)
        // Where the list doesn't show the columns, the row may be there.
        let blind = try overlaid(#"[{"id":1}]"#, [upsert(#"{"id":3,"slug":"a"}"#)])
        #expect(blind.isStale)
    }

    @Test func `that name a key leave rows without one to the condition`() throws {
        let body = #"[{"n":1},{"id":2,"n":1}]"#
        let result = try overlaid(body, [update(#"{"n":5}"#, ofKey: "2")])
        #expect(result.text == #"[{"n":1},{"id":2,"n":5}]"# && result.isStale)
    }

    @Test func `find a row by the key that a write has given it, and no longer by its old one`()
        throws
    {
        let moved = try update(#"{"id":7}"#, ofKey: "1")
        let result = try overlaid(Self.tasks, [moved, update(#"{"n":5}"#, ofKey: "7")])
        #expect(result.text?.hasPrefix(#"[{ "id":7,"n":5 }"#) == true)
        #expect(result.pendingKeys == [try key("7")])
        #expect(
            try overlaid(Self.tasks, [moved, .delete(pinned("7"))]).text?.contains("7") == false)
        let again = try overlaid(Self.tasks, [moved, .insert([columns(#"{"id":1}"#)])])
        #expect(again.text?.hasSuffix(#",{"id":1}]"#) == true)
    }

    @Test func `don't take a row that another list holds for one whose key it had`() throws {
        let other = try columns(#"{"id":7,"n":1}"#)
        let list = ListOverlay(
            keys: KeyColumns(["id"]),
            knownRow: { $0 == RowKey(values: [Bytes("7".utf8)]) ? other : nil })
        let moved = RowWrite.update(try columns(#"{"id":8}"#), equals("n", "1"))
        let result = try overlaid("[]", [moved, upsert(#"{"id":7,"x":2}"#)], list)
        #expect(result.text == #"[{"id":7,"x":2}]"#)
        // The row that leaves its key is the one that the other list holds too.
        let known = ListOverlay(
            condition: equals("id", "8"), keys: KeyColumns(["id"]), knownRow: { _ in other })
        let once = try overlaid(
            #"[{"id":7,"n":1}]"#, [update(#"{"id":8}"#, ofKey: "7")], known)
        #expect(once.text == #"[{"id":8,"n":1}]"#)
    }

    @Test func `find a row by its key under whatever name the list shows it`() throws {
        // Another column has the name of the key.
        let list = ListOverlay(
            selection: RowSelection(
                isWhole: false,
                columns: [
                    .init(Bytes("id".utf8), shownAs: Bytes("nr".utf8)),
                    .init(Bytes("n".utf8), shownAs: Bytes("id".utf8)),
                ]),
            keys: KeyColumns(["id"]))
        let result = try overlaid(
            #"[{"nr":1,"id":2},{"nr":2,"id":3}]"#,
            [upsert(#"{"id":2,"n":5}"#), .insert([columns(#"{"id":1,"n":6}"#)])], list)
        #expect(result.text == #"[{"nr":1,"id":2},{"nr":2,"id":5}]"#)
        #expect(result.pendingKeys == [try key("2")])
        #expect(!result.isStale)
    }

    @Test func `make a list stale where a row without a key may be the one they change`() throws {
        #expect(try overlaid(#"[{"n":1}]"#, [upsert(#"{"id":2,"n":1}"#)]).isStale)
        #expect(try !overlaid(#"[{"id":null,"n":1}]"#, [upsert(#"{"id":2,"n":1}"#)]).isStale)
        #expect(try !overlaid(#"[{"n":1}]"#, [upsert(#"{"n":1}"#)]).isStale)
    }

    @Test func `look for a conflict no further than to what decides it`() throws {
        // The second row is the one, whatever the first has; and in the other list there is none.
        let found = try overlaid(
            #"[{"id":1},{"id":2,"slug":"a"}]"#, [upsert(#"{"slug":"a","n":1}"#, "slug")])
        #expect(found.pendingKeys == [try key("2")])
        #expect(!found.isStale)
        let none = try overlaid(
            #"[{"id":1,"slug":"b"}]"#, [upsert(#"{"id":2,"slug":"a","n":1}"#, "slug", "n")])
        #expect(none.pendingKeys == [try key("2")])
        #expect(!none.isStale)
    }

    @Test func `add no second row with a key, whatever columns they ask for a conflict in`() throws
    {
        let body = #"[{"id":1,"slug":"a"}]"#
        let result = try overlaid(body, [upsert(#"{"id":1,"slug":"b"}"#, "slug")])
        #expect(result.body == nil && !result.isTouched)
        let other = try columns(#"{"id":7,"slug":"c"}"#)
        let list = ListOverlay(
            condition: equals("n", "1"), keys: KeyColumns(["id"]),
            knownRow: { $0 == RowKey(values: [Bytes("7".utf8)]) ? other : nil })
        #expect(
            try overlaid(body, [upsert(#"{"id":7,"slug":"b","n":1}"#, "slug")], list).body == nil)
        let same = try overlaid(body, [upsert(#"{"id":7,"slug":"c","n":1}"#, "slug")], list)
        #expect(same.text?.hasSuffix(#"{"id":7,"slug":"c","n":1}]"#) == true)
    }

    @Test func `add a row again that one of them has removed, even if they ignore duplicates`()
        throws
    {
        let open = ListOverlay(condition: equals("done", "false"), keys: KeyColumns(["id"]))
        let again = RowWrite.upsert(
            [try columns(#"{"id":1,"done":true}"#)], conflict: nil, ignoresDuplicates: true)
        let result = try overlaid(
            #"[{"id":1,"done":false}]"#,
            [.delete(pinned("1")), again, update(#"{"done":false}"#, ofKey: "1")], open)
        #expect(result.text == #"[{"id":1,"done":false}]"#)
        #expect(!result.isStale)
    }

    @Test func `leave a page that begins later as it is where they could only add rows`() throws {
        let page = ListOverlay(
            condition: RowCondition(columns: [Bytes("n".utf8)]) { _ in .undecidable },
            keys: KeyColumns(["id"]), hasOffset: true)
        let new = try columns(#"{"id":3,"n":1}"#)
        for writes in [
            [RowWrite.upsert([new], conflict: nil, ignoresDuplicates: true)],
            [.insert([new]), try update(#"{"n":2}"#, ofKey: "3")],
        ] {
            let result = try overlaid(Self.tasks, writes, page)
            #expect(result.body == nil && !result.isStale)
        }
    }

    // MARK: Making

    private func overlaid(
        _ body: String, _ writes: [RowWrite],
        _ list: ListOverlay = ListOverlay(keys: KeyColumns(["id"]))
    ) throws -> OverlaidList {
        let bytes = Bytes(body.utf8)
        let directory = try RowDirectory(scanning: bytes.span, columns: list.keys)
        return list.applying(writes, to: bytes.span, directory)
    }

    private func columns(_ json: String) throws -> RowColumns {
        try #require(try RowColumns(Bytes(json.utf8).span))
    }

    private func key(_ json: String) throws -> RowKey {
        try #require(RowKey(values: [Bytes(json.utf8)]))
    }

    private func upsert(_ json: String, _ conflict: String...) throws -> RowWrite {
        .upsert(
            [try columns(json)], conflict: conflict.isEmpty ? nil : KeyColumns(conflict),
            ignoresDuplicates: false)
    }

    private func update(_ json: String, ofKey key: String) throws -> RowWrite {
        .update(try columns(json), pinned(key))
    }

    private func pinned(_ key: String) -> RowCondition {
        let value = RowKey(values: [Bytes(key.utf8)])
        let equal = equals("id", key)
        return RowCondition(columns: equal.columns, keys: value.map { [$0] }) { row in
            guard let other = try? RowKey(ofRow: row, columns: KeyColumns(["id"])) else {
                return .undecidable
            }
            return other == value ? .kept : .excluded
        }
    }

    private func equals(_ column: String, _ json: String) -> RowCondition {
        let (name, value) = (Bytes(column.utf8), Bytes(json.utf8))
        return RowCondition(columns: [name]) { row in
            guard let other = (try? RowColumns(row))??.value(ofName: name) else {
                return .undecidable
            }
            return other == value ? .kept : .excluded
        }
    }
}

extension OverlaidList {
    fileprivate var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }
}
