import FoundationEssentials
import OfflineTesting
import Testing

@testable import OfflineCore

@Suite("The record of a write", .timeLimit(.minutes(5)))
struct QueuedWriteCodingTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let write: QueuedWrite

        init(_ name: String, _ write: QueuedWrite) { (testDescription, self.write) = (name, write) }
    }

    static let samples = [
        Sample("an insert", .insert(#"{"id":1,"t":"é\n"}"#)),
        Sample("an insert of several", .insert(#"[{"id":1},{"id":2}]"#, ["columns": #""id""#])),
        Sample("an upsert", .upsert(#"{"id":1}"#, ["on_conflict": "a,b"])),
        Sample("an update", .update()),
        Sample("a delete", .delete(["id": "in.(1,2)", "t": "eq.ü & = #"])),
        Sample("a call", .call()),
        Sample("an empty body", .update("")),
        Sample("a large body", .insert(String(repeating: "x", count: 1 << 20))),
        Sample("a call without arguments", QueuedWrite.call().with { $0.request.body = nil }),
        Sample(
            "a guarded delete",
            QueuedWrite.delete().with {
                $0.request.appendGuard("at", "eq.2026")
                $0.request.appendGuard("b", "is.null")
            }),
        Sample(
            "a repeated header",
            .update(headers: ["Prefer": "return=minimal", "X-A": "1", "x-a": "2", "X-A": ""])),
        Sample(
            "everything that a write can have",
            QueuedWrite.call(isIdempotent: true).with { write in
                write.dependencies = [.numbered(7), .numbered(.max)]
                write.isSeparate = true
                write.invalidates = [
                    ListKey.Table("t", schema: "public"), ListKey.Table("a/b", schema: "ü"),
                ]
                write.request.isRowOptional = true
                write.revision = .max
                write.attempts = .max
                write.isPerhapsSent = true
                write.failures.temporary = 9
                write.failures.timeouts = 2
                write.failures.reloads = .max
                write.lastRefusal = PostgrestError(
                    status: 500, code: "57014", message: "m", details: "d", hint: "")
            }),
        Sample(
            "a refusal of which little is known",
            QueuedWrite.insert("{}").with { write in
                write.lastRefusal = PostgrestError(status: 502, message: "")
            }),
    ]

    @Test(arguments: samples)
    func `gives the write back`(_ sample: Sample) throws {
        #expect(try QueuedWrite(sample.write.bytes) == sample.write)
    }

    @Test func `has samples of every kind`() {
        #expect(Set(Self.samples.map(\.write.operation)) == Set(MutationOperation.allCases))
    }

    /// The marks of a write, one at a time, so that none is kept in another's place.
    static let marks: [@Sendable (inout QueuedWrite) -> Void] = [
        { $0.isPerhapsSent = true }, { $0.isSeparate = true }, { $0.isIdempotent = true },
        { $0.request.isRowOptional = true }, { $0.failures.temporary = 1 },
        { $0.failures.timeouts = 1 }, { $0.failures.reloads = 1 }, { $0.attempts = 1 },
        { $0.revision = 1 },
    ]

    @Test(arguments: marks.indices)
    func `keeps each mark apart from the others`(_ index: Int) throws {
        let write = QueuedWrite.update().with(Self.marks[index])
        #expect(write != QueuedWrite.update())
        #expect(try QueuedWrite(write.bytes) == write)
    }

    @Test(arguments: samples.filter { $0.write.bytes.count < 1_000 })
    func `is refused wherever it is cut`(_ sample: Sample) {
        let bytes = sample.write.bytes
        for count in bytes.indices {
            #expect(isCorrupted { try QueuedWrite(Bytes(bytes.prefix(count))) }, "\(count)")
        }
    }

    @Test func `of another format, or of an unknown kind or target, is refused`() {
        let bytes = QueuedWrite.insert("{}").bytes
        for (place, meaning) in [(0, "format"), (1, "kind"), (38, "target")] {
            for value: UInt8 in [9, 255] {
                var other = bytes
                other[place] = value
                #expect(throws: StorageError.corrupted("a write has \(meaning) \(value)")) {
                    try QueuedWrite(other)
                }
            }
        }
    }

    @Test func `that is damaged anywhere is read as another write or refused`() {
        let bytes = Self.samples[11].write.bytes
        for index in bytes.indices {
            for value: UInt8 in [0, 0x7F, 0xFF, bytes[index] ^ 1] {
                var other = bytes
                other[index] = value
                do throws(StorageError) {
                    _ = try QueuedWrite(other)
                } catch {
                    #expect(error.isCorruption)
                }
            }
        }
    }

    @Test func `holds neither token nor key`() throws {
        let secret = token(for: "ada", salt: "secret")
        try World.run(configure: { $0.accessToken = { secret } }) { world in
            world.network.fail(TransportError(.unanswered, .timedOut))
            world.network.setDown(true)
            try await world.client.from("tasks").insert(["id": 1]).execute()
            try await world.client.from("tasks").update(["t": "x"]).eq("id", value: 1).execute()
            let fixture = try QueueFixture(over: world.storage)
            #expect(try fixture.contents(.queue).count == 2)
            for record in try fixture.contents().values.flatMap(\.values) {
                let text = String(decoding: record, as: UTF8.self).lowercased()
                for word in [secret.lowercased(), "publishable", "bearer", "authorization"] {
                    #expect(!text.contains(word))
                }
            }
        }
    }
}

extension StorageError {
    /// Whether what is stored can't be read.
    var isCorruption: Bool { if case .corrupted = self { true } else { false } }
}

/// Whether a record is refused as damaged.
func isCorrupted(_ read: () throws -> some Any) -> Bool {
    do {
        _ = try read()
        return false
    } catch {
        return (error as? StorageError)?.isCorruption == true
    }
}
