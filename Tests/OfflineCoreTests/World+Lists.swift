import OfflineTesting
import Testing

@testable import OfflineCore

extension World {
    /// Waits until the client has heard what a test needs it to know.
    func waitForSession(
        _ isReached: @escaping @Sendable (SessionStateMachine) -> Bool
    ) async {
        await client.session.wait(until: isReached)
    }

    /// Lets the device have the list that most tests are about, of a certain age; the cache must have
    /// room for short lists alone, so that a long answer can make one stale.
    func keep(_ json: String, _ list: MatrixTests.List) async throws {
        try await warm(json)
        await client.reads.waitUntilStored()
        switch list {
        case .cold, .warm: clock.advance(by: .seconds(30))
        case .old: clock.advance(by: .seconds(61))
        case .stale:
            try await warm(#"[{"id":"\#(String(repeating: "x", count: 5_000))"}]"#)
            await client.reads.waitUntilStored()
        }
    }

    /// Marks every list on the device stale.
    func markListsStale() throws {
        try storage.write { transaction throws(StorageError) in
            var lists: [(place: Bytes, record: ListRecord?)] = []
            try transaction.scan(in: .lists) { key, value throws(StorageError) in
                lists.append((Bytes(copying: key), try ListRecord(Bytes(copying: value))))
                return .next
            }
            for list in lists { try transaction.markStale(list.record, at: list.place) }
        }
    }

    /// How many lists are on the device.
    func listCount() throws -> Int {
        try storage.read { transaction throws(StorageError) in
            var count = 0
            try transaction.scan(in: .lists) { _, _ in
                count += 1
                return .next
            }
            return count
        }
    }

    /// Waits until so many lists are on the device; time passes meanwhile.
    func waitUntilLists(are count: Int) async throws {
        await client.reads.waitUntilStored()
        for _ in 0..<100 {
            if try listCount() == count { return }
            try await runtime.clock.sleep(for: .milliseconds(1))
        }
        Issue.record("there never were \(count) lists")
    }
}

extension ScriptedTransport {
    /// Scripts the refusal of a token that has expired.
    func refuseToken(after gate: Gate? = nil) {
        answer(
            status: 401, json: #"{"code":"PGRST303","message":"JWT expired"}"#, after: gate)
    }
}
