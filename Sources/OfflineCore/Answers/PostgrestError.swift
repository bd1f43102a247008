import FoundationEssentials

/// A server's refusal, in PostgREST's words.
///
/// PostgREST sends `code`, `message`, `details` and `hint`; a gateway before it may send less.
public struct PostgrestError: Error, Hashable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// An SQLSTATE or a `PGRST` code; nil if the answer is not PostgREST's.
    public let code: String?
    /// What the server says.
    public let message: String
    /// More about it; may hold values of the row concerned.
    public let details: String?
    /// What the server suggests.
    public let hint: String?

    /// Creates an error.
    public init(
        status: Int, code: String? = nil, message: String, details: String? = nil,
        hint: String? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.hint = hint
    }

    /// Reads an answer that refuses.
    ///
    /// `details` may be a list (PGRST201); what is no text is left out. The answer to a HEAD has no
    /// body, and PostgREST 13 then names the code in `Proxy-Status`.
    package init(_ response: HTTPResponse) {
        let body = try? JSONDecoder().decode(Body.self, from: Data(response.body))
        self.init(
            status: response.status, code: body?.code ?? response.headers.proxyStatusError,
            message: body?.text ?? "status \(response.status)",
            details: body?.details, hint: body?.hint)
    }

    private struct Body: Decodable {
        let code, text, details, hint: String?

        enum CodingKeys: String, CodingKey { case code, message, msg, error, details, hint }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func text(_ key: CodingKeys) -> String? {
                // Gateways put numbers and objects where PostgREST has text.
                try? container.decodeIfPresent(String.self, forKey: key)
            }
            code = text(.code)
            self.text = text(.message) ?? text(.msg) ?? text(.error)
            details = text(.details)
            hint = text(.hint)
        }
    }
}

extension HTTPHeaders {
    /// The code in `Proxy-Status: PostgREST; error=42501` (RFC 9209).
    fileprivate var proxyStatusError: String? {
        guard let parts = self["Proxy-Status"]?.split(separator: ";"), parts.first == "PostgREST"
        else { return nil }
        for part in parts.dropFirst() {
            let name = part.drop { $0 == " " }
            if name.hasPrefix("error=") { return String(name.dropFirst("error=".count)) }
        }
        return nil
    }
}

// Messages and details may quote a row; they are there to be read, not to be logged.
extension PostgrestError: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The status and the code, without what could quote a row.
    public var description: String { code.map { "\(status), code \($0)" } ?? "status \(status)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows the status and the code alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["status": status, "code": code ?? "none"])
    }
}
