import OfflineCore

extension HTTPRequest {
    /// Refuses what can't go on the wire as it stands, before anything is sent.
    ///
    /// A line break in a field would let whoever chose its value write fields of its own.
    func checkForm() throws(TransportError) {
        let isSendable =
            Self.isToken(method) && hasUsableURL && (mayCarryBody || body == .none)
            && headers.fields.allSatisfy { field in
                Self.isToken(field.name)
                    && field.value.utf8.allSatisfy { $0 != 0 && $0 != 10 && $0 != 13 }
            }
        guard isSendable else { throw TransportError(.notSent, .invalidRequest) }
    }

    /// Whether a transport may send it a second time by itself.
    ///
    /// It may if nothing changes by it (RFC 9110, 9.2.1). Of everything else the caller must learn
    /// that it was sent without an answer: only it knows how to find out what became of it.
    var mayBeRepeated: Bool { ["GET", "HEAD", "OPTIONS"].contains(method) && body == .none }

    /// Whether an empty body is announced as one (RFC 9110, 8.6).
    var announcesEmptyBody: Bool { ["POST", "PUT", "PATCH"].contains(method) }

    /// The fields as they are sent: those that frame the body are for the transport to decide.
    var fieldsToSend: [HTTPHeaders.Field] {
        headers.fields.filter {
            let name = $0.name.lowercased()
            return name != "content-length" && name != "transfer-encoding"
        }
    }

    private var mayCarryBody: Bool { method != "GET" && method != "HEAD" }

    private var hasUsableURL: Bool {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let colon = url.firstIndex(of: ":"),
            ["http", "https"].contains(url[..<colon].lowercased())
        else { return false }
        let rest = url[colon...].dropFirst()
        guard rest.hasPrefix("//") else { return false }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        // A name and a password in an address would become a header that nobody asked for.
        return !authority.isEmpty && !authority.hasPrefix(":") && !authority.contains("@")
    }

    /// Whether a text is a token (RFC 9110, 5.6.2).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
