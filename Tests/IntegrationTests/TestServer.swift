import Foundation
import SupabaseOffline
import TestSupport
import Testing

/// The server that the suite runs against, named by the environment.
///
/// It is the development server of this project (`scripts/devserver`), or a PostgREST behind
/// `/rest/v1` over a database with the same schema. The variables are:
///
/// - `OFFLINE_TEST_URL`: the address, without `/rest/v1`
/// - `OFFLINE_TEST_KEY`: the publishable key
/// - `OFFLINE_TEST_JWT_SECRET`: what signs the tokens of users
/// - `OFFLINE_TEST_DATABASE`: how `psql` reaches the database as its owner
/// - `OFFLINE_TEST_CONTROL`: where the development server takes faults; no other server has it
struct TestServer: Sendable {
    let url: URL
    let key: String
    private let secret: String
    private let database: String
    private let control: String?

    /// The server of the environment; nil if it names none.
    static let current: TestServer? = {
        let environment = ProcessInfo.processInfo.environment
        guard let url = environment["OFFLINE_TEST_URL"].flatMap({ URL(string: $0) }),
            let key = environment["OFFLINE_TEST_KEY"],
            let secret = environment["OFFLINE_TEST_JWT_SECRET"],
            let database = environment["OFFLINE_TEST_DATABASE"]
        else { return nil }
        return TestServer(
            url: url, key: key, secret: secret, database: database,
            control: environment["OFFLINE_TEST_CONTROL"])
    }()

    /// Whether there is a server at all.
    static var isThere: Bool { current != nil }

    /// Whether it takes faults.
    static var takesFaults: Bool { current?.control != nil }

    /// Runs SQL as the owner of the database, past all policies.
    @discardableResult
    func sql(_ statements: String) async throws -> String {
        let output = try await run(
            "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set",
            "ON_ERROR_STOP=1", database, input: statements)
        return String(decoding: output, as: UTF8.self)
    }

    /// Makes a user whom nobody else knows, with tasks.
    func makeUser(tasks titles: [String] = []) async throws -> TestUser {
        let user = TestUser(id: UUID().uuidString.lowercased(), server: self)
        let rows = titles.enumerated().map { index, title in
            "insert into public.tasks (id, user_id, title, priority, created_at) values "
                + "(gen_random_uuid(), '\(user.id)', '\(title.replacing("'", with: "''"))', \(index), "
                + "'2026-01-01T00:00:00Z'::timestamptz + interval '\(index) minutes');"
        }
        try await sql(
            "insert into auth.users (id, email, encrypted_password) values "
                + "('\(user.id)', '\(user.id)@example.com', '');" + rows.joined())
        return user
    }

    /// A token of a user.
    func token(
        for user: String, role: String = "authenticated", lifetime: TimeInterval = 3_600
    ) async throws -> String {
        let now = Date().timeIntervalSince1970
        let claims = """
            {"sub":"\(user)","role":"\(role)","aud":"authenticated",\
            "iat":\(Int(now) - 7_200),"exp":\(Int(now + lifetime))}
            """
        let signed =
            Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8).base64URL + "."
            + Data(claims.utf8).base64URL
        let signature = try await run(
            "openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", "key:\(secret)", "-binary",
            input: signed)
        return signed + "." + signature.base64URL
    }

    /// Lets the server do something wrong with the requests that follow.
    ///
    /// - Parameters:
    ///   - fault: The fault's name and options, as JSON members: `"fault":"cut_headers"`.
    ///   - table: The table whose requests it meets, or what the names of several begin with.
    ///   - times: How many of them; nil is all, until it is cleared.
    /// - Throws: If the server doesn't know the fault, or is not to be reached.
    func fail(_ fault: String, table: String, times: Int? = 1) async throws {
        let times = times.map { "\($0)" } ?? "null"
        try await fail([#"\#(fault),"times":\#(times)"#], table: table)
    }

    /// Lets the server do several things wrong, in this order.
    func fail(_ faults: [String], table: String) async throws {
        let faults = faults.map { #"{\#($0),"match":{"path":"/rest/v1/\#(table)"}}"# }
        try await control("POST", "faults", "[\(faults.joined(separator: ","))]")
    }

    /// Ends the faults for a table, and no other test's.
    func clearFaults(table: String) async throws {
        try await control("DELETE", "faults?path=/rest/v1/\(table)")
    }

    /// Waits until the server knows tables that were just made.
    func reload() async throws { try await control("POST", "reload") }

    /// The methods of the requests that the server has seen for a table, in order.
    func methods(table: String) async throws -> [String] {
        struct Entry: Decodable { let method: String }
        let log = try await control("GET", "log?path=/rest/v1/\(table)")
        return try JSONDecoder().decode([Entry].self, from: Data(log.body)).map(\.method)
    }

    @discardableResult
    private func control(
        _ method: String, _ path: String, _ body: String? = nil
    ) async throws -> HTTPResponse {
        let control = try #require(control)
        let transport = PlatformTransport.make()
        defer { transport.close() }
        let response = try await transport.send(
            HTTPRequest(
                method: method, url: "\(control)/\(path)",
                headers: ["Content-Type": "application/json"],
                body: body.map { .bytes(ContiguousArray($0.utf8)) } ?? .none))
        try #require((200..<300).contains(response.status), "the server doesn't take \(body ?? "")")
        return response
    }
}

/// A user of the test server, alone with their rows.
struct TestUser: Sendable {
    let id: String
    let server: TestServer

    func token(lifetime: TimeInterval = 3_600) async throws -> String {
        try await server.token(for: id, lifetime: lifetime)
    }
}

extension Data {
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}

/// What the app says when it is asked for a token; a test changes it.
actor Tokens {
    private var token: String?
    private var next: (token: String, after: Int)?
    /// How often the app was asked since the last change.
    private(set) var count = 0

    init(_ token: String?) { self.token = token }

    /// Gives a token, and another one once it was asked so many times.
    func set(_ token: String?, then next: String? = nil, after times: Int = 1) {
        self.token = token
        self.next = next.map { ($0, times) }
        count = 0
    }

    nonisolated var source: @Sendable () async throws -> String? { { await self.answer() } }

    private func answer() -> String? {
        if let next, count >= next.after { token = next.token }
        count += 1
        return token
    }
}

/// Runs `body` with a client of the test server, in a directory of its own.
func withClient<R>(
    tokens: Tokens? = nil,
    configure: (inout SupabaseOfflineClient.Config) -> Void = { _ in },
    _ body: (SupabaseOfflineClient, TestServer) async throws -> R
) async throws -> R {
    let server = try #require(TestServer.current)
    return try await withDirectory { directory in
        var config = SupabaseOfflineClient.Config(
            accessToken: tokens?.source, dataDirectory: directory, logLevel: .error)
        configure(&config)
        let client = try SupabaseOfflineClient(
            supabaseURL: server.url, supabaseKey: server.key, config: config)
        do {
            let result = try await body(client, server)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }
}

extension OfflineResponse {
    /// The answer as text.
    var text: String { String(decoding: data, as: UTF8.self) }
}
