import FoundationEssentials

/// What a token says of itself.
///
/// It is decoded, not verified: that is the server's business.
struct TokenClaims: Decodable {
    /// The claim that names the user.
    private let sub: String?

    /// The user's id; nil if the token names nobody, or somebody without a name.
    var user: UserID? { sub.flatMap { $0.isEmpty ? nil : UserID($0) } }

    /// Reads the middle part of a JSON Web Token (RFC 7519); nil if it is none.
    init?(token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Data(base64URL: parts[1]),
            let claims = try? JSONDecoder().decode(TokenClaims.self, from: payload)
        else { return nil }
        self = claims
    }
}

extension Data {
    /// Decodes base64 in the alphabet for URLs, without padding (RFC 4648, 5).
    fileprivate init?(base64URL text: Substring) {
        var standard = String(
            text.map { character in
                switch character {
                case "-": "+"
                case "_": "/"
                default: character
                }
            })
        standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        self.init(base64Encoded: standard)
    }
}
