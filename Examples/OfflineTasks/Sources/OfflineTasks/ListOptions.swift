import SupabaseOffline

/// How to read the list.
struct ListOptions: Equatable {
    var strategy = ReadStrategy.networkFirst
    /// Which tasks to show; nil shows all.
    var isDone: Bool?
    var isOffline = false
    /// The state in which to read; nil is the real one.
    var session: SimulatedSession?

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var name = "networkFirst"
        var maxAge: Duration?
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--open": isDone = false
            case "--done": isDone = true
            case "--offline": isOffline = true
            case "--session":
                guard let state = rest.next().flatMap({ SimulatedSession($0) }) else {
                    throw UsageError(
                        "--session takes restoring, signedIn, refreshFailed or signedOut.")
                }
                session = state
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
