import Foundation
import SupabaseOffline

/// The signed-in user, kept between commands, and the source of the library's tokens.
actor Account {
    /// What Supabase Auth answers to a sign-in or a renewal.
    private struct Session: Codable {
        let accessToken: String
        let refreshToken: String
        let expiresAt: Double

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
            case expiresAt = "expires_at"
        }

        var isExpired: Bool { expiresAt < Date().timeIntervalSince1970 + 10 }
    }

    private let server: URL
    private let key: String
    private let file: URL
    private var session: Session?

    init(server: URL, key: String, directory: URL) throws {
        self.server = server
        self.key = key
        file = directory.appending(path: "session.json")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        session = try? JSONDecoder().decode(Session.self, from: Data(contentsOf: file))
    }

    func signIn(email: String, password: String) async throws {
        try await authenticate("password", ["email": email, "password": password])
    }

    /// The user's token: a fresh one if the old one has expired, nil if nobody is signed in.
    ///
    /// Throws if it can't be renewed now, so that the library knows that the user is still the same.
    func accessToken() async throws -> String? {
        guard let current = session else { return nil }
        guard current.isExpired else { return current.accessToken }
        try await authenticate("refresh_token", ["refresh_token": current.refreshToken])
        return session?.accessToken
    }

    private func authenticate(_ grant: String, _ body: [String: String]) async throws {
        let transport = PlatformTransport.make()
        defer { transport.close() }
        let address = server.appending(path: "auth/v1/token").absoluteString
        let response = try await transport.send(
            HTTPRequest(
                method: "POST", url: "\(address)?grant_type=\(grant)",
                headers: ["apikey": key, "Content-Type": "application/json"],
                body: .bytes(ContiguousArray(try JSONEncoder().encode(body))),
                limits: .init(total: .seconds(30))))
        let answer = Data(response.body)
        guard response.status == 200 else { throw SignInError(status: response.status) }
        session = try JSONDecoder().decode(Session.self, from: answer)
        try answer.write(to: file, options: .atomic)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file.path(percentEncoded: false))
    }
}

/// The server doesn't let the user in.
struct SignInError: Error, CustomStringConvertible {
    let status: Int

    var description: String {
        "The server refused the sign-in (\(status)). Check the address and the password."
    }
}
