import OfflineCore
import Testing

@testable import Transport

@Suite("A request", .timeLimit(.minutes(5)))
struct RequestRulesTests {
    private static let url = "https://example.org/rest/v1/tasks?id=eq.1"

    @Test(
        arguments: [
            url, "http://127.0.0.1:54321", "HTTPS://example.org", "https://[::1]:8000/a",
            "https://example.org/a%20b?email=eq.a@b.c",
        ])
    func `goes to an address`(_ url: String) {
        #expect(throws: Never.self) { try HTTPRequest(url: url).checkForm() }
    }

    @Test(
        arguments: [
            "", "example.org", "ftp://example.org/", "file:///etc/passwd", "https:/example.org",
            "https://", "https:///path", "http://:80/", "https://example.org/a b",
            "https://example.org/\r\nA: b", "https://example.org/ü", "https://example.org/\u{0}",
            "https://name:word@example.org/", "//example.org/", "javascript:alert(1)",
        ])
    func `is refused without a usable address`(_ url: String) {
        refuses(HTTPRequest(url: url))
    }

    @Test(arguments: ["a\rb", "a\nb", "a\r\nHost: other", "a\u{0}b"])
    func `is refused with a line break or a zero in a value`(_ value: String) {
        refuses(HTTPRequest(url: Self.url, headers: ["Authorization": value]))
    }

    @Test(arguments: ["", "a b", "a:", "a\r\nb", "a\u{0}", "ä", "("])
    func `is refused with a name that is none`(_ name: String) {
        refuses(HTTPRequest(url: Self.url, headers: [name: "value"]))
    }

    @Test(arguments: ["", "GET /", "GET\r\n", "PÖST"])
    func `is refused with a method that is none`(_ method: String) {
        refuses(HTTPRequest(method: method, url: Self.url))
    }

    @Test(arguments: ["GET", "HEAD"])
    func `that reads carries nothing`(_ method: String) {
        refuses(HTTPRequest(method: method, url: Self.url, body: .bytes([1])))
    }

    @Test func `may hold any other bytes in a value`() {
        let request = HTTPRequest(url: Self.url, headers: ["A": "ü \t \"x\"", "Empty": ""])
        #expect(throws: Never.self) { try request.checkForm() }
    }

    @Test(
        arguments: [
            ("GET", true), ("HEAD", true), ("OPTIONS", true), ("POST", false), ("PUT", false),
            ("PATCH", false), ("DELETE", false), ("get", false),
        ])
    func `is repeated only if it reads`(_ method: String, _ expected: Bool) {
        #expect(HTTPRequest(method: method, url: Self.url).mayBeRepeated == expected)
    }

    @Test func `is not repeated with a body`() {
        let request = HTTPRequest(method: "OPTIONS", url: Self.url, body: .bytes([1]))
        #expect(!request.mayBeRepeated)
    }

    @Test func `leaves the framing of its body to the transport`() {
        let request = HTTPRequest(
            url: Self.url, headers: ["content-Length": "5", "Transfer-encoding": "x", "A": "1"])
        #expect(request.fieldsToSend.map(\.name) == ["A"])
    }

    private func refuses(_ request: HTTPRequest) {
        #expect(throws: TransportError(.notSent, .invalidRequest)) { try request.checkForm() }
    }
}
