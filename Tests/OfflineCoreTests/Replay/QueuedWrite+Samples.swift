import FoundationEssentials

@testable import OfflineCore

extension UUID {
    /// An id that tests tell by a number.
    static func numbered(_ number: UInt64) -> UUID { UUID(high: 0, low: number) }
}

extension PostgrestRequest {
    /// A request about a table, as a builder leaves it.
    ///
    /// - Parameters:
    ///   - method: How it is sent.
    ///   - table: The table.
    ///   - items: The items of its query, not encoded.
    ///   - headers: The headers that it sets.
    ///   - body: The body as text.
    /// - Returns: The request.
    static func sample(
        _ method: String, _ table: String, _ items: KeyValuePairs<String, String> = [:],
        headers: HTTPHeaders = [:], body: String? = nil
    ) -> PostgrestRequest {
        var request = PostgrestRequest(.table(table), schema: "public", method: method)
        for (name, value) in items { request.append(name, value) }
        request.headers = headers
        request.body = body.map { Bytes($0.utf8) }
        return request
    }
}

extension QueuedWrite {
    static func insert(
        _ body: String, _ items: KeyValuePairs<String, String> = [:], into table: String = "tasks",
        headers: HTTPHeaders = [:], id: UInt64 = 1
    ) -> QueuedWrite {
        sample(.insert, .sample("POST", table, items, headers: headers, body: body), id)
    }

    static func upsert(
        _ body: String, _ items: KeyValuePairs<String, String> = [:], into table: String = "tasks",
        id: UInt64 = 1
    ) -> QueuedWrite {
        let headers: HTTPHeaders = ["Prefer": "resolution=merge-duplicates"]
        return sample(.upsert, .sample("POST", table, items, headers: headers, body: body), id)
    }

    static func update(
        _ body: String = #"{"t":"a"}"#, _ items: KeyValuePairs<String, String> = ["id": "eq.1"],
        of table: String = "tasks", headers: HTTPHeaders = [:], id: UInt64 = 1
    ) -> QueuedWrite {
        sample(.update, .sample("PATCH", table, items, headers: headers, body: body), id)
    }

    static func delete(
        _ items: KeyValuePairs<String, String> = ["id": "eq.1"], of table: String = "tasks",
        id: UInt64 = 1
    ) -> QueuedWrite {
        sample(.delete, .sample("DELETE", table, items), id)
    }

    static func call(
        _ function: String = "add", isIdempotent: Bool = false, id: UInt64 = 1
    ) -> QueuedWrite {
        var request = PostgrestRequest(.function(function), schema: "public", method: "POST")
        request.body = Bytes(#"{"a":1}"#.utf8)
        var write = sample(.call, request, id)
        write.isIdempotent = isIdempotent
        return write
    }

    /// The same with something changed.
    func with(_ change: (inout QueuedWrite) -> Void) -> QueuedWrite {
        var copy = self
        change(&copy)
        return copy
    }

    /// The body as text.
    var text: String { request.body.map { String(decoding: $0, as: UTF8.self) } ?? "" }

    private static func sample(
        _ operation: MutationOperation, _ request: PostgrestRequest, _ id: UInt64
    ) -> QueuedWrite {
        QueuedWrite(
            id: .numbered(id), operation, request, createdAt: Timestamp(microseconds: 1_000_000))
    }
}

extension MutationRejection {
    /// A refusal of the kind that most tests need.
    static let refusal = MutationRejection.refused(
        PostgrestError(status: 400, code: "23514", message: "m"))
}
