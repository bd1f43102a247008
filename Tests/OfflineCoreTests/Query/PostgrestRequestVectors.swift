import Foundation
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

/// What supabase-swift puts on the wire for a chain of calls, and we with it.
@Suite(
    "Requests as supabase-swift makes them", .enabled(if: Vectors.areThere, Vectors.absence),
    .timeLimit(.minutes(5)))
struct PostgrestRequestVectors {
    /// One chain and its request.
    struct Vector: Sendable, CustomTestStringConvertible {
        let id: String
        let json: Data
        var testDescription: String { id }
    }

    static let all = Vectors.load("postgrest-requests.json").compactMap { vector -> Vector? in
        guard let id = vector["id"] as? String,
            let json = try? JSONSerialization.data(withJSONObject: vector)
        else { return nil }
        return Vector(id: id, json: json)
    }

    /// Where we send something else on purpose.
    enum Difference {
        /// The query is this one.
        case query(String)
        /// The body is this one.
        case body(String)
        /// The chain can't be written, because the compiler refuses it.
        case refusedByCompiler
        /// The chain is refused when it is executed.
        case refused
    }

    static let differences: [String: Difference] = [
        // `column = NULL` is never true; nil is only allowed in an array, and asked for with `is`.
        "eq-nil-v2-only": .refusedByCompiler,
        "in-null-v2-only": .refusedByCompiler,
        // Bare, it would read as if it were SQL's null.
        "in-string-null-not-quoted": .query("select=%2A&c=in.%28%22null%22%29"),
        // With its zone, and rounded instead of cut.
        "insert-date-value": .body(#"{"at":"1970-01-01T00:00:00.000000Z"}"#),
        "insert-date-fractional": .body(#"{"at":"2024-01-15T10:30:45.123000Z"}"#),
        // Elements that would fall apart are quoted.
        "rpc-get-nested-array-strings": .query("s=%7B%22a%2Cb%22%2Cc%7D"),
        "csv-after-strip-nulls-error": .refused,
        "rpc-get-non-object-error": .refused,
        "rpc-head-non-object-error": .refused,
    ]

    @Test(arguments: all)
    func `a chain makes the same request`(_ vector: Vector) throws {
        let expected = try #require(
            try JSONSerialization.jsonObject(with: vector.json) as? [String: Any])
        let difference = Self.differences[vector.id]
        if case .refusedByCompiler? = difference { return }
        let chain = try #require(expected["chain"] as? [[Any]])
        let request = try Chain(chain).request()
        if case .refused? = difference {
            #expect(request.problem != nil)
            return
        }
        try #require(request.problem == nil)
        let sent = try Chain.settings(for: chain).exchange(
            request, token: nil, retries: 0, isWarm: false)
        #expect(sent.method == expected["method"] as? String)
        let (path, query) = try Self.parts(of: sent.url, chain)
        #expect(path == expected["path"] as? String)
        var expectedQuery = expected["query"] as? String ?? ""
        if case .query(let own)? = difference { expectedQuery = own }
        let isOrdered = expected["queryOrderSignificant"] as? Bool ?? true
        #expect(
            isOrdered
                ? query == expectedQuery
                : query.split("&").sorted() == expectedQuery.split("&").sorted())
        let headers = expected["headers"] as? [String: String] ?? [:]
        for (name, value) in headers { #expect(sent.headers[name] ?? "" == value, "\(name)") }
        for name in ["Prefer", "Accept-Profile", "Content-Profile"] where headers[name] == nil {
            #expect(sent.headers[name] == nil)
        }
        var body = expected["body"] ?? NSNull()
        if case .body(let own)? = difference {
            body = try JSONSerialization.jsonObject(with: Data(own.utf8))
        }
        #expect(try Self.canonical(sent.body) == Self.canonical(body))
    }

    @Test func `every difference is about a chain that there is`() {
        let ids = Set(Self.all.map(\.id))
        #expect(Set(Self.differences.keys).subtracting(ids) == [])
    }

    private static func parts(of url: String, _ chain: [[Any]]) throws -> (String, String) {
        let parts = url.dropFirst(Chain.base.count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    private static func canonical(_ body: HTTPRequest.Body) throws -> String {
        guard case .bytes(let bytes) = body else { return "null" }
        return try canonical(
            JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    private static func canonical(_ json: Any) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: json, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: data, as: UTF8.self)
    }
}

extension String {
    fileprivate func split(_ separator: Character) -> [Substring] { split(separator: separator) }
}
