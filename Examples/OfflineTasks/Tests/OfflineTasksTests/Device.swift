import Foundation
import OfflineTesting
import SupabaseOffline

@testable import OfflineTasks

/// A device with the app on it, and a server that answers as a test has written down.
struct Device {
    let directory: URL
    let network = ScriptedTransport()

    /// Lends a device, and removes what was on it.
    static func lend<R>(_ body: (Device) async throws -> R) async throws -> R {
        let directory = FileManager.default.temporaryDirectory.appending(
            component: "offline-tasks-\(UUID())", directoryHint: .isDirectory)
        // Nothing may be there if the test failed before it made anything.
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await body(Device(directory: directory))
    }

    /// The app, started anew.
    func commands(_ policy: SupabaseOfflineClient.SignOutPolicy = .dropCache) throws -> Commands {
        guard let server = URL(string: "http://tasks.example") else {
            preconditionFailure("the example is a URL")
        }
        let line: @Sendable () -> any HTTPTransport = { [network] in Line(network: network) }
        let accounts = Accounts(
            store: try AccountStore(in: directory),
            auth: AuthServer(server: server, key: "publishable", makeTransport: line))
        return Commands(
            Clients(
                server: server, key: "publishable", directory: directory, policy: policy,
                accounts: accounts, makeTransport: line))
    }

    /// Signs users in, as if each had logged in; the last one is present.
    func signIn(_ sessions: AuthSession...) throws {
        let store = try AccountStore(in: directory)
        for session in sessions { try store.add(session) }
    }

    /// What the app says to a command.
    func run(
        _ command: Invocation.Command, _ policy: SupabaseOfflineClient.SignOutPolicy = .dropCache
    ) async throws -> String {
        try await commands(policy).run(command)
    }

    /// What the app shows for `list` with these options.
    func list(
        _ options: String..., policy: SupabaseOfflineClient.SignOutPolicy = .dropCache
    ) async throws -> String {
        try await run(.list(try ListOptions(options)), policy)
    }

    /// Lets the server answer the next request with a task.
    func answer(task title: String) {
        network.answer(
            json: #"[{"id":"\#(UUID())","title":"\#(title)","done":false,"priority":null}]"#)
    }

    /// Lets the server answer the next request with a session.
    func answer(_ session: AuthSession) throws {
        network.answer(json: String(decoding: try JSONEncoder().encode(session), as: UTF8.self))
    }
}

/// A connection to the test's server; each has an end of its own.
private struct Line: HTTPTransport {
    let network: ScriptedTransport

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await network.send(request)
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        try await network.download(request, toFile: path)
    }

    func close() {}
}

extension AuthSession {
    static let ada = AuthSession.of("ada", 1)
    static let grace = AuthSession.of("grace", 2)

    static func of(
        _ name: String, _ number: UInt8, token: String = "", expiresIn seconds: Double = 3_600
    ) -> AuthSession {
        AuthSession(
            accessToken: "token\(token)-of-\(name)", refreshToken: "renewal\(token)-of-\(name)",
            expiresAt: Date().timeIntervalSince1970 + seconds,
            user: User(
                id: UUID(uuid: (0xA0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number)),
                email: "\(name)@example.com"))
    }
}
