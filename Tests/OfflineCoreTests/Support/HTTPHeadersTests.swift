import OfflineCore
import Testing

@Suite("Headers", .timeLimit(.minutes(5)))
struct HTTPHeadersTests {
    @Test func `are found whatever the case of their name`() {
        let headers: HTTPHeaders = ["ETag": "1"]
        #expect(headers["etag"] == "1")
        #expect(headers["ETAG"] == "1")
        #expect(headers["e-tag"] == nil)
    }

    @Test func `keep several values of a name until it is set`() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        #expect(headers.values(for: "a") == ["1", "3"])
        headers["a"] = "4"
        #expect(headers.fields.map(\.value) == ["4", "2"])
        headers["A"] = nil
        #expect(headers.fields.map(\.name) == ["B"])
    }

    @Test func `are equal whatever the case of their names`() {
        let (left, right): (HTTPHeaders, HTTPHeaders) = (["A": "x"], ["a": "x"])
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != ["A": "X"])
    }
}
