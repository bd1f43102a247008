import Testing

@testable import OfflineCore

@Suite("What PostgreSQL says of a key", .timeLimit(.minutes(5)))
struct KeyDetailsTests {
    private static func refusal(_ details: String?, code: String = "23503") -> PostgrestError {
        PostgrestError(status: 409, code: code, message: "m", details: details)
    }

    static let sentences: [(String, [String], String, String)] = [
        ("Key (id)=(1) already exists.", ["id"], "1", "already exists."),
        ("Key (a, b)=(1, x y) already exists.", ["a", "b"], "1, x y", "already exists."),
        (
            #"Key (task_id)=(7) is not present in table "tasks"."#, ["task_id"], "7",
            #"is not present in table "tasks"."#
        ),
        (#"Key ("taskId", n)=(7, 8) already exists."#, ["taskId", "n"], "7, 8", "already exists."),
        (
            #"Key ("a, b", "c ""d""")=(1, 2) already exists."#, ["a, b", #"c "d""#], "1, 2",
            "already exists."
        ),
        ("Key (lower(email))=(a) already exists.", ["lower(email)"], "a", "already exists."),
        ("Key (id)=() already exists.", ["id"], "", "already exists."),
        ("Key (id)=(a)=(b) already exists.", ["id"], "a)=(b", "already exists."),
        ("Key (id)=(a) (b) already exists.", ["id"], "a) (b", "already exists."),
    ]

    @Test(arguments: sentences)
    func `has columns, values and what is the matter with them`(
        _ sentence: String, _ columns: [String], _ values: String, _ rest: String
    ) {
        let details = KeyDetails(Self.refusal(sentence))
        #expect(details?.columns == columns)
        #expect(details?.values == values)
        #expect(details?.rest == rest)
    }

    @Test(arguments: [
        nil, "", "Key", "Key (", "Key (id)", "Key (id)=(", "Key (id)=(1)", "key (id)=(1) exists.",
        "Failing row contains (1, 2).", "Key (id)= (1) exists.",
    ])
    func `is nothing if the words are others`(_ details: String?) {
        #expect(KeyDetails(Self.refusal(details)) == nil)
    }

    // MARK: A missing row

    private func isAmong(_ write: QueuedWrite, _ error: PostgrestError) -> Bool {
        MissingRow(error)?.isAmong(write) { _ in TableFacts() } ?? false
    }

    @Test func `may be that the row of another insert is missing`() {
        let error = Self.refusal(#"Key (task_id)=(7) is not present in table "tasks"."#)
        #expect(isAmong(.insert(#"{"id":7}"#), error))
        #expect(isAmong(.insert(#"[{"id":6},{"id":"7"}]"#), error))
        #expect(!isAmong(.insert(#"{"id":8}"#), error))
        #expect(!isAmong(.insert(#"{"id":7}"#, into: "other"), error))
        #expect(!isAmong(.insert(#"{"t":7}"#), error))
        #expect(!isAmong(.upsert(#"{"id":7}"#), error))
        #expect(!isAmong(.update("{}", ["id": "eq.7"]), error))
        #expect(!isAmong(.call("tasks"), error))
    }

    @Test func `knows the row by a text too`() {
        let error = Self.refusal(
            #"Key (list)=(a) b, "c") is not present in table "tasks"."#)
        #expect(isAmong(.insert(#"{"id":"a) b, \"c\""}"#), error))
    }

    @Test(arguments: [
        refusal(#"Key (task_id)=(7) is not present in table "tasks"."#, code: "23505"),
        refusal(#"Key (id)=(7) is still referenced from table "tasks"."#),
        refusal("Key (id)=(7) already exists."), refusal(nil),
        refusal(#"Key (a, b)=(7, 8) is not present in table "tasks"."#),
    ])
    func `is no missing row otherwise`(_ error: PostgrestError) {
        #expect(MissingRow(error) == nil)
    }
}
