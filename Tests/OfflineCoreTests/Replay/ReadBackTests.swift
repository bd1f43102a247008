import Testing

@testable import OfflineCore

@Suite("An insert that is refused because its row is there", .timeLimit(.minutes(5)))
struct ReadBackTests {
    private static let ofTheKey = refusal("Key (id)=(1) already exists.")
    private static let uuid = "0b6f4c1e-8d5a-4f7e-9c3b-2a1d0e9f8c7b"
    private static let sortable = "018f2e4a-5b6c-7d8e-9f0a-1b2c3d4e5f60"

    private static func refusal(
        _ details: String?, constraint: String? = nil
    ) -> PostgrestError {
        let message =
            constraint.map { "duplicate key value violates unique constraint \"\($0)\"" } ?? "m"
        return PostgrestError(status: 409, code: "23505", message: message, details: details)
    }

    private static func columns(_ json: String) -> RowColumns {
        ((try? RowColumns(Bytes(json.utf8).span)) ?? nil) ?? RowColumns()
    }

    /// What rows tell that were found.
    private func readBack(
        _ sent: String..., found: [String], _ error: PostgrestError = ofTheKey,
        keys: [String] = ["id"], types: [String: PostgresType] = [:]
    ) -> ReadBack {
        ReadBack(
            sent.map(Self.columns), found: found.map { Bytes($0.utf8) }, error, of: "tasks",
            TableFacts(keyNames: keys, types: types))
    }

    // MARK: Seen

    @Test func `was there if the row is its own, and that is taken as it is`() {
        let found = #"{"id":1,"t":"a","at":"2026-01-01"}"#
        #expect(
            readBack(#"{"id":1,"t":"a"}"#, found: [found]) == .own([Self.columns(found)]))
    }

    @Test func `is another row if a value differs`() {
        let found = #"{"id":1,"t":"b"}"#
        let others = ReadBack.others(Bytes(found.utf8))
        #expect(readBack(#"{"id":1,"t":"a"}"#, found: [found]) == others)
        #expect(readBack(#"{"id":1,"t":null}"#, found: [found]) == others)
        let null = #"{"id":1,"t":null}"#
        #expect(
            readBack(#"{"id":1,"t":null}"#, found: [null]) == .own([Self.columns(null)]))
    }

    struct Comparison: Sendable, CustomTestStringConvertible {
        let sent, found: String
        let type: PostgresType?
        let isOwn: Bool

        init(_ sent: String, _ found: String, _ type: PostgresType? = nil, isOwn: Bool = true) {
            (self.sent, self.found, self.type, self.isOwn) = (sent, found, type, isOwn)
        }

        var testDescription: String { "\(sent) and \(found)" }
    }

    static let comparisons = [
        Comparison("1", "1.0"), Comparison("1e2", "100"), Comparison("1", "2", isOwn: false),
        Comparison("true", "true"), Comparison("true", "false", isOwn: false),
        Comparison(
            #""2026-01-01T00:00:00Z""#, #""2026-01-01T01:00:00+01:00""#, "timestamptz"),
        Comparison(
            #""2026-01-01T00:00:00Z""#, #""2026-01-01T00:00:01+00:00""#, "timestamptz",
            isOwn: false),
        Comparison(
            #""0B6F4C1E-8D5A-4F7E-9C3B-2A1D0E9F8C7B""#,
            #""0b6f4c1e-8d5a-4f7e-9c3b-2a1d0e9f8c7b""#, "uuid"),
        Comparison(#""1.50""#, "1.5", "numeric"),
        Comparison(#""1.50""#, "1.6", "numeric", isOwn: false),
        Comparison(#""a""#, #""A""#, "text", isOwn: false),
        Comparison(#""\u00e9""#, #""é""#, "text"),
        // What nobody can tell apart for certain is no difference.
        Comparison(#""2026-01-01""#, #""2026-01-01T00:00:00""#),
    ]

    @Test(arguments: comparisons)
    func `is compared as the type of each column compares`(_ comparison: Comparison) {
        let found = #"{"id":1,"v":\#(comparison.found)}"#
        let result = readBack(
            #"{"id":1,"v":\#(comparison.sent)}"#, found: [found],
            types: comparison.type.map { ["v": $0] } ?? [:])
        #expect(
            result
                == (comparison.isOwn ? .own([Self.columns(found)]) : .others(Bytes(found.utf8))))
    }

    @Test(arguments: [uuid, sortable])
    func `is its own if the key was drawn at random, whatever has become of the row`(
        _ key: String
    ) {
        let found = #"{"id":"\#(key)","t":"changed since"}"#
        #expect(
            readBack(#"{"id":"\#(key.uppercased())","t":"a"}"#, found: [found])
                == .own([Self.columns(found)]))
    }

    @Test(arguments: [
        "0b6f4c1e-8d5a-1f7e-9c3b-2a1d0e9f8c7b", "0b6f4c1e-8d5a-5f7e-9c3b-2a1d0e9f8c7b", "4", "text",
    ])
    func `is compared if somebody else could have made its key`(_ key: String) {
        let found = #"{"id":"\#(key)","t":"b"}"#
        #expect(
            readBack(#"{"id":"\#(key)","t":"a"}"#, found: [found]) == .others(Bytes(found.utf8)))
    }

    @Test func `is compared if a random column is not the whole key`() {
        let found = #"{"a":"\#(Self.uuid)","b":1,"t":"b"}"#
        #expect(
            readBack(
                #"{"a":"\#(Self.uuid)","b":1,"t":"a"}"#, found: [found],
                Self.refusal("Key (a, b)=(\(Self.uuid), 1) already exists."), keys: ["a", "b"])
                == .others(Bytes(found.utf8)))
    }

    // MARK: Not seen

    @Test func `is its own if the row can't be seen and the key was drawn at random`() {
        for key in [Self.uuid, Self.sortable] {
            #expect(readBack(#"{"id":"\#(key)"}"#, found: []) == .ownUnseen)
        }
    }

    @Test func `is anybody's if the row can't be seen otherwise`() {
        #expect(readBack(#"{"id":1}"#, found: []) == .unknown)
        #expect(readBack(#"{"id":1}"#, found: [#"{"id":2}"#]) == .unknown)
        #expect(readBack(#"{"id":1}"#, found: [], Self.refusal(nil)) == .unknown)
        #expect(
            readBack(
                #"{"a":"\#(Self.uuid)","b":1}"#, found: [], Self.refusal(nil), keys: ["a", "b"])
                == .unknown)
    }

    @Test func `is not there if another column is in the way`() {
        let other = Self.refusal("Key (email)=(a@b.c) already exists.")
        #expect(readBack(#"{"id":1,"email":"a@b.c"}"#, found: [], other) == .otherKey)
        #expect(readBack(#"{"id":"\#(Self.uuid)"}"#, found: [], other) == .otherKey)
        // It is there all the same, and its own email is in its way.
        let found = #"{"id":1,"email":"a@b.c"}"#
        #expect(readBack(found, found: [found], other) == .own([Self.columns(found)]))
    }

    // Under row-level security PostgreSQL gives no details.
    @Test(arguments: [
        "tasks_email_key", "tasks_user_id_key", "tasks_upkeep_key", "one_task_a_day",
    ])
    func `is not there if the constraint is no primary key`(_ constraint: String) {
        let error = Self.refusal(nil, constraint: constraint)
        #expect(readBack(#"{"id":"\#(Self.uuid)"}"#, found: [], error) == .otherKey)
        #expect(readBack(#"{"id":1}"#, found: [], error) == .otherKey)
    }

    @Test(arguments: [
        "tasks_pkey", "tasks_pkey1", "older_name_pkey", "tasks_id_pk", "PK_7c3a",
        "primary_of_tasks",
        "tasks_id_key", "tasks_id_idx",
    ])
    func `is its own if the constraint is the primary key's`(_ constraint: String) {
        let error = Self.refusal(nil, constraint: constraint)
        #expect(readBack(#"{"id":"\#(Self.uuid)"}"#, found: [], error) == .ownUnseen)
        #expect(readBack(#"{"id":1}"#, found: [], error) == .unknown)
    }

    @Test func `knows its key by the name that PostgreSQL quotes`() {
        let quoted = Self.refusal(#"Key ("taskId")=(1) already exists."#)
        #expect(readBack(#"{"taskId":1}"#, found: [], quoted, keys: ["taskId"]) == .unknown)
        #expect(
            readBack(#"{"taskId":"\#(Self.uuid)"}"#, found: [], quoted, keys: ["taskId"])
                == .ownUnseen)
    }

    // MARK: Several rows

    @Test func `is its own if all its rows are`() {
        let rows = [#"{"id":1,"t":"a"}"#, #"{"id":2,"t":"b"}"#]
        #expect(
            readBack(rows[0], rows[1], found: rows.reversed()) == .own(rows.map(Self.columns)))
        #expect(
            readBack(rows[0], rows[1], found: [rows[0], #"{"id":2,"t":"x"}"#])
                == .others(Bytes(#"{"id":2,"t":"x"}"#.utf8)))
        #expect(readBack(rows[0], rows[1], found: [rows[0]]) == .unknown)
    }

    @Test func `is its own, unseen, if one of its rows can't be seen`() {
        let seen = #"{"id":"\#(Self.uuid)"}"#
        #expect(readBack(seen, #"{"id":"\#(Self.sortable)"}"#, found: [seen]) == .ownUnseen)
    }

    @Test(arguments: ["7", "[]", "", #"{"t":1}"#, #"{"id":null}"#])
    func `is not told by what is no row`(_ found: String) {
        #expect(readBack(#"{"id":1}"#, found: [found]) == .unknown)
    }
}
