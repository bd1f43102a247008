import FoundationEssentials
import OfflineCore
import StorageLMDB

extension DataDirectory {
    /// Looks at the store that is to be moved here.
    ///
    /// - Throws: ``StorageError/newerFormat(_:)`` if a newer version of this package wrote it: it is
    ///   refused where it is. What else is wrong with it shows when it is opened here.
    func checkOrigin() throws(StorageError) {
        guard let origin, hasDatabase(in: origin), !hasDatabase(in: url),
            let storage = try? LMDBStorage(
                directory: Self.database(in: origin).path(percentEncoded: false),
                keyspaces: Keyspace.all)
        else { return }
        defer { storage.close() }
        do throws(StorageError) {
            try OfflineStore.check(storage)
        } catch .newerFormat(let format) {
            throw .newerFormat(format)
        } catch {}
    }

    private func hasDatabase(in url: URL) -> Bool {
        let file = Self.database(in: url).appending(path: "data.mdb")
        return FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
    }

    /// Tells what became of the store that was to be moved here.
    func report(_ move: EnvironmentMove.Outcome, to log: Log) {
        switch move {
        case .nothing: break
        case .moved: log.info("The database was moved here from the program's default place.")
        case .sourceInUse:
            log.warning(
                "The database in the program's default place was not moved here: another client "
                    + "has it open.")
        case .bothHold:
            log.warning(
                "The program's default place has a database too. It was left behind: the one in "
                    + "the configured directory is used.")
        }
    }
}
