import Foundation
import SupabaseOffline
import Synchronization
import WriteHistory

/// A process that writes through a client, for tests that kill it at any moment.
///
/// It reads its ``CrasherOrders`` as one line of JSON, notes each write in the history before the call
/// and after it, and says what happens as ``CrasherSign``. It never closes its client.
@main
struct QueueCrasher {
    static func main() async throws {
        guard let line = readLine(),
            let orders = try? JSONDecoder().decode(CrasherOrders.self, from: Data(line.utf8))
        else { exit(EX_USAGE) }
        let turn = Atomic(0)
        let client = try SupabaseOfflineClient(
            supabaseURL: orders.url, supabaseKey: orders.key,
            config: .init(
                accessToken: {
                    // Each time another one, as after a renewal: one that is refused is replaced.
                    let next = turn.wrappingAdd(1, ordering: .relaxed).oldValue
                    return orders.tokens[next % orders.tokens.count]
                },
                dataDirectory: orders.directory, logLevel: .error,
                transport: SayingTransport()))
        say(.open)
        do {
            switch orders.work {
            case .writing(let tasks, let writes):
                try await write(client, orders, tasks: tasks, writes: writes)
            case .sending: try await send(client)
            }
        } catch {
            // No sign, so that whoever reads it knows that something went wrong.
            return say(line: "failed: \(error)")
        }
        say(.done)
        exit(EXIT_SUCCESS)
    }

    private static func write(
        _ client: SupabaseOfflineClient, _ orders: CrasherOrders, tasks: Int, writes: Int
    ) async throws {
        let past = WriteHistory(try HistoryFile.entries(orders.history))
        let numbers = Numbers(after: past.lastNumber)
        let history = try HistoryFile(orders.history)
        try await withThrowingDiscardingTaskGroup { group in
            for index in 0..<tasks {
                var writer = RowWriter(
                    client, orders, history, numbers, past, index: index, of: tasks)
                group.addTask { try await writer.write(writes) }
            }
        }
    }

    private static func send(_ client: SupabaseOfflineClient) async throws {
        // On a server that fails each pass may stop; so many are enough for whatever is left.
        for _ in 0..<50 {
            if try await client.syncPendingMutations().left == 0 { return }
        }
    }
}

/// Numbers for several tasks, each given once.
final class Numbers: Sendable {
    private let last: Atomic<Int>

    init(after last: Int) { self.last = Atomic(last) }

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// The platform's network, which says when something passes.
private struct SayingTransport: HTTPTransport {
    private let base = PlatformTransport.make()

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        say(.leaves)
        defer { say(.answered) }
        return try await base.send(request)
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        try await base.download(request, toFile: path)
    }

    func close() { base.close() }
}

/// Says a sign at once: what is still in a buffer when the process is killed is lost.
func say(_ sign: CrasherSign) { say(line: sign.rawValue) }

private func say(line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
