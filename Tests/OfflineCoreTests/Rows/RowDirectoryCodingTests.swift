import OfflineCore
import OfflineTesting
import Testing

@Suite("A stored directory", .timeLimit(.minutes(5)))
struct RowDirectoryCodingTests {
    private let body = #"[{"id":1},{"id":"b"},{},{"id":1}]"#

    private func error(_ stored: Bytes) -> RowDirectoryError? {
        do throws(RowDirectoryError) {
            _ = try RowDirectory(decoding: stored.span)
            return nil
        } catch {
            return error
        }
    }

    /// The sample with one of its numbers changed; the layout is told in the sources.
    private func sample(_ changes: (offset: Int, bytes: Bytes)...) throws -> Bytes {
        var stored = try RowDirectory(body).encoded
        for change in changes {
            stored.replaceSubrange(
                change.offset..<change.offset + change.bytes.count, with: change.bytes)
        }
        return stored
    }

    @Test func `is read as it was written`() throws {
        let directory = try RowDirectory(body)
        let again = try RowDirectory(decoding: directory.encoded.span)
        #expect(again == directory)
        #expect(again.keyHashes == directory.keyHashes)
        #expect(again.bodyLength == body.utf8.count)
        #expect((0..<4).map { again[$0] } == (0..<4).map { directory[$0] })
        let empty = try RowDirectory("[]")
        #expect(try RowDirectory(decoding: empty.encoded.span) == empty)
    }

    @Test func `has the bytes that the format says`() throws {
        let stored = try RowDirectory(#"[{"id":1}, {}]"#).encoded
        let hash = try #require(RowKey(values: [Bytes("1")])).stableHash
        let expected: Bytes =
            [1, 0, 0, 0, 14, 0, 0, 0, 2, 0, 0, 0, 1] + [0, 0, 0, 1, 0, 0, 0, 8]
            + [0, 0, 0, 11, 0, 0, 0, 2]
            + Bytes((0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) })
            + [0, 0, 0, 0]
        #expect(stored == expected)
    }

    @Test func `is searched where it lies`() throws {
        let stored = try sample()
        let layout = try RowDirectoryLayout(of: stored.span)
        let hash = try #require(RowKey(values: [Bytes("1")])).stableHash
        #expect(layout.count == 4)
        #expect(layout.keyCount == 3)
        #expect(try layout.rows(withHash: hash, in: stored.span) == [0, 3])
        #expect(try layout.rows(withHash: hash &+ 1, in: stored.span) == [])
        #expect(try layout.range(ofRow: 1, in: stored.span) == 10..<20)
    }

    @Test func `of another format is refused by its number`() throws {
        for format in [0, 2, 255] as Bytes {
            #expect(try error(sample((0, [format]))) == .unknownFormat(format))
        }
        #expect(error([]) == .corrupted)
    }

    @Test func `cut or continued anywhere is refused`() throws {
        let stored = try sample()
        for count in 0..<stored.count {
            #expect(error(stored.slice(0..<count)) == .corrupted)
        }
        #expect(error(stored + [0]) == .corrupted)
    }

    @Test func `that contradicts itself is refused`() throws {
        let hashes = 13 + 8 * 4, numbers = hashes + 8 * 3
        let ff = Bytes(repeating: 0xFF, count: 4)
        #expect(try error(sample((1, [0, 0, 0, 1]))) == .corrupted, "body too short")
        #expect(try error(sample((1, ff))) == .corrupted, "body too long")
        #expect(try error(sample((5, ff))) == .corrupted, "too many rows")
        #expect(try error(sample((9, ff))) == .corrupted, "too many keys")
        #expect(
            try error(sample((5, [0, 0, 0, 1]), (9, [0, 0, 0, 5]))) == .corrupted,
            "more keys than rows")
        #expect(try error(sample((13, [0, 0, 0, 0]))) == .corrupted, "a row at the bracket")
        #expect(try error(sample((13, ff))) == .corrupted, "a row behind the body")
        #expect(try error(sample((17, ff))) == .corrupted, "a row longer than the body")
        #expect(try error(sample((17, [0, 0, 0, 1]))) == .corrupted, "a row of one byte")
        #expect(try error(sample((21, [0, 0, 0, 2]))) == .corrupted, "rows that overlap")
        #expect(try error(sample((hashes, ff + ff))) == .corrupted, "hashes out of order")
        #expect(try error(sample((numbers, [0, 0, 0, 4]))) == .corrupted, "no such row")
        var doubled = try RowDirectory(#"[{"id":1},{"id":2}]"#).encoded
        doubled.replaceSubrange(
            doubled.count - 8..<doubled.count, with: Bytes(repeating: 0, count: 8))
        #expect(error(doubled) == .corrupted, "one row under two keys")
    }

    @Test func `that lies is refused where it is read in place`() throws {
        let places: [(offset: Int, bytes: Bytes, isInside: Bool)] = [
            (17, [0xFF, 0xFF, 0xFF, 0xFF], false), (13, [0xFF, 0xFF, 0xFF, 0xFF], false),
            // The first row starts at 1 of 33 bytes.
            (17, [0, 0, 0, 32], true), (17, [0, 0, 0, 33], false),
        ]
        for place in places {
            let stored = try sample((place.offset, place.bytes))
            let layout = try RowDirectoryLayout(of: stored.span)
            #expect(layout.bodyLength == 33)
            let range = try? layout.range(ofRow: 0, in: stored.span)
            #expect((range != nil) == place.isInside)
        }
        let stored = try sample((13 + 8 * 4 + 8 * 3, [0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4]))
        let layout = try RowDirectoryLayout(of: stored.span)
        let hash = try #require(RowKey(values: [Bytes("1")])).stableHash
        #expect(throws: RowDirectoryError.corrupted) {
            try layout.rows(withHash: hash, in: stored.span)
        }
    }

    static let seeds = [1, UInt64.random(in: 2...UInt64.max)]

    @Test(arguments: seeds)
    func `with any bytes changed never crashes`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sample = try sample()
        for _ in 0..<5000 {
            var stored = sample
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: stored.indices, using: &random)
                stored[index] = [0, 1, 4, 127, 128, 255].randomElement(using: &random) ?? 0
            }
            stored.removeLast(Int.random(in: 0...1, using: &random) * 4)
            let hash = random.next()
            if let directory = try? RowDirectory(decoding: stored.span) {
                #expect(directory.rows(withHash: hash).allSatisfy { $0 < directory.count })
                #expect(directory.encoded == stored)
            }
            if let layout = try? RowDirectoryLayout(of: stored.span) {
                _ = try? layout.rows(withHash: hash, in: stored.span)
                for row in 0..<layout.count { _ = try? layout.range(ofRow: row, in: stored.span) }
            }
        }
    }
}
