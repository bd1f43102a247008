import FoundationEssentials
import OfflineCore
import StorageLMDB

/// The directory that holds everything a client keeps on the device.
struct DataDirectory {
    let url: URL
    /// Where the program kept its data before the app chose a directory.
    let origin: URL?

    /// - Parameter url: The directory of the app's choice; nil is the platform's place.
    init(_ url: URL?) {
        self.url = url ?? Self.platformDefault
        origin = url == nil ? nil : Self.platformDefault
    }

    var database: URL { Self.database(in: url) }

    static func database(in url: URL) -> URL {
        url.appending(path: "database", directoryHint: .isDirectory)
    }

    /// Opens the store in here, readable by its owner alone, and makes what is missing.
    ///
    /// Where there is none yet, the one in the platform's place is moved here. One that is damaged is
    /// moved aside, never deleted, and a new one is opened.
    ///
    /// - Parameter log: Where the app is told.
    /// - Returns: The store, and what befell it.
    /// - Throws: `OfflineError`.
    func openStorage(
        _ log: Log
    ) throws(OfflineError) -> (storage: any Storage, incidents: [Incident]) {
        try create(database)
        do throws(StorageError) {
            return (try openDatabase(log), [])
        } catch {
            guard case .corrupted = error else { throw refusal(error) }
            let place = try moveAside(database, because: error)
            try create(database)
            do throws(StorageError) {
                let storage = try openDatabase(log)
                let count = try carryWrites(from: place, to: storage)
                log.error(
                    "The store on the device was damaged. It was moved to "
                        + "\(place.lastPathComponent), and a new one was opened, with \(count) writes "
                        + "that could be read.")
                return (storage, [.storeDamaged(movedTo: place, carriedWrites: count)])
            } catch {
                throw refusal(error)
            }
        }
    }

    private func openDatabase(_ log: Log) throws(StorageError) -> any Storage {
        try checkOrigin()
        let storage = try LMDBStorage(
            directory: database.path(percentEncoded: false),
            origin: origin.map { Self.database(in: $0).path(percentEncoded: false) },
            keyspaces: Keyspace.all)
        report(storage.move, to: log)
        do throws(StorageError) {
            try OfflineStore.check(storage)
            return storage
        } catch {
            storage.close()
            throw error
        }
    }

    /// Carries over what can be read of the writes in a damaged database.
    private func carryWrites(
        from place: URL, to storage: any Storage
    ) throws(StorageError) -> Int {
        guard
            let damaged = try? LMDBStorage(
                directory: place.path(percentEncoded: false), keyspaces: Keyspace.all)
        else { return 0 }
        defer { damaged.close() }
        do throws(StorageError) {
            return try QueueRescue.carryWrites(from: damaged, to: storage)
        } catch {
            storage.close()
            throw error
        }
    }

    /// Moves a damaged database to the first free place beside it.
    private func moveAside(
        _ database: URL, because error: StorageError
    ) throws(OfflineError) -> URL {
        for number in 1... {
            let place = url.appending(path: "damaged-\(number)", directoryHint: .isDirectory)
            guard !FileManager.default.fileExists(atPath: place.path(percentEncoded: false)) else {
                continue
            }
            do {
                try FileManager.default.moveItem(at: database, to: place)
                return place
            } catch {
                break
            }
        }
        throw refusal(error)
    }

    private func refusal(_ error: StorageError) -> OfflineError {
        OfflineError(.init(opening: error), in: .init("open"), underlying: error)
    }

    private func create(_ directory: URL) throws(OfflineError) {
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            #if canImport(Darwin)
            try Self.excludeFromBackup(url)
            #endif
        } catch {
            let path = url.path(percentEncoded: false)
            throw OfflineError(
                .storageUnavailable(
                    "The data directory \(path) can't be used: \(Self.explanation(of: error, at: path))"
                ), in: .init("open"), underlying: error)
        }
    }

    private static func explanation(of error: any Error, at path: String) -> String {
        var isDirectory = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory {
            return "it is a file. Give a directory, or a path where one can be made."
        }
        return "it can't be made or written to. Give a directory that the app may write to."
    }

    /// `SupabaseOffline` in Application Support, left out of backups; on Linux, the program's own
    /// directory where the XDG Base Directory Specification puts an app's data.
    private static var platformDefault: URL {
        #if canImport(Darwin)
        URL.applicationSupportDirectory.appending(
            path: "SupabaseOffline", directoryHint: .isDirectory)
        #else
        let environment = ProcessInfo.processInfo.environment
        // Relative paths are invalid there, says the specification.
        let base =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
        return base.appending(
            path: "supabase-offline/\(ProcessInfo.processInfo.processName)",
            directoryHint: .isDirectory)
        #endif
    }
}
