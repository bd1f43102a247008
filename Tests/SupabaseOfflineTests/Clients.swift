import Foundation
import OfflineTesting
import SupabaseOffline

extension URL {
    /// The address of the project that the tests are about.
    static var example: URL {
        guard let url = URL(string: "https://xyz.supabase.co") else {
            preconditionFailure("the example is a URL")
        }
        return url
    }
}

/// A client over a directory.
@discardableResult
func client(
    in directory: URL, _ network: ScriptedTransport = ScriptedTransport()
) throws -> SupabaseOfflineClient {
    try SupabaseOfflineClient(
        supabaseURL: .example, supabaseKey: "publishable",
        config: .init(dataDirectory: directory, transport: network))
}
