import Foundation
import Synchronization

/// The sessions that are kept on this device, and whose is present.
///
/// Each has a file of its own, so that a renewal by one command undoes no switch by another. They
/// lie in a directory that nobody else may look into.
final class AccountStore: Sendable {
    private let directory: URL
    private let current: Mutex<AuthSession?>

    init(in parent: URL) throws(AccountError) {
        directory = parent.appending(path: "accounts", directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .unwritable(directory.path(percentEncoded: false))
        }
        current = Mutex(nil)
        try adoptSingleSession(parent.appending(path: "session.json"))
        let present = try loadPresent()
        current.withLock { $0 = present }
    }

    /// The session that is used; nil if nobody is signed in.
    var present: AuthSession? { current.withLock { $0 } }

    /// Every session that is kept, in the order of their addresses.
    ///
    /// One that can't be read is nobody's: signing in writes it anew.
    func all() -> [AuthSession] {
        let files = try? FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "json" }
            .compactMap { try? Self.read($0) }
            .sorted { $0.user.email < $1.user.email }
    }

    /// The session of a user.
    func session(of email: String) throws(AccountError) -> AuthSession {
        let session = all().first { $0.user.email.lowercased() == email.lowercased() }
        guard let session else { throw .notKept(email) }
        return session
    }

    /// Keeps a session and makes it the present one.
    func add(_ session: AuthSession) throws(AccountError) {
        try write(session)
        try makePresent(session)
    }

    /// Makes a session that is kept the present one.
    func makePresent(_ session: AuthSession) throws(AccountError) {
        try write(Data(session.userID.utf8), to: presentFile)
        current.withLock { $0 = session }
    }

    /// Keeps a session in the place of the user's earlier one, unless that user has signed out.
    func replace(with session: AuthSession) throws(AccountError) {
        let path = file(of: session.userID).path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else { return }
        try write(session)
        current.withLock { if $0?.user.id == session.user.id { $0 = session } }
    }

    /// Forgets the present session; those of other users stay.
    func removePresent() throws(AccountError) {
        guard let present else { return }
        // The session first: nothing may be left of it, and without it nobody is present.
        try remove(file(of: present.userID))
        current.withLock { $0 = nil }
        try remove(presentFile)
    }
}

// MARK: Files

extension AccountStore {
    /// Holds the id of the present user.
    private var presentFile: URL { directory.appending(path: "present") }

    private func file(of userID: String) -> URL {
        directory.appending(path: "\(userID).json")
    }

    private func loadPresent() throws(AccountError) -> AuthSession? {
        guard let name = try? Data(contentsOf: presentFile),
            let id = UUID(uuidString: String(decoding: name, as: UTF8.self))
        else { return nil }
        let file = file(of: id.uuidString.lowercased())
        let path = file.path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try Self.read(file)
        } catch {
            // To take it for nobody's would be a sign-out, and the user's lists would go.
            throw .unreadable(path)
        }
    }

    /// Takes over the one session that earlier versions kept.
    private func adoptSingleSession(_ file: URL) throws(AccountError) {
        guard let session = try? Self.read(file) else { return }
        try add(session)
        try remove(file)
    }

    private static func read(_ file: URL) throws -> AuthSession {
        try JSONDecoder().decode(AuthSession.self, from: Data(contentsOf: file))
    }

    private func write(_ session: AuthSession) throws(AccountError) {
        guard let json = try? JSONEncoder().encode(session) else {
            preconditionFailure("a session can be encoded")
        }
        try write(json, to: file(of: session.userID))
    }

    private func remove(_ file: URL) throws(AccountError) {
        do {
            try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
            // Another command was faster.
        } catch {
            throw .unwritable(file.path(percentEncoded: false))
        }
    }

    private func write(_ data: Data, to file: URL) throws(AccountError) {
        let path = file.path(percentEncoded: false)
        do {
            try data.write(to: file, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw .unwritable(path)
        }
    }
}

/// What is wrong with the sessions that are kept, or with a wish for one.
enum AccountError: Error, Equatable, CustomStringConvertible {
    case unreadable(String)
    case unwritable(String)
    case notKept(String)
    case nobody

    var description: String {
        switch self {
        case .unreadable(let path):
            "The session in \(path) can't be read. Remove that file, and sign in again with login."
        case .unwritable(let path):
            "The sessions on this device can't be changed (\(path)). "
                + "Let OFFLINE_TASKS_DIRECTORY be a directory that can be written to."
        case .notKept(let email):
            "No session of \(email) is kept on this device. "
                + "Sign in once: offline-tasks login \(email) PASSWORD"
        case .nobody:
            "Nobody is signed in. Sign in with login, or choose a user who is kept with switch."
        }
    }
}
