import Foundation

/// A list of tasks in a terminal, which still is there when the server is not.
@main
struct OfflineTasks {
    static func main() async {
        do {
            let invocation = try Invocation(
                Array(CommandLine.arguments.dropFirst()),
                environment: ProcessInfo.processInfo.environment)
            print(try await Commands(invocation).run(invocation.command))
        } catch {
            // The library's errors say what was asked, what went wrong and what to do.
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
