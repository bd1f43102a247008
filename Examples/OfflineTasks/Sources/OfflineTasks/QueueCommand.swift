/// What to do with the writes that the server does not have, as it was typed.
enum QueueCommand: Equatable {
    case pending
    case rejected
    case sync
    case retry(id: String, NewValues)
    case discard(id: String)

    /// What a write is to write from now on; nil stays as it was.
    struct NewValues: Equatable {
        var title: String?
        var priority: Int?

        var isEmpty: Bool { title == nil && priority == nil }
    }

    /// Understands what was typed, from the name of the command on.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments.makeIterator()
        let command = rest.next() ?? ""
        var words: [String] = []
        var values = NewValues()
        while let argument = rest.next() {
            switch (command, argument) {
            case ("retry", "--title"):
                guard let text = rest.next(), !text.isEmpty else {
                    throw UsageError("--title takes a text.")
                }
                values.title = text
            case ("retry", "--priority"):
                guard let number = rest.next().flatMap({ Int($0) }) else {
                    throw UsageError("--priority takes a number.")
                }
                values.priority = number
            case (_, let option) where option.hasPrefix("--"):
                throw UsageError("\(command) doesn't know \(option).")
            case (_, ""): throw UsageError("\(command) takes no empty text.")
            case (_, let word): words.append(word)
            }
        }
        switch (command, words.count) {
        case ("pending", 0): self = .pending
        case ("rejected", 0): self = .rejected
        case ("sync", 0): self = .sync
        case ("retry", 1): self = .retry(id: words[0], values)
        case ("discard", 1): self = .discard(id: words[0])
        default: throw UsageError("\(command) takes other arguments.")
        }
    }
}
