import Foundation
import SupabaseOffline

/// Supabase Auth, as far as the app uses it.
struct AuthServer: Sendable {
    let server: URL
    let key: String
    var makeTransport: @Sendable () -> any HTTPTransport = { PlatformTransport.make() }

    func signIn(email: String, password: String) async throws(AuthError) -> AuthSession {
        try await authenticate("password", ["email": email, "password": password])
    }

    /// Replaces a session whose token has expired.
    func renew(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        try await authenticate("refresh_token", ["refresh_token": session.refreshToken])
    }

    /// Ends a session, and no other of the user's: those of other devices go on.
    func end(_ session: AuthSession) async throws(AuthError) {
        do throws(AuthError) {
            // An expired token can't even end its session.
            let current = session.isExpired(at: Date()) ? try await renew(session) : session
            _ = try await send("logout?scope=local", token: current.accessToken)
        } catch {
            // A session that Auth doesn't know, or no longer lets in, has ended already.
            guard case .refused = error else { throw error }
        }
    }

    private func authenticate(
        _ grant: String, _ body: [String: String]
    ) async throws(AuthError) -> AuthSession {
        let answer = try await send("token?grant_type=\(grant)", body)
        guard let session = try? JSONDecoder().decode(AuthSession.self, from: Data(answer.body))
        else { throw .unexpected(status: answer.status) }
        return session
    }

    private func send(
        _ path: String, token: String? = nil, _ body: [String: String] = [:]
    ) async throws(AuthError) -> HTTPResponse {
        let transport = makeTransport()
        defer { transport.close() }
        var headers: HTTPHeaders = ["apikey": key, "Content-Type": "application/json"]
        if let token { headers["Authorization"] = "Bearer \(token)" }
        guard let json = try? JSONEncoder().encode(body) else {
            preconditionFailure("texts can be encoded")
        }
        let answer: HTTPResponse
        do throws(TransportError) {
            answer = try await transport.send(
                HTTPRequest(
                    method: "POST",
                    url: "\(server.appending(path: "auth/v1/").absoluteString)\(path)",
                    headers: headers, body: .bytes(ContiguousArray(json)),
                    limits: .init(total: .seconds(15))))
        } catch {
            throw .unreachable
        }
        switch answer.status {
        case 200..<300: return answer
        case 400, 401, 403, 404, 422: throw .refused(status: answer.status)
        default: throw .unexpected(status: answer.status)
        }
    }
}

/// Why Supabase Auth did not do what it was asked.
enum AuthError: Error, Equatable, CustomStringConvertible {
    /// No answer came.
    case unreachable
    /// It knows nobody by this password or this session.
    case refused(status: Int)
    /// The answer says nothing about that.
    case unexpected(status: Int)

    var description: String {
        switch self {
        case .unreachable:
            "The server can't be reached, and signing in needs it. Try again with a network; "
                + "a user whose session is kept can be had without, with switch."
        case .refused(let status):
            "The server refused the sign-in (\(status)). Check the address and the password."
        case .unexpected(let status):
            "The server's answer (\(status)) is none to a sign-in. Try again later, "
                + "and check that OFFLINE_TASKS_URL is the project's address."
        }
    }
}
