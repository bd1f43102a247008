import Testing

@testable import OfflineCore

/// A list, a write with its answer, and the list that comes of them.
struct FoldCase: Sendable, CustomTestStringConvertible {
    /// A request that changes rows, and what PostgREST answers.
    struct Write: Sendable {
        let method: String
        let query: String
        let prefer: String
        let body: String?
        let status: Int
        let range: String
        /// The rows that are returned; nil for none.
        let rows: String?
        var accept: String?

        static func insert(
            _ body: String, _ query: String = "", returning rows: String? = nil,
            prefer: String = ""
        ) -> Write {
            Write(
                method: "POST", query: query, prefer: Self.prefer(rows, prefer), body: body,
                status: 201, range: "*/*", rows: rows)
        }

        static func upsert(
            _ body: String, _ query: String = "", returning rows: String? = nil,
            ignoring: Bool = false
        ) -> Write {
            insert(
                body, query, returning: rows,
                prefer: "resolution=\(ignoring ? "ignore" : "merge")-duplicates")
        }

        /// An update; `count` is how many rows `Content-Range` tells of, nil for as many as are returned.
        static func update(
            _ body: String, _ query: String, returning rows: String? = nil, count: Int? = nil
        ) -> Write {
            let count = count ?? rows?.split(separator: "{").dropFirst().count ?? 1
            return Write(
                method: "PATCH", query: query, prefer: Self.prefer(rows, ""), body: body,
                status: rows == nil ? 204 : 200,
                range: count == 0 ? "*/*" : "0-\(count - 1)/*", rows: rows)
        }

        static func delete(
            _ query: String, returning rows: String? = nil, total: Int? = nil
        ) -> Write {
            Write(
                method: "DELETE", query: query,
                prefer: Self.prefer(rows, total == nil ? "" : "count=exact"), body: nil,
                status: rows == nil ? 204 : 200, range: "*/\(total.map(String.init) ?? "*")",
                rows: rows)
        }

        /// The same, asked for with another media type.
        func accepting(_ type: String) -> Write {
            var copy = self
            copy.accept = type
            return copy
        }

        private static func prefer(_ rows: String?, _ more: String) -> String {
            let returning = "return=\(rows == nil ? "minimal" : "representation")"
            return more.isEmpty ? returning : "\(returning),\(more)"
        }
    }

    let name: String
    /// The list's query; every column of every row, if none is given.
    var list = "select=*"
    let before: String
    let write: Write
    /// Nil if the list stays as it is, byte for byte.
    var after: String?
    var isStale = false

    var testDescription: String { name }
}

extension FoldCase {
    /// What becomes of the list.
    func folded(keys: [String] = ["id"], types: [String: PostgresType] = [:]) throws -> FoldedList {
        let facts = TableFacts(keyNames: keys, types: types)
        return try folded([try write.accepted(facts)], facts)
    }

    /// Whether the write passes the list by, as far as that is seen without its rows.
    func isPassedBy() throws -> Bool {
        let facts = TableFacts()
        guard let reach = WriteReach(try write.accepted(facts)) else { return false }
        let body = Bytes(before.utf8)
        let directory = try RowDirectory(scanning: body.span, columns: facts.keys)
        return !reach.mayBeHeld(in: directory.encoded.span) && !reach.mayBeTaken(by: ListQuery(key))
    }

    private var key: ListKey {
        var read = PostgrestRequest(.table("tasks"), schema: "public", method: "GET")
        for (name, value) in list.items { read.append(name, value) }
        // As it is when it comes back from the store.
        return ListKey(kept: ListKey(read).text)
    }

    func folded(_ writes: [AcceptedWrite], _ facts: TableFacts) throws -> FoldedList {
        let body = Bytes(before.utf8)
        let directory = try RowDirectory(scanning: body.span, columns: facts.keys)
        return ListFold(key, facts).folding(
            writes, into: FoldedList(body: body), directory)
    }
}

extension FoldCase.Write {
    /// The write as the device understands it, which the server must have accepted.
    func accepted(_ facts: TableFacts = TableFacts()) throws -> AcceptedWrite {
        var request = PostgrestRequest(.table("tasks"), schema: "public", method: method)
        for (name, value) in query.items { request.append(name, value) }
        request.body = body.map { Bytes($0.utf8) }
        request.headers["Prefer"] = prefer
        if let accept { request.headers["Accept"] = accept }
        let planned = try PlannedWrite(request, facts)
        let response = HTTPResponse(
            status: status,
            headers: ["Content-Range": range, "Content-Type": "application/json"],
            body: ContiguousArray((rows ?? "").utf8))
        guard case .accepted(let account) = WriteAnswer(response, to: planned) else {
            throw NotAccepted()
        }
        return AcceptedWrite(
            table: ListKey(request).table, facts: facts, change: planned.change,
            account: account)
    }

    struct NotAccepted: Error {}
}

extension String {
    /// The items of a query that is not encoded.
    fileprivate var items: [(String, String)] {
        split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts.dropFirst().first ?? ""))
        }
    }
}
