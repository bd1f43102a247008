import Dispatch
import Foundation
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

/// That this compiles is half of the test: each way of writing a call finds one method, whatever the
/// type is.
@Suite("Executing a read", .timeLimit(.minutes(5)))
struct ExecuteTests {
    /// Notes whether it was decoded on the screen's queue.
    private struct SendableRow: Decodable, Sendable {
        let id: Int
        let wasOnScreen: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            wasOnScreen = Screen.isCurrent
        }

        private enum CodingKeys: CodingKey { case id }
    }

    private class ClassRow: Decodable {
        var id: Int
        let wasOnScreen: Bool

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            wasOnScreen = Screen.isCurrent
        }

        private enum CodingKeys: CodingKey { case id }
    }

    /// Runs on a queue that can be told from others.
    private final class QueueExecutor: SerialExecutor {
        static let key = DispatchSpecificKey<Bool>()
        private let queue = DispatchQueue(label: "screen")

        init() { queue.setSpecific(key: Self.key, value: true) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    /// An actor that knows whether it is its own turn.
    private actor Screen {
        private let executor = QueueExecutor()

        static var isCurrent: Bool { DispatchQueue.getSpecific(key: QueueExecutor.key) != nil }

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }

        func areSendableRowsDecodedHere(by read: PostgrestFilterBuilder) async throws -> [Bool] {
            let named = try await read.execute([SendableRow].self)
            let inferred: [SendableRow] = try await read.execute().value
            let response: OfflineResponse<[SendableRow]> = try await read.execute()
            return [named.value, inferred, response.value].map { $0.allSatisfy { $0.wasOnScreen } }
        }

        func areClassRowsDecodedHere(by read: PostgrestFilterBuilder) async throws -> [Bool] {
            let named = try await read.execute([ClassRow].self)
            let inferred: [ClassRow] = try await read.execute().value
            let response: OfflineResponse<[ClassRow]> = try await read.execute()
            return [named.value, inferred, response.value].map { $0.allSatisfy { $0.wasOnScreen } }
        }
    }

    @MainActor
    private final class ModelRow: @MainActor Decodable {
        let id: Int
        var isSelected = false

        private enum CodingKeys: CodingKey { case id }
    }

    @MainActor
    private struct ModelValue: @MainActor Decodable {
        let id: Int

        private enum CodingKeys: CodingKey { case id }
    }

    private func withRead(
        decoder: JSONDecoder? = nil, _ json: String = #"[{"id":1},{"id":2}]"#,
        _ body: (PostgrestFilterBuilder) async throws -> Void
    ) async throws {
        let network = ScriptedTransport()
        for _ in 0..<4 { network.answer(json: json) }
        let client = try SupabaseOfflineClient(
            supabaseURL: .example, supabaseKey: "publishable",
            config: .init(logLevel: .error, decoder: decoder),
            storage: MemoryStorage(keyspaces: Keyspace.all), transport: network)
        try await body(client.from("tasks").select())
        await client.close()
    }

    @Test func `decodes types that can be sent off the caller's actor`() async throws {
        try await withRead { read in
            let answers = try await Screen().areSendableRowsDecodedHere(by: read)
            #expect(answers == [false, false, false])
        }
    }

    @Test func `decodes other types where the caller is`() async throws {
        try await withRead { read in
            let answers = try await Screen().areClassRowsDecodedHere(by: read)
            #expect(answers == [true, true, true])
        }
    }

    @Test @MainActor func `decodes types that belong to the caller's actor`() async throws {
        try await withRead { read in
            let named = try await read.execute([ModelRow].self)
            let inferred: [ModelRow] = try await read.execute().value
            let values = try await read.execute([ModelValue].self)
            let inferredValues: [ModelValue] = try await read.execute().value
            #expect(named.value.map(\.id) == inferred.map(\.id))
            #expect(values.value.map(\.id) == inferredValues.map(\.id))
        }
    }

    @Test func `decodes from no actor too`() async throws {
        try await withRead { read in
            let inferred: [ClassRow] = try await read.execute().value
            let sendable: [SendableRow] = try await read.execute().value
            #expect(inferred.count == sendable.count)
        }
    }

    @Test func `decodes nothing unless asked to`() async throws {
        try await withRead("[{}]") { read in
            try await read.execute()
            let response = try await read.execute()
            let value: Void = response.value
            #expect(value == ())
        }
    }

    @Test func `takes the app's decoder if there is one`() async throws {
        struct Row: Decodable, Equatable { var isDone: Bool }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        try await withRead(decoder: decoder, #"[{"is_done":true}]"#) { read in
            let rows = try await read.execute([Row].self).value
            #expect(rows == [Row(isDone: true)])
        }
        try await withRead(#"[{"is_done":true}]"#) { read in
            let error = await #expect(throws: OfflineError.self) {
                try await read.execute([Row].self)
            }
            #expect(error?.reason == .decoding)
        }
    }

    @Test func `names the column of the row that doesn't fit`() async throws {
        struct Row: Decodable { var id: String }
        try await withRead { read in
            let error = await #expect(throws: OfflineError.self) {
                try await read.execute([Row].self)
            }
            #expect(error?.reason == .decoding)
            guard case .typeMismatch(_, let context)? = error?.underlying as? DecodingError else {
                Issue.record("\(String(describing: error)) is another error")
                return
            }
            #expect(context.codingPath.map(\.stringValue) == ["Index 0", "id"])
        }
    }

    @Test func `decodes an answer that is no list`() async throws {
        struct Row: Decodable, Sendable { var id: Int, at: Date }
        try await withRead(#"{"id":1,"at":"1970-01-01"}"#) { read in
            // A request with a token of its own may ask for anything.
            let own = read.setHeader(name: "Authorization", value: "Bearer x")
            let row: Row = try await own.execute().value
            #expect(row.id == 1)
            #expect(row.at == Date(timeIntervalSince1970: 0))
        }
    }
}
