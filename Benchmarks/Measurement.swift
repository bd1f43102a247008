import Foundation

/// Does two kinds of work in turn and times each.
///
/// In turn, because a shared machine changes its speed within a run: what is compared must have had
/// the same weather.
///
/// - Parameters:
///   - rounds: How often to do each.
///   - warmup: How often to do each before that, untimed.
///   - ours: Our work.
///   - plain: The same work done the plain way.
/// - Returns: The times in microseconds.
func interleaved(
    rounds: Int, warmup: Int = 20, ours: () async throws -> Void, plain: () async throws -> Void
) async rethrows -> (ours: Figures, plain: Figures) {
    for _ in 0..<warmup {
        try await ours()
        try await plain()
    }
    var times: (ours: [Double], plain: [Double]) = ([], [])
    for _ in 0..<rounds {
        times.ours.append(try await microseconds(ours))
        times.plain.append(try await microseconds(plain))
    }
    return (Figures(times.ours), Figures(times.plain))
}

/// The time that some work takes.
func microseconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .microseconds(1)
}

/// Keeps a value from being optimised away.
@inline(never)
func use<T>(_ value: T) {}
