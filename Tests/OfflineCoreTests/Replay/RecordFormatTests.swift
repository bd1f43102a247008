import FoundationEssentials
import Testing

@testable import OfflineCore

/// Records as they lie on devices: what is written here may not change, as nobody could read the
/// writes of an earlier version any more.
@Suite("The format of the queue's records", .timeLimit(.minutes(5)))
struct RecordFormatTests {
    struct Record: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: Bytes
        let write: QueuedWrite

        init(_ name: String, _ hex: String, _ write: QueuedWrite) {
            (testDescription, bytes, self.write) = (name, Bytes(hex: hex), write)
        }
    }

    private static let id = UUID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
    private static let time = Timestamp(microseconds: 1_700_000_000_000_000)

    private static func write(
        _ operation: MutationOperation, _ request: PostgrestRequest,
        _ change: (inout QueuedWrite) -> Void = { _ in }
    ) -> QueuedWrite {
        QueuedWrite(id: id, operation, request, createdAt: time).with(change)
    }

    static let update = Record(
        "an update that was tried",
        """
        01 03 07 00112233445566778899aabbccddeeff 00060a24181e4000 00000002 00000003 04 01 02
        00 00000005 7461736b73 00000006 7075626c6963 00000005 5041544348
        00000002 00000002 6964 00000004 65712e31 00000002 6174 00000004 65712e37
        00000001 00000002 6174 00000004 65712e37
        00000001 00000006 507265666572 0000000e 72657475726e3d6d696e696d616c
        01 0000000a 7b2274223a22c3a9227d
        00000001 00000000000000000000000000000007
        00000000
        01 01f4 00000001 6d 01 00000005 3537303134 00 01 00000001 68
        """,
        write(
            .update,
            .sample(
                "PATCH", "tasks", ["id": "eq.1"], headers: ["Prefer": "return=minimal"],
                body: #"{"t":"é"}"#)
        ) { write in
            write.request.appendGuard("at", "eq.7")
            write.request.isRowOptional = true
            write.dependencies = [.numbered(7)]
            write.isSeparate = true
            write.revision = 2
            write.attempts = 3
            write.isPerhapsSent = true
            write.failures.temporary = 4
            write.failures.timeouts = 1
            write.failures.reloads = 2
            write.lastRefusal = PostgrestError(
                status: 500, code: "57014", message: "m", details: nil, hint: "h")
        })

    static let insert = Record(
        "an insert that was not",
        """
        01 01 00 00112233445566778899aabbccddeeff 00060a24181e4000 00000000 00000000 00 00 00
        00 00000001 74 00000006 7075626c6963 00000004 504f5354
        00000000 00000000 00000000
        01 00000002 7b7d
        00000000 00000000 00
        """,
        write(.insert, .sample("POST", "t", body: "{}")))

    static let upsert = Record(
        "an upsert",
        """
        01 02 00 00112233445566778899aabbccddeeff 00060a24181e4000 00000000 00000000 00 00 00
        00 00000001 74 00000006 7075626c6963 00000004 504f5354
        00000001 0000000b 6f6e5f636f6e666c696374 00000001 61 00000000 00000000
        01 00000002 5b5d
        00000000 00000000 00
        """,
        write(.upsert, .sample("POST", "t", ["on_conflict": "a"], body: "[]")))

    static let delete = Record(
        "a delete",
        """
        01 04 00 00112233445566778899aabbccddeeff 00060a24181e4000 00000000 00000000 00 00 00
        00 00000001 74 00000006 7075626c6963 00000006 44454c455445
        00000001 00000002 6964 00000004 65712e31 00000000 00000000
        00
        00000000 00000000 00
        """,
        write(.delete, .sample("DELETE", "t", ["id": "eq.1"])))

    static let call = Record(
        "a call",
        """
        01 05 08 00112233445566778899aabbccddeeff 00060a24181e4000 00000000 00000000 00 00 00
        01 00000003 616464 00000006 7075626c6963 00000004 504f5354
        00000000 00000000 00000000
        00
        00000000
        00000002 00000008 7075626c69632f74 00000003 732f75
        00
        """,
        write(.call, PostgrestRequest(.function("add"), schema: "public", method: "POST")) {
            $0.isIdempotent = true
            $0.invalidates = [
                ListKey.Table("t", schema: "public"), ListKey.Table("u", schema: "s"),
            ]
        })

    @Test(arguments: [update, insert, upsert, delete, call])
    func `of a write is as it always was`(_ record: Record) throws {
        #expect(try QueuedWrite(record.bytes) == record.write)
        #expect(record.write.bytes == record.bytes)
    }

    // MARK: Rejections and outcomes

    private static let error = PostgrestError(
        status: 400, code: "23514", message: "m", details: "d", hint: "h")
    private static let errorHex =
        "0190 00000001 6d 01 00000005 3233353134 01 00000001 64 01 00000001 68"

    static let rejections: [(String, MutationRejection)] = [
        ("01 \(errorHex)", .refused(error)),
        ("02 \(errorHex)", .persistentFailure(error)),
        ("03 \(errorHex) 00000002 7b7d", .occupied(error, current: Data("{}".utf8))),
        ("04 01 00000002 7b7d", .conflict(WriteConflict(.changed(Data("{}".utf8))))),
        ("04 00", .conflict(WriteConflict(.gone))),
        ("04 01 00000000", .conflict(WriteConflict(.unknown))),
        ("05", .outcomeUnknown),
        ("06 00000000000000000000000000000007", .dependency(on: .numbered(7))),
    ]

    static let outcomes: [(String, MutationOutcome)] =
        [
            ("01 00", .applied(rows: nil)),
            ("01 01 0000000000000000", .applied(rows: 0)),
            ("01 01 000000000000012c", .applied(rows: 300)),
            ("03", .cancelledOut),
            ("04", .discarded),
        ] + rejections.map { ("02 \($0.0)", .rejected($0.1)) }

    @Test(arguments: rejections)
    func `of a rejected write is as it always was`(
        _ hex: String, _ rejection: MutationRejection
    ) throws {
        let bytes = Bytes(hex: "0000000000000005 00" + hex) + Self.insert.bytes
        var entry = RejectedEntry(
            3, Self.insert.write, rejection, at: Timestamp(microseconds: 5))
        #expect(entry.bytes == bytes)
        #expect(try RejectedEntry(3, bytes) == entry)
        entry.isReplaced = true
        let replaced = Bytes(hex: "0000000000000005 01" + hex) + Self.insert.bytes
        #expect(entry.bytes == replaced)
        #expect(try RejectedEntry(3, replaced) == entry)
        for count in bytes.indices {
            #expect(isCorrupted { try RejectedEntry(3, Bytes(bytes.prefix(count))) }, "\(count)")
        }
    }

    @Test(arguments: outcomes)
    func `of an outcome is as it always was`(
        _ hex: String, _ outcome: MutationOutcome
    ) throws {
        let bytes = Bytes(hex: "0000000000000005 00112233445566778899aabbccddeeff" + hex)
        let record = OutcomeRecord(Self.id, outcome, at: Timestamp(microseconds: 5))
        #expect(record.bytes == bytes)
        let read = try OutcomeRecord(bytes)
        #expect((read.id, read.outcome) == (record.id, record.outcome))
        #expect(read.endedAt == record.endedAt)
        for count in bytes.indices {
            #expect(isCorrupted { try OutcomeRecord(Bytes(bytes.prefix(count))) }, "\(count)")
        }
    }

    @Test(arguments: [UInt8(0), 7, 255])
    func `knows no other reasons and no other ends`(_ tag: UInt8) {
        let start = Bytes(hex: "0000000000000005")
        #expect(throws: StorageError.corrupted("a write was rejected for reason \(tag)")) {
            try RejectedEntry(3, start + [0, tag] + Self.insert.bytes)
        }
        let id = Bytes(hex: "00112233445566778899aabbccddeeff")
        #expect(throws: StorageError.corrupted("a write ended in way \(tag)")) {
            try OutcomeRecord(start + id + [tag])
        }
    }
}

extension Bytes {
    /// Reads pairs of hexadecimal digits, whatever blanks stand between them.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self.init()
        for index in stride(from: 0, to: digits.count, by: 2) {
            append(UInt8(digits[index] << 4 | digits[index + 1]))
        }
    }
}
