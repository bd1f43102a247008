import Testing

@testable import OfflineCore

@Suite("What PostgreSQL says of a key", .timeLimit(.minutes(5)))
struct KeyDetailsTests {
    private static func refusal(
        _ details: String?, code: String = "23503", constraint: String? = nil
    ) -> PostgrestError {
        let message =
            constraint.map {
                "insert or update on table \"photos\" violates foreign key constraint \"\($0)\""
            } ?? "m"
        return PostgrestError(status: 409, code: code, message: message, details: details)
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

    private func isAmong(
        _ write: QueuedWrite, _ error: PostgrestError,
        for other: QueuedWrite = .insert(#"{"id":1}"#, into: "photos")
    ) -> Bool {
        MissingRow(error)?.isAmong(write, for: other) { _ in TableFacts() } ?? false
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

    // Under row-level security PostgreSQL names neither columns nor values.
    @Test func `is found by what the other row says where the key is hidden`() {
        let error = Self.refusal(#"Key is not present in table "tasks"."#)
        func isAmong(_ write: QueuedWrite, for other: QueuedWrite) -> Bool {
            self.isAmong(write, error, for: other)
        }
        let seven = QueuedWrite.insert(#"{"id":7}"#)
        #expect(isAmong(seven, for: .insert(#"{"id":1,"task":7}"#, into: "photos")))
        #expect(isAmong(seven, for: .insert(#"[{"id":1},{"task":"7"}]"#, into: "photos")))
        #expect(isAmong(seven, for: .upsert(#"{"id":1,"task":7}"#, into: "photos")))
        #expect(isAmong(seven, for: .update(#"{"task":7}"#, of: "photos")))
        #expect(!isAmong(seven, for: .insert(#"{"id":1,"task":8}"#, into: "photos")))
        #expect(!isAmong(seven, for: .insert(#"{"id":1,"task":null}"#, into: "photos")))
        #expect(!isAmong(seven, for: .update(#"{"task":8}"#, ["id": "eq.7"], of: "photos")))
        #expect(
            !isAmong(
                .insert(#"{"id":7}"#, into: "other"),
                for: .insert(#"{"id":1,"task":7}"#, into: "photos")))
    }

    @Test func `is of the column after which the constraint is named`() {
        let error = Self.refusal(
            #"Key is not present in table "tasks"."#, constraint: "photos_task_id_fkey")
        let seven = QueuedWrite.insert(#"{"id":7}"#)
        let photo = QueuedWrite.insert(#"{"id":7,"task_id":9}"#, into: "photos")
        #expect(!isAmong(seven, error, for: photo))
        #expect(isAmong(.insert(#"{"id":9}"#), error, for: photo))
        // Named by hand.
        let other = Self.refusal(
            #"Key is not present in table "tasks"."#, constraint: "of_a_task")
        #expect(isAmong(seven, other, for: photo))
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
        refusal(#"Key is still referenced from table "tasks"."#),
    ])
    func `is no missing row otherwise`(_ error: PostgrestError) {
        #expect(MissingRow(error) == nil)
    }
}
