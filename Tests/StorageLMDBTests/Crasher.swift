import TestSupport

/// Starts the process that tests kill, or let hold a store.
func crasher(_ arguments: String...) throws -> ChildProgram {
    try ChildProgram("StoreCrasher", arguments)
}
