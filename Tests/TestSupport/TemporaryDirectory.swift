package import Foundation

/// Runs `body` with a fresh directory, which is removed afterwards.
package func withDirectory<R>(
    _ body: (_ directory: URL) async throws -> R
) async throws -> R {
    let directory = FileManager.default.temporaryDirectory
        .appending(component: "supabase-offline-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}

extension URL {
    /// The path as the system takes it.
    package var systemPath: String { path(percentEncoded: false) }
}
