import Foundation
import SupabaseOffline

/// A list of tasks in a terminal, which still is there when the server is not.
@main
struct OfflineTasks {
    static func main() async {
        do {
            let invocation = try Invocation(
                Array(CommandLine.arguments.dropFirst()),
                environment: ProcessInfo.processInfo.environment)
            try await run(invocation)
        } catch {
            // The library's errors say what was asked, what went wrong and what to do.
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ invocation: Invocation) async throws {
        let account = try Account(
            server: invocation.server, key: invocation.key, directory: invocation.directory)
        switch invocation.command {
        case .help:
            print(Invocation.usage)
        case .login(let email, let password):
            try await account.signIn(email: email, password: password)
            print("Signed in as \(email).")
        case .list(let options):
            try await list(options, account: account, invocation)
        }
    }

    private static func list(
        _ options: ListOptions, account: Account, _ invocation: Invocation
    ) async throws {
        let client = try SupabaseOfflineClient(
            supabaseURL: invocation.server, supabaseKey: invocation.key,
            config: .init(
                accessToken: { try await account.accessToken() },
                dataDirectory: invocation.directory.appending(path: "data"),
                networkAvailability: options.isOffline ? Tunnel.signal : nil,
                transport: options.isOffline ? Tunnel() : nil))
        do {
            let list = try await TaskList(client).read(options)
            await client.close()
            print(list.text(now: Date()))
        } catch {
            await client.close()
            throw error
        }
    }
}
