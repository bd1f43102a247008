import FoundationEssentials

/// Talks with the server for writes: sends them, and reads what is to be known of their rows.
struct WriteExchange: Sendable {
    let transport: any HTTPTransport
    let settings: RequestSettings
    let connectivity: Connectivity
    let log: Log

    /// Sends a write and judges the answer.
    func send(
        _ request: PostgrestRequest, _ plan: ReplayPlan, token: String?
    ) async -> (answer: WriteAnswer, response: HTTPResponse) {
        let exchange = settings.exchange(request, token: token, retries: 0, isWarm: false)
        log.debug("Write \(request.method) \(request.address) \((request.body ?? []).logText)")
        do throws(TransportError) {
            let response = try await transport.send(exchange)
            log.debug("Answer to \(request.address): \(response.logText)")
            let answer = plan.answer(response)
            if case .accepted = answer { connectivity.noteSuccess() }
            return (answer, response)
        } catch {
            return (WriteAnswer(error), HTTPResponse(status: 0))
        }
    }

    /// Reads the rows that a write's filters name, as they are now.
    ///
    /// - Returns: The rows as JSON objects; nil if they could not be read.
    func rows(of write: PlannedWrite, token: String?) async -> [Bytes]? {
        var read = PostgrestRequest(
            write.request.target, schema: write.request.schema, method: "GET")
        for item in write.request.unguardedItems {
            switch ItemKey(item.name) {
            case .filter, .logic: read.append(item.name, item.value)
            case .order, .page, .reserved: continue
            }
        }
        return await rows(read, write.facts, token: token)
    }

    /// Reads the rows that have the keys of others.
    ///
    /// - Returns: The rows as JSON objects; nil if they could not be read.
    func rows(
        like rows: [RowColumns], in write: PlannedWrite, token: String?
    ) async -> [Bytes]? {
        var read = PostgrestRequest(
            write.request.target, schema: write.request.schema, method: "GET")
        guard let filter = KeyFilter(rows, write.facts) else { return nil }
        read.append(filter.name, filter.value)
        return await self.rows(read, write.facts, token: token)
    }

    private func rows(
        _ read: PostgrestRequest, _ facts: TableFacts, token: String?
    ) async -> [Bytes]? {
        let exchange = settings.exchange(read, token: token, retries: 0, isWarm: false)
        guard let response = try? await transport.send(exchange),
            case .list(let directory) = ServerAnswer(response, to: .list, columns: facts.keys)
        else { return nil }
        return (0..<directory.count).map { row in
            Bytes(copying: response.body.span.extracting(directory[row]))
        }
    }
}

/// A filter that keeps the rows with certain keys.
private struct KeyFilter {
    let name: String
    let value: String

    init?(_ rows: [RowColumns], _ facts: TableFacts) {
        func texts(_ column: String) -> [String]? {
            let values = rows.compactMap { $0.value(ofName: Bytes(column.utf8)) }
                .compactMap(\.filterText)
            return values.count == rows.count ? values : nil
        }
        if facts.keyNames.count == 1 {
            guard let values = texts(facts.keyNames[0]) else { return nil }
            name = facts.keyNames[0]
            value =
                values.count == 1
                ? "eq.\(values[0])" : "in.(\(values.map(quotedListElement).joined(separator: ",")))"
            return
        }
        var terms = Array(repeating: [String](), count: rows.count)
        for column in facts.keyNames {
            guard let values = texts(column) else { return nil }
            for (index, value) in values.enumerated() {
                terms[index].append("\(column.doubleQuoted).eq.\(value.doubleQuoted)")
            }
        }
        name = "or"
        let rows = terms.map { "and(\($0.joined(separator: ",")))" }
        value = "(\(rows.joined(separator: ",")))"
    }
}

extension Bytes {
    /// A value of JSON as filters spell it: a string is its text.
    fileprivate var filterText: String? {
        if JSONKind(of: span) == .string { return try? JSONText.string(of: span) }
        return String(validating: self, as: UTF8.self)
    }
}
