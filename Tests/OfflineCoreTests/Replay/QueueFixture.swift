import FoundationEssentials
import StorageMemory

@testable import OfflineCore

/// A queue over a store of its own.
struct QueueFixture: Sendable {
    static let ada = Identity(project: "xyz.supabase.co", owner: .user(UserID("ada")))
    static let visitor = Identity(project: "xyz.supabase.co", owner: .visitor)

    let storage: any Storage
    let log = MessageRecorder()
    let queue: QueueStore

    init(over storage: any Storage = MemoryStorage(keyspaces: Keyspace.all)) throws {
        self.storage = storage
        queue = try OfflineStore(
            storage, runtime: .live(), log: Log(level: .debug, handler: log.note)
        ).queue
    }

    /// The writes that are in the queue.
    var pending: [QueuedWrite] {
        get throws { try queue.pending(of: Self.ada).map(\.write) }
    }

    /// The writes that were rejected.
    var rejected: [RejectedEntry] {
        get throws { try queue.rejected(of: Self.ada) }
    }

    @discardableResult
    func add(
        _ write: QueuedWrite, of identity: Identity = ada, isSentAtOnce: Bool = false,
        mayMerge: Bool = false
    ) async throws -> QueueEntry {
        try await queue.add(write, of: identity, isSentAtOnce: isSentAtOnce, mayMerge: mayMerge)
    }

    /// Adds so many inserts.
    @discardableResult
    func addInserts(_ count: UInt64, from first: UInt64 = 1) async throws -> [QueueEntry] {
        var entries: [QueueEntry] = []
        for id in first..<first + count {
            entries.append(try await add(.insert(#"{"id":\#(id)}"#, id: id)))
        }
        return entries
    }

    func end(
        _ entries: [QueueEntry], _ outcome: MutationOutcome = .applied(rows: 1),
        isKept: Bool = false, at time: Timestamp = Timestamp(microseconds: 0)
    ) async throws {
        try await queue.end(
            entries.map { QueueEnd($0, outcome, isKept: isKept) }, of: Self.ada, at: time)
    }

    /// Everything that a keyspace holds.
    func contents(_ keyspace: Keyspace) throws -> [Bytes: Bytes] {
        try storage.read { transaction throws(StorageError) in
            var contents: [Bytes: Bytes] = [:]
            try transaction.scan(in: keyspace) { key, value in
                contents[Bytes(copying: key)] = Bytes(copying: value)
                return .next
            }
            return contents
        }
    }

    /// Everything that the store holds.
    func contents() throws -> [Keyspace: [Bytes: Bytes]] {
        var all: [Keyspace: [Bytes: Bytes]] = [:]
        for keyspace in Keyspace.all { all[keyspace] = try contents(keyspace) }
        return all
    }
}

extension QueueStore {
    /// What became of a write, however long ago.
    func outcome(of id: UUID, _ identity: Identity) throws(StorageError) -> MutationOutcome? {
        try outcome(of: id, identity, at: Timestamp(microseconds: 0))
    }
}
