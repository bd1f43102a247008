import Foundation
import Testing

/// Facts about other software as data, from the directory that `OFFLINE_VECTORS` names.
///
/// They lie outside of the project. Where the variable is not set, the suites over them are skipped
/// and say so; the tables of our own beside them are not.
enum Vectors {
    static let directory = ProcessInfo.processInfo.environment["OFFLINE_VECTORS"]
    static let areThere = directory != nil
    static let absence: Comment = "OFFLINE_VECTORS names no directory"

    /// The vectors of a file; none where there is no directory.
    static func load(_ name: String) -> [[String: Any]] {
        guard let directory,
            let data = try? Data(contentsOf: URL(filePath: "\(directory)/\(name)")),
            let json = try? JSONSerialization.jsonObject(with: data)
        else { return [] }
        return json as? [[String: Any]] ?? (json as? [String: Any])?["vectors"] as? [[String: Any]]
            ?? []
    }
}
