import CCurl
import Foundation
import OfflineCore
import StorageMemory
import TestSupport
import Transport

/// Small requests to a server on this machine.
func transportBenchmarks(_ report: inout Report) async throws {
    let body = String(decoding: sampleList(rows: 10), as: UTF8.self)
    let server = try LoopbackServer { peer in
        while true {
            try peer.readRequest()
            try peer.answer(200, body, fields: "Content-Type: application/json")
        }
    }
    defer { server.stop() }

    let transport = CurlTransport(usesProxies: false)
    defer { transport.close() }
    let plain = try PlainCurl(url: server.url + "/rest/v1/tasks?select=%2A")
    let request = HTTPRequest(url: server.url + "/rest/v1/tasks?select=%2A")
    let exchange = try await interleaved(rounds: 1_000) {
        use(try await transport.send(request))
    } plain: {
        use(try plain.get())
    }
    report.row(
        "GET of 10 rows over a kept connection, against libcurl's easy interface",
        ours: exchange.ours, plain: exchange.plain, budget: .none)

    guard let url = URL(string: server.url) else { throw URLError(.badURL) }
    let client = try SupabaseOfflineClient(
        supabaseURL: url, supabaseKey: "publishable",
        storage: MemoryStorage(keyspaces: Keyspace.all),
        transport: CurlTransport(usesProxies: false))
    let read = client.from("tasks").select(readStrategy: .networkOnly)
    let call = try await interleaved(rounds: 1_000) {
        use(try await read.execute())
    } plain: {
        use(try await transport.send(request))
    }
    report.row(
        "read of 10 rows from the server, against its exchange alone", ours: call.ours,
        plain: call.plain, budget: .onTop(60))
    await client.close()
}

/// libcurl by hand: one handle, used again and again.
private final class PlainCurl {
    private let handle: UnsafeMutableRawPointer
    private let received = Received()

    private final class Received {
        var bytes: [UInt8] = []
    }

    init(url: String) throws {
        guard let handle = curl_easy_init() else { throw PlainError(code: 2) }
        self.handle = handle
        _ = ccurl_set_string(handle, CURLOPT_URL, url)
        _ = ccurl_set_string(handle, CURLOPT_PROXY, "")
        _ = ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = ccurl_set_pointer(
            handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(received).toOpaque())
        _ = ccurl_set_transfer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let context else { return 0 }
            Unmanaged<Received>.fromOpaque(context).takeUnretainedValue().bytes
                .append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
    }

    func get() throws -> [UInt8] {
        received.bytes.removeAll()
        let code = curl_easy_perform(handle)
        guard code == CURLE_OK else { throw PlainError(code: CInt(code.rawValue)) }
        return received.bytes
    }

    deinit { curl_easy_cleanup(handle) }
}
