/// A change of the tasks, as it was typed.
struct TaskChange: Equatable {
    enum Action: Equatable {
        case add(title: String, notes: String?, priority: Int?)
        case edit(id: String, title: String)
        case mark(id: String, isDone: Bool)
        case remove(id: String)
    }

    let action: Action
    let isOffline: Bool

    /// Understands what was typed, from the name of the command on.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments.makeIterator()
        let command = rest.next() ?? ""
        var words: [String] = []
        var notes: String?
        var priority: Int?
        var (isDone, isOffline) = (true, false)
        while let argument = rest.next() {
            switch (command, argument) {
            case (_, "--offline"): isOffline = true
            case ("add", "--notes"):
                guard let text = rest.next() else { throw UsageError("--notes takes a text.") }
                notes = text
            case ("add", "--priority"):
                guard let number = rest.next().flatMap({ Int($0) }) else {
                    throw UsageError("--priority takes a number.")
                }
                priority = number
            case ("done", "--undo"): isDone = false
            case (_, let option) where option.hasPrefix("--"):
                throw UsageError("\(command) doesn't know \(option).")
            case (_, ""): throw UsageError("\(command) takes no empty text.")
            case (_, let word): words.append(word)
            }
        }
        self.isOffline = isOffline
        switch (command, words.count) {
        case ("add", 1): action = .add(title: words[0], notes: notes, priority: priority)
        case ("edit", 2): action = .edit(id: words[0], title: words[1])
        case ("done", 1): action = .mark(id: words[0], isDone: isDone)
        case ("rm", 1): action = .remove(id: words[0])
        default: throw UsageError("\(command) takes other arguments.")
        }
    }
}
