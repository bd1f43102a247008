import FoundationEssentials
package import OfflineCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Brings an environment from one directory into another.
///
/// Wherever it is cut short, one of them has the environment, whole, and the other has none that
/// anybody would open. On one volume that is a single rename. Between volumes the copy is made under
/// another name, then the source gets a note of where it went, and then the copy gets its name: the
/// note counts from that moment on, and what the source still has is a remainder.
package struct EnvironmentMove {
    /// What a move came to.
    package enum Outcome: Hashable, Sendable {
        /// There was nothing to move.
        case nothing
        /// The environment is in the other directory now.
        case moved
        /// A client has the source open; nothing was moved.
        case sourceInUse
        /// Both directories have an environment; nothing was moved.
        case bothHold
    }

    /// Where a move between volumes can be cut short: before each of these.
    package enum Step: CaseIterable, Codable, Sendable {
        case copying, noting, naming, removing, tidying
    }

    private let source: String
    private let destination: String
    private let isCopied: Bool
    private let reach: (Step) -> Void

    /// - Parameters:
    ///   - source: The directory that may have an environment.
    ///   - destination: The directory that is to have it; claimed by the caller.
    ///   - isCopied: Whether to go the way between volumes in any case, for tests.
    ///   - reach: Hears of each step before it is made, for tests.
    package init(
        from source: String, to destination: String, isCopied: Bool = false,
        reach: @escaping (Step) -> Void = { _ in }
    ) {
        self.source = source
        self.destination = destination
        self.isCopied = isCopied
        self.reach = reach
    }

    /// Moves what there is to move.
    ///
    /// - Throws: ``StorageError``; the source still has the environment then.
    package func perform() throws(StorageError) -> Outcome {
        guard exists(file(in: source)), !isSameDirectory else { return .nothing }
        let claim: EnvironmentClaim
        do throws(StorageError) {
            claim = try EnvironmentClaim(directory: source)
        } catch {
            guard error == .inUse else { throw error }
            return .sourceInUse
        }
        defer { claim.release() }
        for directory in [source, destination] { try Self.removeRemainder(in: directory) }
        guard exists(file(in: source)) else { return .nothing }
        guard !exists(file(in: destination)) else { return .bothHold }
        if isCopied || rename(file(in: source), file(in: destination)) != 0 {
            guard isCopied || errno == EXDEV else { throw .system(code: errno) }
            try copy()
        }
        try Self.flush(destination)
        reach(.tidying)
        tidy()
        return .moved
    }

    /// Removes from a claimed directory what a move that was cut short left there.
    static func removeRemainder(in directory: String) throws(StorageError) {
        unlink(directory + "/" + partName)
        let note = directory + "/" + noteName
        guard let destination = try? String(contentsOfFile: note, encoding: .utf8) else { return }
        // A note without a copy is from before the moment at which it counts.
        if access(destination + "/" + fileName, F_OK) == 0 { unlink(directory + "/" + fileName) }
        unlink(note)
        try flush(directory)
    }
}

extension EnvironmentMove {
    private static let fileName = "data.mdb"
    private static let partName = "data.mdb.part"
    private static let noteName = "moved-to"

    private func file(in directory: String) -> String { directory + "/" + Self.fileName }

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private var isSameDirectory: Bool {
        var (here, there) = (stat(), stat())
        guard stat(source, &here) == 0, stat(destination, &there) == 0 else { return false }
        return here.st_dev == there.st_dev && here.st_ino == there.st_ino
    }

    private func copy() throws(StorageError) {
        let part = destination + "/" + Self.partName
        let note = source + "/" + Self.noteName
        do {
            reach(.copying)
            try FileManager.default.copyItem(atPath: file(in: source), toPath: part)
            try Self.flush(part)
            reach(.noting)
            try Data(destination.utf8).write(to: URL(filePath: note))
            try Self.flush(note)
            try Self.flush(source)
        } catch {
            unlink(part)
            unlink(note)
            throw StorageError(copying: error)
        }
        reach(.naming)
        guard rename(part, file(in: destination)) == 0 else { throw .system(code: errno) }
        try Self.flush(destination)
        reach(.removing)
        unlink(file(in: source))
    }

    /// Removes what the source is without its environment; other things in it stay.
    private func tidy() {
        for name in [Self.noteName, "lock.mdb", EnvironmentClaim.lockName] {
            unlink(source + "/" + name)
        }
        rmdir(source)
    }

    /// Waits until a file, or what a directory lists, is on the disk.
    private static func flush(_ path: String) throws(StorageError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .system(code: errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .system(code: errno) }
    }
}

extension StorageError {
    fileprivate init(copying error: any Error) {
        if let error = error as? StorageError {
            self = error
        } else if (error as? CocoaError)?.code == .fileWriteOutOfSpace {
            self = .full
        } else {
            let cause = (error as? CocoaError)?.underlying as? POSIXError
            self = .system(code: cause?.code.rawValue ?? EIO)
        }
    }
}
