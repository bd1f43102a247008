import Dispatch
import FoundationEssentials
import OfflineTesting
import StorageMemory
import Synchronization

@testable import OfflineCore

/// A store in memory on a disk that can fail.
final class FailingStorage: Storage {
    private let base = MemoryStorage(keyspaces: Keyspace.all)
    private let state = Lock<(reads: StorageError?, writes: StorageError?)>((nil, nil))

    /// What every read throws from now on; nil lets them be.
    func failReads(with error: StorageError?) { state.withLock { $0.reads = error } }

    /// What every write throws from now on; nil lets them be.
    func failWrites(with error: StorageError?) { state.withLock { $0.writes = error } }

    func read<R>(
        _ body: (borrowing ReadTransaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        if let error = state.withLock({ $0.reads }) { throw error }
        return try base.read(body)
    }

    func write<R>(
        _ body: (inout WriteTransaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        if let error = state.withLock({ $0.writes }) { throw error }
        return try base.write(body)
    }

    func suspend() { base.suspend() }

    func resume() throws(StorageError) { try base.resume() }

    func close() { base.close() }
}

extension Storage {
    /// Damages every value of a keyspace, or the one of a key.
    func damage(
        _ keyspace: Keyspace, key: Bytes? = nil, _ damage: FailingStoreTests.Damage
    ) throws(StorageError) {
        try write { transaction throws(StorageError) in
            var entries: [(key: Bytes, value: Bytes)] = []
            try transaction.scan(in: keyspace) { key, value in
                entries.append((Bytes(copying: key), Bytes(copying: value)))
                return .next
            }
            for entry in entries where key == nil || key == entry.key {
                switch damage {
                case .cut:
                    try transaction.set(Bytes(entry.value.dropLast(1)), entry.key, in: keyspace)
                case .emptied: try transaction.set([], entry.key, in: keyspace)
                case .flipped:
                    try transaction.set(Bytes(entry.value.map { ~$0 }), entry.key, in: keyspace)
                case .removed: try transaction.remove(entry.key.span, in: keyspace)
                }
            }
        }
    }
}

/// An executor that holds everything back until a test lets it go.
final class HeldExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "held")
    private let held = Lock<[UnownedJob]?>([])

    private let isWaitedFor = Gate()

    /// Waits until there is something to hold back.
    func waitForJob() async { await isWaitedFor.wait() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isHeld = held.withLock { held in
            held?.append(job)
            return held != nil
        }
        isWaitedFor.open()
        if !isHeld { run(job) }
    }

    /// Runs what was held back, and from now on everything at once.
    func release() {
        let jobs = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for job in jobs { run(job) }
    }

    private func run(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

extension OfflineRuntime {
    /// The system's runtime, but for a disk that a test holds up.
    static func held(by executor: HeldExecutor) -> OfflineRuntime {
        OfflineRuntime(
            clock: .continuous, wallClock: { Date() }, random: .system, storeExecutor: executor,
            taskExecutor: nil)
    }
}

/// Remembers what was logged.
final class MessageRecorder: Sendable {
    private let state = Lock<[String]>([])

    var messages: [String] { state.withLock { $0 } }

    var note: @Sendable (SupabaseOfflineClient.LogLevel, String) -> Void {
        { [self] _, message in state.withLock { $0.append(message) } }
    }
}

/// Counts.
final class Counter: Sendable {
    private let state = Lock(0)

    var value: Int { state.withLock { $0 } }

    func increment() { state.withLock { $0 += 1 } }
}
