import Foundation
import SupabaseOffline

/// What the user typed, understood or refused.
struct Invocation {
    enum Command: Equatable {
        case help
        case login(email: String, password: String)
        case list(ListOptions)
    }

    static let usage = """
        offline-tasks login EMAIL PASSWORD
            Signs in. The session is kept for the commands that follow.

        offline-tasks list [--strategy S] [--max-age SECONDS] [--open | --done] [--offline]
            Shows the tasks, and where they came from.
            S is networkFirst (the default), cacheFirst, cacheOnly or networkOnly.
            --offline reads as if there were no network.

        The server and its publishable key come from OFFLINE_TASKS_URL and OFFLINE_TASKS_KEY;
        OFFLINE_TASKS_DIRECTORY is where everything is kept, ~/.offline-tasks if it is not set.
        """

    let command: Command
    let server: URL
    let key: String
    let directory: URL

    init(_ arguments: [String], environment: [String: String]) throws(UsageError) {
        command = try Self.command(arguments)
        guard let address = environment["OFFLINE_TASKS_URL"], let server = URL(string: address)
        else { throw UsageError("OFFLINE_TASKS_URL has to be the address of the server.") }
        guard let key = environment["OFFLINE_TASKS_KEY"] else {
            throw UsageError("OFFLINE_TASKS_KEY has to be the publishable key.")
        }
        self.server = server
        self.key = key
        directory =
            environment["OFFLINE_TASKS_DIRECTORY"].map { URL(filePath: $0) }
            ?? URL.homeDirectory.appending(path: ".offline-tasks")
    }

    private static func command(_ arguments: [String]) throws(UsageError) -> Command {
        switch arguments.first {
        case nil, "help", "--help": return .help
        case "login" where arguments.count == 3:
            return .login(email: arguments[1], password: arguments[2])
        case "list": return .list(try ListOptions(arguments.dropFirst()))
        default: throw UsageError("There is no such command.")
        }
    }
}

/// How to read the list.
struct ListOptions: Equatable {
    var strategy = ReadStrategy.networkFirst
    /// Which tasks to show; nil shows all.
    var isDone: Bool?
    var isOffline = false

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var name = "networkFirst"
        var maxAge: Duration?
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--open": isDone = false
            case "--done": isDone = true
            case "--offline": isOffline = true
            case "--strategy": name = rest.next() ?? ""
            case "--max-age":
                guard let seconds = rest.next().flatMap({ Int64($0) }) else {
                    throw UsageError("--max-age takes a number of seconds.")
                }
                maxAge = .seconds(seconds)
            default: throw UsageError("list doesn't know \(argument).")
            }
        }
        strategy = try Self.strategy(named: name, maxAge: maxAge)
    }

    private static func strategy(
        named name: String, maxAge: Duration?
    ) throws(UsageError) -> ReadStrategy {
        switch name {
        case "networkFirst": return .networkFirst(maxAge: maxAge)
        case "cacheFirst": return .cacheFirst(maxAge: maxAge)
        case "cacheOnly": return .cacheOnly(maxAge: maxAge)
        case "networkOnly" where maxAge == nil: return .networkOnly
        case "networkOnly":
            throw UsageError("networkOnly reads no saved rows: leave out --max-age.")
        default: throw UsageError("There is no strategy \"\(name)\".")
        }
    }
}

/// Something typed that means nothing.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ problem: String) { description = "\(problem)\n\n\(Invocation.usage)" }
}
