import OfflineCore
import Testing

@testable import Transport

@Suite("The head of an answer", .timeLimit(.minutes(5)))
struct ResponseHeadTests {
    private func head(_ lines: String...) -> ResponseHead {
        var head = ResponseHead()
        for line in lines {
            let isTaken = head.take(line: Array((line + "\r\n").utf8))
            #expect(isTaken)
        }
        return head
    }

    @Test func `is whole with the blank line, not before`() {
        #expect(!head().isComplete)
        #expect(!head("HTTP/1.1 200 OK").isComplete)
        #expect(!head("HTTP/1.1 200 OK", "A: 1").isComplete)
        #expect(head("HTTP/1.1 200 OK", "A: 1", "").isComplete)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 404 Not Found", 404), ("HTTP/1.0 200", 200), ("HTTP/2 204 ", 204),
            ("HTTP/1.1  503 x", 503),
        ])
    func `has the status of its first line`(_ line: String, _ status: Int) {
        #expect(head(line, "").status == status)
    }

    @Test func `keeps fields in order, repeated ones too, without blanks around them`() {
        let head = head("HTTP/1.1 200 OK", "B:2 ", "a:\t1", "B: 3", "Empty:", "")
        #expect(head.headers.fields.map(\.name) == ["B", "a", "B", "Empty"])
        #expect(head.headers.fields.map(\.value) == ["2", "1", "3", ""])
    }

    @Test func `a value may hold colons, and may be folded`() {
        let head = head("HTTP/1.1 200 OK", "Date: 10:20:30", "Long: a", "  b", "")
        #expect(head.headers["Date"] == "10:20:30")
        #expect(head.headers["Long"] == "a b")
    }

    @Test func `interim answers leave nothing behind`() {
        let head = head(
            "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: x", "",
            "HTTP/1.1 200 OK", "A: 1", "")
        #expect(head.isComplete)
        #expect(head.status == 200)
        #expect(head.headers == ["A": "1"])
    }

    @Test func `an interim answer alone is no answer`() {
        #expect(!head("HTTP/1.1 103 Early Hints", "Link: x", "").isComplete)
    }

    @Test func `a change of protocol that nobody asked for is final`() {
        #expect(head("HTTP/1.1 101 Switching Protocols", "").isComplete)
    }

    @Test func `trailers are left aside`() {
        let head = head("HTTP/1.1 200 OK", "A: 1", "", "Trailer: 2", "")
        #expect(head.headers == ["A": "1"])
    }

    @Test func `a line without a colon is no field`() {
        #expect(head("HTTP/1.1 200 OK", "nonsense", "").headers == [:])
    }

    @Test func `has an end to its length, interim ones included`() {
        var head = ResponseHead()
        let line = Array("HTTP/1.1 100 \(String(repeating: "x", count: 1000))\r\n\r\n".utf8)
        var lines = 0
        while head.take(line: line) { lines += 1 }
        #expect(lines == ResponseHead.limit / line.count)
    }

    @Test func `announces the length of its body`() {
        #expect(head("HTTP/1.1 200 OK", "content-length: 12", "").announcedLength == 12)
        #expect(head("HTTP/1.1 200 OK", "").announcedLength == nil)
        #expect(head("HTTP/1.1 200 OK", "Content-Length: many", "").announcedLength == nil)
    }
}
