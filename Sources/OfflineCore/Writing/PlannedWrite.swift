/// A request that changes rows, checked and understood before anything is sent.
package struct PlannedWrite: Sendable {
    /// How long one row may be, as JSON.
    static let longestRow = 1 << 20

    package let request: PostgrestRequest
    package let change: AcceptedWrite.Change
    let facts: TableFacts

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - facts: What the app tells of the table.
    /// - Throws: ``WriteProblem``: what is wrong with it.
    /// - Complexity: O(*n*) in the length of the request.
    package init(_ request: PostgrestRequest, _ facts: TableFacts) throws(WriteProblem) {
        if let problem = request.problem { throw WriteProblem(problem) }
        self.facts = facts
        switch request.method {
        case "POST":
            let rows = try Self.rows(of: request, facts)
            if let resolution = request.preference("resolution") {
                change = .upsert(
                    rows, conflict: Self.conflict(of: request),
                    ignoresDuplicates: resolution == "ignore-duplicates")
            } else {
                change = .insert(rows)
            }
            if !request.guards.isEmpty {
                throw WriteProblem("ifUnchanged is for updates and deletes.")
            }
            self.request = request
        case "PATCH":
            try Self.checkFilters(of: request)
            let rows = try Self.rows(of: request, facts)
            guard request.body?.first == .openingBrace, rows.count == 1 else {
                throw WriteProblem("An update takes one object: the columns and their new values.")
            }
            change = .update(rows[0], ParsedFilter(of: request.unguardedItems))
            self.request = request
        default:
            try Self.checkFilters(of: request)
            change = .delete(ParsedFilter(of: request.unguardedItems))
            self.request = request.countingIfGuarded
        }
    }

    /// Whether it changes or removes rows, and adds none.
    var isOfRowsThere: Bool {
        switch change {
        case .update, .delete: true
        case .insert, .upsert, .nothing, .unknown: false
        }
    }

    /// Whether there is nothing to send.
    var isEmpty: Bool {
        switch change {
        case .insert([]), .upsert([], _, _): true
        default: false
        }
    }
}

/// Why a request can't be sent, and the way out.
package struct WriteProblem: Error {
    package let text: String

    init(_ text: String) { self.text = text }
}

extension PlannedWrite {
    private static func checkFilters(of request: PostgrestRequest) throws(WriteProblem) {
        guard FilterParser.hasFilter(request.unguardedItems) else {
            throw WriteProblem(
                "Without a filter it would hit every row of the table. Add one, such as "
                    + "eq(\"id\", value: id); to mean all rows, say so: "
                    + "not(\"id\", operator: \"is\", value: \"null\").")
        }
        guard request.guards.isEmpty || !FilterParser.hasTree(request.items) else {
            throw WriteProblem(
                "ifUnchanged can't stand beside or(_:): not every server then tells whether a row "
                    + "was changed. Use plain filters, which all must hold.")
        }
    }

    private static func rows(
        of request: PostgrestRequest, _ facts: TableFacts
    ) throws(WriteProblem) -> [RowColumns] {
        guard let body = request.body, let slices = body.rowSlices else {
            throw WriteProblem("The values are no object, nor an array of objects.")
        }
        let columns = request.namedColumns
        var rows: [RowColumns] = []
        for slice in slices {
            guard slice.count <= longestRow else {
                throw WriteProblem(
                    "A row has \(slice.count) bytes as JSON; the most is \(longestRow). Keep large "
                        + "values in Storage, and their paths in the row.")
            }
            guard var row = (try? RowColumns(body.span.extracting(slice))) ?? nil else {
                throw WriteProblem("The name of a column is no text.")
            }
            try checkKey(of: row, facts)
            // PostgREST takes what a row lacks for null, where it is told which columns there are.
            for name in columns where row.value(ofName: name) == nil {
                row.set(Bytes("null".utf8), forName: name)
            }
            rows.append(row)
        }
        return rows
    }

    private static func checkKey(
        of row: RowColumns, _ facts: TableFacts
    ) throws(WriteProblem) {
        for name in facts.keyNames {
            guard let value = row.value(ofName: Bytes(name.utf8)) else { continue }
            if JSONKind(of: value.span)?.isContainer == true {
                throw WriteProblem(
                    "The key column \"\(name)\" is an array or an object, by which no row can be "
                        + "told from others. Name the table's key in primaryKeys.")
            }
        }
    }

    private static func conflict(of request: PostgrestRequest) -> KeyColumns? {
        request.items.first { $0.name == "on_conflict" }.map { item in
            KeyColumns(item.value.split(separator: ",").map { String($0).unquoted })
        }
    }
}

extension PostgrestRequest {
    /// The columns that PostgREST is told to read, if what a row lacks of them is null.
    fileprivate var namedColumns: [Bytes] {
        guard preference("missing") != "default",
            let item = items.first(where: { $0.name == "columns" })
        else { return [] }
        var names: [Bytes] = []
        var scanner = QueryScanner(item.value)
        repeat {
            guard let name = scanner.name() else { break }
            names.append(Bytes(name.utf8))
        } while scanner.skip(",")
        return names
    }

    /// The request, with a count where its answer would not tell whether the guard held.
    fileprivate var countingIfGuarded: PostgrestRequest {
        guard !guards.isEmpty, preference("return") != "representation", !prefers("count") else {
            return self
        }
        var request = self
        request.prefer("count", CountOption.exact.rawValue)
        return request
    }
}

extension String {
    fileprivate var unquoted: String {
        hasPrefix("\"") && hasSuffix("\"") && count >= 2 ? String(dropFirst().dropLast()) : self
    }
}
