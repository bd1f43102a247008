import Foundation

/// A user's session, as Supabase Auth gives it and as it is kept.
struct AuthSession: Codable, Equatable {
    struct User: Codable, Equatable {
        let id: UUID
        let email: String
    }

    let accessToken: String
    let refreshToken: String
    /// Seconds since 1970.
    let expiresAt: Double
    let user: User

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresAt = "expires_at"
        case user
    }

    /// The user's id, as tokens spell it.
    var userID: String { user.id.uuidString.lowercased() }

    /// Whether the token is of no use any more: it has to last for a request.
    func isExpired(at now: Date) -> Bool { expiresAt < now.timeIntervalSince1970 + 10 }
}
