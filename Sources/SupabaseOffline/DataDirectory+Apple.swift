#if canImport(Darwin)
import Foundation

extension DataDirectory {
    /// Leaves the directory out of backups: what is in it comes from the server, and a restored
    /// queue could send old writes again.
    static func excludeFromBackup(_ url: URL) throws {
        var directory = url
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try directory.setResourceValues(values)
    }
}
#endif
