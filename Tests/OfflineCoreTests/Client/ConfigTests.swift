import FoundationEssentials
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

@Suite("A configuration", .timeLimit(.minutes(5)))
struct ConfigTests {
    @Test func `has the defaults that the documentation names`() {
        let config = SupabaseOfflineClient.Config()
        #expect(config.defaultSchema == "public")
        #expect(config.accessToken == nil)
        #expect(config.dataDirectory == nil)
        #expect(config.cacheSize == .bytes(100 * 1_024 * 1_024))
        #expect(config.networkAvailability == nil)
        #expect(config.primaryKeys.isEmpty)
        #expect(config.columnTypes.isEmpty)
        #expect(config.logLevel == .warning)
        #expect(config.decoder == nil)
        #expect(config.headers.isEmpty)
        #expect(config.requestTimeout == .seconds(60))
        #expect(config.warmReadTimeout == .seconds(10))
        #expect(config.problem == nil)
    }

    static let bad: [SupabaseOfflineClient.Config] = [
        .init(defaultSchema: ""), .init(primaryKeys: ["tasks": []]),
        .init(primaryKeys: ["tasks": ["id", ""]]), .init(primaryKeys: ["": ["id"]]),
        .init(columnTypes: ["": ["id": "int8"]]), .init(columnTypes: ["tasks": ["": "int8"]]),
        .init(columnTypes: ["tasks": ["mood": .enumeration([])]]),
        .init(columnTypes: ["tasks": ["mood": .enumeration(["sad", "ok", "sad"])]]),
        .init(columnTypes: ["tasks": ["moods": .array(of: .enumeration([]))]]),
        .init(dataDirectory: URL(string: "relative/place")),
        .init(dataDirectory: URL(string: "https://example.com/place")),
        .init(headers: ["authorization": "x"]), .init(headers: ["APIKEY": "x"]),
        .init(headers: ["Accept-Profile": "x"]), .init(headers: ["content-profile": "x"]),
        .init(requestTimeout: .seconds(-1)), .init(warmReadTimeout: .zero),
    ]

    @Test(arguments: bad.indices)
    func `that is bad is an error when the client is made, and says the way out`(
        _ index: Int
    ) throws {
        let error = #expect(throws: OfflineError.self) { try client(Self.bad[index]) }
        guard case .invalidConfiguration(let problem)? = error?.reason else {
            Issue.record("\(String(describing: error)) is another reason")
            return
        }
        #expect(problem.contains(". "))
    }

    @Test(arguments: [
        "", "xyz.supabase.co", "ftp://xyz.supabase.co", "https://", "https://x.co?a=1",
        "https://x.co#a", "file:///tmp",
    ])
    func `needs the address of a server`(_ address: String) {
        guard let url = URL(string: address) else { return }
        let error = #expect(throws: OfflineError.self) { try client(.init(), url: url) }
        guard case .invalidConfiguration? = error?.reason else {
            Issue.record("\(String(describing: error)) is another reason")
            return
        }
    }

    @Test func `hands the types of a table's columns on, by its schema`() throws {
        let config = SupabaseOfflineClient.Config(
            columnTypes: ["tasks": ["at": "timestamptz"], "app.tasks": ["at": "date"]])
        let settings = try #require(RequestSettings(url: .example, key: "key", config: config))
        func types(_ table: String, schema: String) -> [String: PostgresType] {
            settings.facts(of: PostgrestRequest(.table(table), schema: schema, method: "GET")).types
        }
        #expect(types("tasks", schema: "public") == ["at": "timestamptz"])
        #expect(types("tasks", schema: "app") == ["at": "date"])
        #expect(types("tasks", schema: "other").isEmpty)
        #expect(types("notes", schema: "public").isEmpty)
    }

    @Test func `needs a key`() {
        #expect(throws: OfflineError.self) { try client(.init(), key: "") }
    }

    @Test(arguments: [
        ("https://xyz.supabase.co/", "https://xyz.supabase.co/rest/v1/t?select=%2A"),
        ("HTTP://LocalHost:54321", "http://localhost:54321/rest/v1/t?select=%2A"),
        ("https://proxy.example/base", "https://proxy.example/base/rest/v1/t?select=%2A"),
    ])
    func `takes the address as it is written`(_ address: String, _ expected: String) async throws {
        let network = ScriptedTransport()
        network.answer(json: "[]")
        let client = try client(
            .init(), url: try #require(URL(string: address)), network: network)
        try await client.from("t").select().execute()
        #expect(network.requests.map(\.url) == [expected])
        await client.close()
    }

    @Test func `sends its headers with every request, and the app's own on top`() async throws {
        let network = ScriptedTransport()
        network.answer(json: "[]")
        let client = try client(.init(headers: ["X-App": "a", "X-Tenant": "1"]), network: network)
        try await client.from("t").select().setHeader(name: "x-tenant", value: "2").execute()
        let headers = try #require(network.requests.first?.headers)
        #expect(headers["X-App"] == "a")
        #expect(headers.values(for: "X-Tenant") == ["2"])
        await client.close()
    }

    @discardableResult
    private func client(
        _ config: SupabaseOfflineClient.Config, url: URL = .example, key: String = "publishable",
        network: ScriptedTransport = ScriptedTransport()
    ) throws -> SupabaseOfflineClient {
        try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: key, config: config,
            storage: MemoryStorage(keyspaces: Keyspace.all), transport: network)
    }
}
