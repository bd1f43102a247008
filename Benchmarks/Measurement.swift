import Foundation

/// Does two kinds of work in turn and times each.
///
/// In turn, because a shared machine changes its speed within a run: what is compared must have had
/// the same weather.
///
/// - Parameters:
///   - rounds: How often to do each.
///   - warmup: How often to do each before that, untimed.
///   - before: What to do before each of them, untimed.
///   - ours: Our work.
///   - plain: The same work done the plain way.
/// - Returns: The times in microseconds.
/// - Throws: What the work throws.
func interleaved(
    rounds: Int, warmup: Int = 20, before: () async throws -> Void = {},
    ours: @escaping () async throws -> Void, plain: @escaping () async throws -> Void
) async throws -> (ours: Figures, plain: Figures) {
    let figures = try await inTurn(
        rounds: rounds, warmup: warmup, before: before, [ours, plain])
    return (figures[0], figures[1])
}

/// Does any number of kinds of work in turn and times each.
func inTurn(
    rounds: Int, warmup: Int = 20, before: () async throws -> Void = {},
    _ works: [() async throws -> Void]
) async throws -> [Figures] {
    var times: [[Double]] = Array(repeating: [], count: works.count)
    for round in -warmup..<rounds {
        for (index, work) in works.enumerated() {
            try await before()
            let time = try await microseconds(work)
            if round >= 0 { times[index].append(time) }
        }
    }
    return times.map { Figures($0) }
}

/// The time that some work takes.
func microseconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .microseconds(1)
}

/// Keeps a value from being optimised away.
@inline(never)
@_optimize(none)
func use<T>(_ value: T) {}
