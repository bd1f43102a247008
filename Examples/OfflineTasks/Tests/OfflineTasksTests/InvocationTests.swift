import Foundation
import SupabaseOffline
import Testing

@testable import OfflineTasks

@Suite("What is typed", .timeLimit(.minutes(5)))
struct InvocationTests {
    private let server = [
        "OFFLINE_TASKS_URL": "http://127.0.0.1:1", "OFFLINE_TASKS_KEY": "publishable",
    ]

    @Test(
        arguments: [
            ([], .help), (["help"], .help),
            (["login", "ada@example.com", "pw"], .login(email: "ada@example.com", password: "pw")),
            (["logout"], .logout),
            (["switch", "ada@example.com"], .switchUser(email: "ada@example.com")),
            (["whoami"], .whoami), (["pending"], .queue(.pending)),
            (["rejected"], .queue(.rejected)), (["sync"], .queue(.sync)),
            (["discard", "a"], .queue(.discard(id: "a"))),
            (["retry", "a"], .queue(.retry(id: "a", .init()))),
            (
                ["retry", "--priority", "-1", "a", "--title", "b"],
                .queue(.retry(id: "a", .init(title: "b", priority: -1)))
            ),
        ] as [([String], Invocation.Command)])
    func `is understood as a command`(_ typed: [String], _ command: Invocation.Command) throws {
        #expect(try Invocation(typed, environment: server).command == command)
    }

    @Test(arguments: [
        ["frobnicate"], ["login"], ["login", "ada@example.com"], ["logout", "ada@example.com"],
        ["switch"], ["switch", "a", "b"], ["whoami", "--offline"], ["list", "ada@example.com"],
        ["add"], ["add", ""], ["add", "a", "b"], ["add", "a", "--notes"], ["add", "a", "--undo"],
        ["add", "a", "--priority", "high"], ["edit", "b0"], ["edit", "b0", ""], ["done"],
        ["done", ""], ["done", "b0", "--notes", "a"], ["rm"], ["rm", "b0", "b1"],
        ["rm", "b0", "--undo"], ["pending", "a"], ["rejected", "--offline"], ["sync", "a"],
        ["retry"], ["retry", ""], ["retry", "a", "b"], ["retry", "a", "--title"],
        ["retry", "a", "--title", ""], ["retry", "a", "--priority", "high"],
        ["retry", "a", "--undo"], ["discard"], ["discard", "a", "--title", "b"],
    ])
    func `is refused as a command that means nothing`(_ typed: [String]) {
        #expect(throws: UsageError.self) { try Invocation(typed, environment: server) }
    }

    @Test func `needs a server`() {
        #expect(throws: UsageError.self) { try Invocation(["list"], environment: [:]) }
    }

    @Test(
        arguments: [
            (nil, .dropCache), ("", .dropCache), ("0", .dropCache), ("1", .keepCache),
        ] as [(String?, SupabaseOfflineClient.SignOutPolicy)])
    func `decides with the environment what becomes of lists`(
        _ keep: String?, _ policy: SupabaseOfflineClient.SignOutPolicy
    ) throws {
        var environment = server
        environment["OFFLINE_TASKS_KEEP"] = keep
        #expect(try Invocation(["logout"], environment: environment).policy == policy)
        environment["OFFLINE_TASKS_KEEP"] = "perhaps"
        #expect(throws: UsageError.self) { try Invocation(["logout"], environment: environment) }
    }

    @Test func `is understood as options of a list`() throws {
        let options = try ListOptions([
            "--strategy", "cacheFirst", "--max-age", "60", "--open", "--offline",
            "--session", "signedOut",
        ])
        #expect(options.strategy == .cacheFirst(maxAge: .seconds(60)))
        #expect(options.isDone == false)
        #expect(options.isOffline)
        #expect(options.session == .signedOut)
    }

    @Test(arguments: [
        ["--strategy", "sometimes"], ["--strategy"], ["--max-age", "soon"], ["--max-age"],
        ["--loud"], ["--strategy", "networkOnly", "--max-age", "1"], ["--session"],
        ["--session", "happy"],
    ])
    func `is refused as an option that means nothing`(_ typed: [String]) {
        #expect(throws: UsageError.self) { try ListOptions(typed) }
    }

    @Test(
        arguments: [
            ("restoring", .restoring(.present)), ("restoring:nobody", .restoring(.nobody)),
            ("restoring:a@b.c", .restoring(.account(email: "a@b.c"))),
            ("signedIn", .signedIn(.present)),
            ("signedIn:a@b.c", .signedIn(.account(email: "a@b.c"))),
            ("refreshFailed", .refreshFailed(.present)), ("signedOut", .signedOut),
            ("signedIn:nobody", nil), ("refreshFailed:nobody", nil), ("signedOut:a@b.c", nil),
            ("restoring:", nil), ("", nil), ("signedin", nil),
        ] as [(String, SimulatedSession?)])
    func `is understood as a state of the session`(_ typed: String, _ state: SimulatedSession?) {
        #expect(SimulatedSession(typed) == state)
    }

    @Test(
        arguments: [
            (["add", "a b"], .add(title: "a b", notes: nil, priority: nil)),
            (
                ["add", "--notes", "n", "a", "--priority", "-1"],
                .add(title: "a", notes: "n", priority: -1)
            ),
            (["edit", "b0", "a"], .edit(id: "b0", title: "a")),
            (["done", "b0"], .mark(id: "b0", isDone: true)),
            (["done", "b0", "--undo"], .mark(id: "b0", isDone: false)),
            (["rm", "b0"], .remove(id: "b0")),
        ] as [([String], TaskChange.Action)])
    func `is understood as a change`(_ typed: [String], _ action: TaskChange.Action) throws {
        for (options, isOffline) in [([], false), (["--offline"], true)] {
            let command = try Invocation(typed + options, environment: server).command
            guard case .change(let change) = command else {
                Issue.record("\(typed) is no change but \(command)")
                return
            }
            #expect(change.action == action)
            #expect(change.isOffline == isOffline)
        }
    }
}
