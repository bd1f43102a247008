import Foundation
import OfflineTesting
import SupabaseOffline
import TestSupport
import Testing

@Suite("A client on a disk", .timeLimit(.minutes(2)))
struct DiskTests {
    private static let rows = #"[{"id":1}]"#

    @Test func `finds its lists where the directory was moved to`() async throws {
        try await withDirectory { directory in
            let (before, after) = (
                directory.appending(path: "before"), directory.appending(path: "after")
            )
            let network = ScriptedTransport()
            let first = try client(in: before, network)
            try await first.warm(network)
            await first.close()
            try FileManager.default.moveItem(at: before, to: after)
            let second = try client(in: after)
            #expect(try await second.kept() == Self.rows)
            await second.close()
        }
    }

    @Test func `whose directory is removed under it shows its rows or none, and never no rows`()
        async throws
    {
        try await withDirectory { directory in
            let network = ScriptedTransport()
            let place = directory.appending(path: "data")
            let client = try client(in: place, network)
            try await client.warm(network)
            try FileManager.default.removeItem(at: place)
            do {
                #expect(try await client.kept() == Self.rows)
            } catch let error as OfflineError {
                #expect(error.reason != .cacheMiss)
            }
            network.answer(json: #"[{"id":2}]"#)
            let fresh = try await client.from("tasks").select().execute()
            #expect(String(decoding: fresh.data, as: UTF8.self) == #"[{"id":2}]"#)
            await client.close()
        }
    }

    /// LMDB has room for 126 readers at once; a leaked one would never come back.
    @Test func `holds no reader of the store for reads that were cancelled`() async throws {
        try await withDirectory { directory in
            let network = ScriptedTransport()
            let client = try client(in: directory, network)
            try await client.warm(network)
            for _ in 0..<40 {
                await withDiscardingTaskGroup { group in
                    for index in 0..<50 {
                        group.addTask { _ = try? await client.kept() }
                        if index % 7 == 3 { group.cancelAll() }
                    }
                }
            }
            #expect(try await client.kept() == Self.rows)
            try await client.warm(network, #"[{"id":3}]"#)
            #expect(try await client.kept() == #"[{"id":3}]"#)
            await client.close()
        }
    }

    /// Under Thread Sanitizer in CI.
    @Test func `serves 64 tasks that read, store and evict at once`() async throws {
        try await withDirectory { directory in
            let client = try SupabaseOfflineClient(
                supabaseURL: .example, supabaseKey: "publishable",
                config: .init(
                    dataDirectory: directory, cacheSize: .bytes(20_000), transport: Echo()))
            let strategies: [ReadStrategy] = [.cacheFirst, .networkFirst, .networkOnly, .cacheOnly]
            let wrong = await withTaskGroup(of: Int.self) { group in
                for task in 0..<64 {
                    group.addTask {
                        var wrong = 0
                        for round in 0..<25 {
                            let list = (task * 7 + round) % 20
                            let answer = try? await client.from("list\(list)")
                                .select(readStrategy: strategies[(task + round) % 4]).execute()
                            guard let answer else { continue }
                            let text = String(decoding: answer.data, as: UTF8.self)
                            if !text.hasPrefix(#"[{"id":"/rest/v1/list\#(list)?"#) { wrong += 1 }
                        }
                        return wrong
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(wrong == 0)
            await client.close()
        }
    }
}

/// Answers with a row of two kilobytes that names what was asked for.
private struct Echo: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let path = request.url.dropFirst("https://xyz.supabase.co".count)
        let row = #"[{"id":"\#(path)","filling":"\#(String(repeating: "x", count: 2_000))"}]"#
        return HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json"],
            body: ContiguousArray(row.utf8))
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.notSent, .file)
    }

    func close() {}
}

extension SupabaseOfflineClient {
    /// Lets the device have a list, on the disk.
    fileprivate func warm(
        _ network: ScriptedTransport, _ json: String = #"[{"id":1}]"#
    ) async throws {
        network.answer(json: json)
        try await from("tasks").select(readStrategy: .networkOnly).execute()
        await reads.waitUntilStored()
    }

    /// The list that the device has.
    fileprivate func kept() async throws -> String {
        let answer = try await from("tasks").select(readStrategy: .cacheOnly).execute()
        return String(decoding: answer.data, as: UTF8.self)
    }
}
