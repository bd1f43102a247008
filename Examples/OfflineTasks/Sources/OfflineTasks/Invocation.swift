import Foundation
import SupabaseOffline

/// What the user typed, understood or refused.
struct Invocation {
    enum Command: Equatable {
        case help
        case login(email: String, password: String)
        case logout
        case switchUser(email: String)
        case whoami
        case list(ListOptions)
        case change(TaskChange)
        case queue(QueueCommand)
    }

    static let usage = """
        offline-tasks login EMAIL PASSWORD
            Signs in. The session is kept for the commands that follow, beside those of other users.

        offline-tasks logout
            Forgets the session on this device, and ends it on the server if that can be reached.
            Then nobody is signed in; the sessions of other users stay for switch. Writes that the
            server does not have yet stay for when the user is back; logout says how many.

        offline-tasks switch EMAIL
            Goes on as a user who has signed in on this device before, without a password and
            without a network.

        offline-tasks whoami
            Says who is signed in, and who is kept. Asks nobody.

        offline-tasks list [--strategy S] [--max-age SECONDS] [--open | --done] [--offline]
                           [--session STATE]
            Shows the tasks with as much of their ids as tells them apart, and where they came from;
            what the server does not have yet is marked.
            S is networkFirst (the default), cacheFirst, cacheOnly or networkOnly.
            --offline reads as if there were no network.
            --session reads in a state of the session that is made up and stays as it is:
                restoring      the present user's session is being loaded, and never is
                signedIn       the present user is signed in
                refreshFailed  the present user's token has expired and can't be renewed
                signedOut      nobody is signed in
            STATE:EMAIL means another user whose session is kept; restoring:nobody means none.
            The library takes it for real: in signedOut the lists go, or stay, as after a logout.

        offline-tasks add TITLE [--notes TEXT] [--priority NUMBER] [--offline]
            Adds a task.

        offline-tasks edit ID TITLE [--offline]
            Gives a task another title, unless somebody has changed the task since this device
            read it: that is a conflict, nothing is changed, and the task is shown as it is now.
            An edit that was kept joins the rejected writes then.

        offline-tasks done ID [--undo] [--offline]
            Marks a task as done; with --undo, as not done.

        offline-tasks rm ID [--offline]
            Removes a task.

        add, edit, done and rm send what was kept before them, and then themselves. If the server
        can't be reached they are kept on this device, and say so; if it refuses they fail. Either
        way the lists on this device show what is.
        ID is the beginning of an id in these lists, as far as only one has it, or a whole id.

        offline-tasks pending
            Shows the writes that are kept, in the order in which they will be sent. Asks nobody.

        offline-tasks rejected
            Shows the writes that the server has refused for good, and why. Asks nobody.

        offline-tasks sync
            Sends what is kept and waits for the answers. Other commands send nothing behind your
            back: they would end in the middle of it.

        offline-tasks retry ID [--title TEXT] [--priority NUMBER]
            Puts a rejected write at the end of the queue, with another title or priority if you
            give one, and sends the queue as sync does.

        offline-tasks discard ID
            Drops a write that is kept or rejected, and those that have no sense without it.

        ID is the beginning of a write's id as pending and rejected show it, or a whole one.

        The server and its publishable key come from OFFLINE_TASKS_URL and OFFLINE_TASKS_KEY;
        OFFLINE_TASKS_DIRECTORY is where everything is kept, ~/.offline-tasks if it is not set.
        With OFFLINE_TASKS_KEEP=1 the lists of one who leaves stay on the device for when they come
        back, and are shown to nobody else; without it they go.
        """

    let command: Command
    let server: URL
    let key: String
    let directory: URL
    /// What becomes of the lists of one who leaves.
    let policy: SupabaseOfflineClient.SignOutPolicy

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
        switch environment["OFFLINE_TASKS_KEEP"] {
        case nil, "", "0": policy = .dropCache
        case "1": policy = .keepCache
        case _?: throw UsageError("OFFLINE_TASKS_KEEP is 1, or is not set.")
        }
    }

    private static func command(_ arguments: [String]) throws(UsageError) -> Command {
        switch arguments.first {
        case nil, "help", "--help": return .help
        case "login" where arguments.count == 3:
            return .login(email: arguments[1], password: arguments[2])
        case "logout" where arguments.count == 1: return .logout
        case "switch" where arguments.count == 2: return .switchUser(email: arguments[1])
        case "whoami" where arguments.count == 1: return .whoami
        case "list": return .list(try ListOptions(arguments.dropFirst()))
        case "add", "edit", "done", "rm": return .change(try TaskChange(arguments))
        case "pending", "rejected", "sync", "retry", "discard":
            return .queue(try QueueCommand(arguments))
        case "login", "logout", "switch", "whoami":
            throw UsageError("\(arguments[0]) takes other arguments.")
        default: throw UsageError("There is no such command.")
        }
    }
}

/// Something typed that means nothing.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ problem: String) { description = "\(problem)\n\n\(Invocation.usage)" }
}
