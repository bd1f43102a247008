import FoundationEssentials
import OfflineCore
import OfflineTesting
import StorageMemory
import Synchronization

/// A table on a server out of a user's reach now and then, which loses requests and answers and refuses
/// some writes for good, as its seed wants it.
///
/// It reads as much of PostgREST's requests as ``QueueWorld`` makes, and notes what it has carried out.
final class QueueServer: Sendable {
    struct Row: Hashable, Codable {
        /// The number of the write that wrote it last.
        var v: Int
        var d: Bool
    }

    /// What a write sets; its number is ``v``.
    private struct Payload: Decodable {
        let id: Int?
        let v: Int
        let d: Bool?
    }

    private struct State {
        var rows: [Int: Row] = [:]
        /// How often each insert was carried out, by its number.
        var inserts: [Int: Int] = [:]
        /// The numbers of the writes that were carried out on a row, in their order.
        var history: [Int: [Int]] = [:]
        var isDown = false
        var isCalm = false
        var largestBatch = 0
    }

    private let runtime: OfflineRuntime
    private let state = Lock(State())

    init(_ runtime: OfflineRuntime) { self.runtime = runtime }

    var rows: [Int: Row] { state.withLock { $0.rows } }
    var inserts: [Int: Int] { state.withLock { $0.inserts } }
    var history: [Int: [Int]] { state.withLock { $0.history } }
    var largestBatch: Int { state.withLock { $0.largestBatch } }

    func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

    /// Loses nothing from now on.
    func calmDown() { state.withLock { ($0.isDown, $0.isCalm) = (false, true) } }

    /// Whether a write is one that is always refused.
    static func isPoison(_ number: Int) -> Bool { number % 9 == 8 }

    /// Answers a request, or doesn't.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isLost: Whether the app was killed while the request was on its way. It is never carried out
    ///     then: one that lands behind what the app sends when it is back is one that no client can help.
    /// - Returns: The answer.
    /// - Throws: `TransportError` if there is none.
    func answer(
        _ request: HTTPRequest, isLost: () -> Bool
    ) async throws(TransportError) -> HTTPResponse {
        try await pause()
        if isLost() { throw TransportError(.unanswered, .closed) }
        let (isDown, isCalm) = state.withLock { ($0.isDown, $0.isCalm) }
        if isDown { throw TransportError(.notSent, .cannotConnect) }
        let chance = isCalm ? 99 : runtime.random.next() % 14
        switch chance {
        case 0: throw TransportError(.notSent, .cannotConnect)
        case 1: throw TransportError(.unanswered, .connectionLost)
        case 2: return refusal(503, "PGRST001")
        case 3: return HTTPResponse(status: 502, headers: ["Content-Type": "text/html"])
        default: break
        }
        let response = state.withLock { state in
            request.method == "GET" ? read(request, state) : write(request, &state)
        }
        try await pause()
        if chance == 4 { throw TransportError(.unanswered, .connectionLost) }
        if chance == 5, request.method != "GET" {
            return HTTPResponse(status: 504, headers: ["Content-Type": "text/html"])
        }
        return response
    }

    private func pause() async throws(TransportError) {
        let pause = Duration.milliseconds(runtime.random.next() % 300)
        guard (try? await runtime.clock.sleep(for: pause)) != nil else {
            throw TransportError(.unanswered, .cancelled)
        }
    }

    private func refusal(_ status: Int, _ code: String, details: String = "") -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Content-Type": "application/json"],
            body: ContiguousArray(
                #"{"code":"\#(code)","message":"no","details":"\#(details)"}"#.utf8))
    }

    private func read(_ request: HTTPRequest, _ state: State) -> HTTPResponse {
        let query = QueueQuery(request.url)
        let rows = state.rows.filter { query.keeps($0.key, $0.value.d) }
        return list(200, "*/*", rows.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    private func write(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        let prefer = request.headers["Prefer"] ?? ""
        let isTold = prefer.contains("return=representation")
        let query = QueueQuery(request.url)
        var written: [(Int, Row)] = []
        switch request.method {
        case "POST":
            guard let payloads = payloads(request.body) else { return refusal(400, "PGRST102") }
            if payloads.contains(where: { Self.isPoison($0.v) }) { return refusal(403, "42501") }
            for payload in payloads {
                guard let key = payload.id else { return refusal(400, "23502") }
                if state.rows[key] != nil, !prefer.contains("resolution=merge") {
                    return refusal(
                        409, "23505", details: "Key (id)=(\(key)) already exists.")
                }
            }
            state.largestBatch = max(state.largestBatch, payloads.count)
            for payload in payloads {
                guard let key = payload.id else { continue }
                let old = state.rows[key]
                let row = Row(v: payload.v, d: payload.d ?? old?.d ?? false)
                state.rows[key] = row
                if !prefer.contains("resolution") { state.inserts[payload.v, default: 0] += 1 }
                state.history[key, default: []].append(payload.v)
                written.append((key, row))
            }
        case "PATCH":
            guard let payload = payloads(request.body)?.first else {
                return refusal(400, "PGRST102")
            }
            if Self.isPoison(payload.v) { return refusal(403, "42501") }
            for (key, old) in state.rows.sorted(by: { $0.key < $1.key })
            where query.keeps(key, old.d) {
                let row = Row(v: payload.v, d: payload.d ?? old.d)
                state.rows[key] = row
                state.history[key, default: []].append(payload.v)
                written.append((key, row))
            }
        default:
            for (key, row) in state.rows.sorted(by: { $0.key < $1.key })
            where query.keeps(key, row.d) {
                state.rows[key] = nil
                written.append((key, row))
            }
        }
        let status = request.method == "POST" ? 201 : isTold ? 200 : 204
        let range =
            request.method == "PATCH" && !written.isEmpty ? "0-\(written.count - 1)/*" : "*/*"
        return isTold
            ? list(status, range, written)
            : HTTPResponse(status: status, headers: ["Content-Range": range])
    }

    private func payloads(_ body: HTTPRequest.Body) -> [Payload]? {
        guard case .bytes(let bytes) = body else { return nil }
        let data = Data(bytes)
        if let all = try? JSONDecoder().decode([Payload].self, from: data) { return all }
        return (try? JSONDecoder().decode(Payload.self, from: data)).map { [$0] }
    }

    private func list(_ status: Int, _ range: String, _ rows: [(Int, Row)]) -> HTTPResponse {
        let list = rows.map { key, row in #"{"id":\#(key),"v":\#(row.v),"d":\#(row.d)}"# }
        return HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json", "Content-Range": range],
            body: ContiguousArray("[\(list.joined(separator: ","))]".utf8))
    }
}

/// The filters of a request.
struct QueueQuery {
    private var items: [Substring: Substring] = [:]

    init(_ url: String) {
        for item in url.split(separator: "?").dropFirst().first?.split(separator: "&") ?? [] {
            let parts = item.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { items[parts[0]] = parts[1] }
        }
    }

    func keeps(_ key: Int, _ isDone: Bool) -> Bool {
        if let filter = items["id"], filter != "eq.\(key)" { return false }
        if let filter = items["d"], filter != "eq.\(isDone)" { return false }
        return true
    }
}

/// The way from one run of the app to the server; it ends with the run.
final class Tether: HTTPTransport {
    private let server: QueueServer
    private let isCut = Lock(false)

    init(_ server: QueueServer) { self.server = server }

    /// Lets nothing through any more, neither there nor back.
    func cut() { isCut.withLock { $0 = true } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard !isCut.withLock({ $0 }) else { throw TransportError(.notSent, .closed) }
        let answer: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            answer = .success(
                try await server.answer(request) { isCut.withLock { $0 } })
        } catch {
            answer = .failure(error)
        }
        guard !isCut.withLock({ $0 }) else { throw TransportError(.unanswered, .closed) }
        return try answer.get()
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.notSent, .file)
    }

    func close() { cut() }
}

/// The store as one run of the app has it, on a disk that outlives the run.
final class TetheredStorage: Storage {
    private let disk: MemoryStorage
    private let isCut = Lock(false)

    init(_ disk: MemoryStorage) { self.disk = disk }

    private func check() throws(StorageError) {
        if isCut.withLock({ $0 }) { throw .closed }
    }

    func read<R>(
        _ body: (borrowing ReadTransaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        try check()
        return try disk.read(body)
    }

    func write<R>(
        _ body: (inout WriteTransaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        try check()
        return try disk.write(body)
    }

    func suspend() {}

    func resume() throws(StorageError) { try check() }

    func close() { isCut.withLock { $0 = true } }
}
