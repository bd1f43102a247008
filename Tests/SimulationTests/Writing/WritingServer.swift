import OfflineCore
import OfflineTesting
import Synchronization

/// A table on a server that takes its time, loses answers and refuses writes, as its seed wants it.
///
/// It reads as much of PostgREST's requests as ``WritingWorld`` makes.
final class WritingServer: HTTPTransport {
    /// A row: its key is beside it.
    struct Row: Hashable {
        /// The number of the write that wrote it.
        var version: Int
        var isDone: Bool
    }

    private let runtime: OfflineRuntime
    private let table = Lock<[Int: Row]>([:])

    init(_ runtime: OfflineRuntime) { self.runtime = runtime }

    var rows: [Int: Row] { table.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await pause()
        let chance = runtime.random.next() % 16
        if chance == 0 { throw TransportError(.notSent, .cannotConnect) }
        if chance == 1 { throw TransportError(.unanswered, .connectionLost) }
        if chance == 2, request.method != "GET" {
            return HTTPResponse(
                status: 403, headers: ["Content-Type": "application/json"],
                body: ContiguousArray(#"{"code":"42501","message":"no"}"#.utf8))
        }
        let query = ServerQuery(request.url)
        let response = table.withLock { rows in
            request.method == "GET"
                ? query.read(rows) : query.write(request, to: &rows)
        }
        try await pause()
        if chance == 3 { throw TransportError(.unanswered, .connectionLost) }
        return response
    }

    private func pause() async throws(TransportError) {
        let pause = Duration.milliseconds(runtime.random.next() % 400)
        guard (try? await runtime.clock.sleep(for: pause)) != nil else {
            throw TransportError(.unanswered, .cancelled)
        }
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.notSent, .file)
    }

    func close() {}
}

/// The query of a request, as far as the server understands it.
struct ServerQuery {
    private var items: [Substring: Substring] = [:]

    init(_ url: String) {
        for item in url.split(separator: "?").dropFirst().first?.split(separator: "&") ?? [] {
            let parts = item.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { items[parts[0]] = parts[1] }
        }
    }

    func keeps(_ key: Int, _ row: WritingServer.Row) -> Bool {
        if let filter = items["id"], filter != "eq.\(key)" { return false }
        if let filter = items["d"], filter != "eq.\(row.isDone)" { return false }
        return true
    }

    /// The keys of the rows that a read returns, in their order.
    func keys(in rows: [Int: WritingServer.Row]) -> [Int] {
        let keys = rows.filter { keeps($0.key, $0.value) }.keys.sorted()
        return items["limit"].flatMap { Int($0) }.map { Array(keys.prefix($0)) } ?? keys
    }

    func read(_ rows: [Int: WritingServer.Row]) -> HTTPResponse {
        answer(200, "*/*", keys(in: rows).compactMap { key in rows[key].map { (key, $0) } })
    }

    func write(
        _ request: HTTPRequest, to rows: inout [Int: WritingServer.Row]
    ) -> HTTPResponse {
        let prefer = request.headers["Prefer"] ?? ""
        let isTold = prefer.contains("return=representation")
        let written: [(Int, WritingServer.Row)]
        switch request.method {
        case "POST":
            guard let payload = ServerPayload(request.body), let key = payload.key else {
                return HTTPResponse(status: 400)
            }
            let old = rows[key]
            if old != nil, !prefer.contains("resolution=merge") {
                return HTTPResponse(
                    status: 409, headers: ["Content-Type": "application/json"],
                    body: ContiguousArray(#"{"code":"23505","message":"there"}"#.utf8))
            }
            let row = payload.applied(to: old)
            rows[key] = row
            written = [(key, row)]
        case "PATCH":
            guard let payload = ServerPayload(request.body) else {
                return HTTPResponse(status: 400)
            }
            written = rows.filter { keeps($0.key, $0.value) }.sorted { $0.key < $1.key }
                .map { ($0.key, payload.applied(to: $0.value)) }
            for (key, row) in written { rows[key] = row }
        default:
            written = rows.filter { keeps($0.key, $0.value) }.sorted { $0.key < $1.key }
                .map { ($0.key, $0.value) }
            for (key, _) in written { rows[key] = nil }
        }
        let status = request.method == "POST" ? 201 : isTold ? 200 : 204
        let range =
            request.method == "PATCH" && !written.isEmpty ? "0-\(written.count - 1)/*" : "*/*"
        return isTold
            ? answer(status, range, written)
            : HTTPResponse(status: status, headers: ["Content-Range": range])
    }

    private func answer(
        _ status: Int, _ range: String, _ rows: [(Int, WritingServer.Row)]
    ) -> HTTPResponse {
        let isNarrow = items["select"] == "id%2Cv"
        let list = rows.map { key, row in
            #"{"id":\#(key),"v":\#(row.version)"# + (isNarrow ? "}" : #","d":\#(row.isDone)}"#)
        }
        return HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json", "Content-Range": range],
            body: ContiguousArray("[\(list.joined(separator: ","))]".utf8))
    }
}

/// What a write sets; the rest is as it was, or its default.
private struct ServerPayload {
    private var values: [Substring: Substring] = [:]

    init?(_ body: HTTPRequest.Body) {
        guard case .bytes(let bytes) = body else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).filter { !"{}\"".contains($0) }
        for member in text.split(separator: ",") {
            let parts = member.split(separator: ":")
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
    }

    var key: Int? { values["id"].flatMap { Int($0) } }

    func applied(to old: WritingServer.Row?) -> WritingServer.Row {
        WritingServer.Row(
            version: values["v"].flatMap { Int($0) } ?? old?.version ?? 0,
            isDone: values["d"].map { $0 == "true" } ?? old?.isDone ?? false)
    }
}
