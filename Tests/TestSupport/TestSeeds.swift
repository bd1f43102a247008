import Foundation

/// The seeds that the one who runs the tests wants.
package enum TestSeeds {
    /// The seed in `OFFLINE_SEED`, to repeat a run that a failure named.
    package static let replayed = ProcessInfo.processInfo.environment["OFFLINE_SEED"]
        .flatMap { UInt64($0) }.map { [$0] }
}
