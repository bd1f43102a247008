/// Writes the steps of a regular expression one after the other.
struct RegularExpressionCompiler {
    private(set) var steps: [RegularExpression.Step] = []

    /// Adds a part; false if there would be too many steps.
    mutating func add(_ tree: RegularExpressionTree) -> Bool {
        guard steps.count < RegularExpression.mostSteps else { return false }
        switch tree {
        case .characters(let set): steps.append(.take(set))
        case .atStart: steps.append(.atStart)
        case .atEnd: steps.append(.atEnd)
        case .sequence(let parts):
            for part in parts where !add(part) { return false }
        case .choice(let branches): return add(choice: branches)
        case .repetition(let part, let lower, let upper):
            for _ in 0..<lower where !add(part) { return false }
            guard let upper else { return addLoop(over: part) }
            return addOptions(of: part, count: upper - lower)
        }
        return true
    }

    private mutating func add(choice branches: [RegularExpressionTree]) -> Bool {
        var exits: [Int] = []
        for (index, branch) in branches.enumerated() {
            let split = steps.count
            let isLast = index == branches.count - 1
            if !isLast { steps.append(.split(split + 1, split + 1)) }
            guard add(branch) else { return false }
            guard !isLast else { break }
            exits.append(steps.count)
            steps.append(.jump(0))
            steps[split] = .split(split + 1, steps.count)
        }
        for exit in exits { steps[exit] = .jump(steps.count) }
        return true
    }

    private mutating func addLoop(over part: RegularExpressionTree) -> Bool {
        let split = steps.count
        steps.append(.split(split + 1, split + 1))
        guard add(part) else { return false }
        steps.append(.jump(split))
        steps[split] = .split(split + 1, steps.count)
        return true
    }

    private mutating func addOptions(of part: RegularExpressionTree, count: Int) -> Bool {
        var splits: [Int] = []
        for _ in 0..<count {
            splits.append(steps.count)
            steps.append(.split(0, 0))
            guard add(part) else { return false }
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
        return true
    }
}
