#if canImport(CZlib)
import Foundation
import OfflineCore
import TestSupport
import Testing

@testable import Transport

@Suite("A compressed body", .timeLimit(.minutes(5)))
struct GunzipTests {
    private static let text = (0..<20_000).map { "row \($0 &* 7_919 % 1_000)\n" }.joined()

    @Test(arguments: [1, 7, 4_096, .max])
    func `comes back in whatever pieces it arrives`(_ length: Int) async throws {
        let compressed = Array(try await run("gzip", "--stdout", input: Self.text))
        let (plain, isWhole) = try #require(Self.decompress([compressed], pieces: length))
        #expect(plain == Data(Self.text.utf8))
        #expect(isWhole)
    }

    @Test func `may be several, one behind the other`() async throws {
        let compressed = Array(try await run("gzip", "--stdout", input: "rows"))
        let (plain, isWhole) = try #require(
            Self.decompress([compressed, compressed, compressed], pieces: 5))
        #expect(plain == Data("rowsrowsrows".utf8))
        #expect(isWhole)
    }

    @Test func `is not whole before its last byte`() async throws {
        let compressed = Array(try await run("gzip", "--stdout", input: "rows"))
        for count in 1..<compressed.count {
            let part = try #require(Self.decompress([Array(compressed[..<count])], pieces: .max))
            #expect(!part.isWhole)
        }
    }

    @Test func `is refused with a wrong checksum`() async throws {
        var compressed = Array(try await run("gzip", "--stdout", input: "rows"))
        compressed[compressed.count - 8] ^= 1
        #expect(Self.decompress([compressed], pieces: .max) == nil)
    }

    @Test func `may be empty`() throws {
        let nothing = try #require(Self.decompress([], pieces: .max))
        #expect(nothing.plain.isEmpty)
        #expect(nothing.isWhole)
    }

    /// What bodies stand for, or nil if they are refused.
    private static func decompress(
        _ bodies: [[UInt8]], pieces: Int
    ) -> (plain: Data, isWhole: Bool)? {
        guard let gunzip = Gunzip() else { return nil }
        var plain = Data()
        var rest = Array(bodies.joined())[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces))
            rest = rest.dropFirst(piece.count)
            let isTaken = piece.withUnsafeBytes { bytes in
                gunzip.decompress(bytes) {
                    plain.append(contentsOf: $0)
                    return true
                }
            }
            guard isTaken else { return nil }
        }
        return (plain, gunzip.isWhole)
    }
}
#endif
