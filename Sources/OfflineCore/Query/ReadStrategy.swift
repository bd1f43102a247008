/// From where a read takes its rows.
public struct ReadStrategy: Hashable, Sendable {
    enum Source: Hashable, Sendable { case networkFirst, cacheFirst, cacheOnly, networkOnly }

    let source: Source
    /// The greatest age of rows from the device; nil accepts any.
    let maxAge: Duration?

    /// The server's rows; the device's, if the server can't be reached.
    ///
    /// This is the default. A server's error is thrown even if the list is on the device.
    public static let networkFirst = networkFirst(maxAge: nil)
    /// The device's rows without a request; the server's, if the device has none.
    public static let cacheFirst = cacheFirst(maxAge: nil)
    /// The device's rows and never a request; without them ``OfflineError/cacheMiss``.
    public static let cacheOnly = cacheOnly(maxAge: nil)
    /// The server's rows or the failure; the answer is kept for the other strategies all the same.
    public static let networkOnly = ReadStrategy(source: .networkOnly, maxAge: nil)

    /// ``networkFirst`` that serves no rows from the device that are older than `maxAge`.
    ///
    /// - Parameter maxAge: The time since the server's answer arrived, by the device's clock; nil
    ///   accepts any. A negative one is refused when the read is executed.
    /// - Returns: The strategy.
    public static func networkFirst(maxAge: Duration?) -> ReadStrategy {
        ReadStrategy(source: .networkFirst, maxAge: maxAge)
    }

    /// ``cacheFirst`` that asks the server instead of serving rows older than `maxAge`.
    ///
    /// - Parameter maxAge: The time since the server's answer arrived, by the device's clock; nil
    ///   accepts any. A negative one is refused when the read is executed.
    /// - Returns: The strategy.
    public static func cacheFirst(maxAge: Duration?) -> ReadStrategy {
        ReadStrategy(source: .cacheFirst, maxAge: maxAge)
    }

    /// ``cacheOnly`` that throws ``OfflineError/cacheMiss`` instead of serving rows older than
    /// `maxAge`.
    ///
    /// - Parameter maxAge: The time since the server's answer arrived, by the device's clock; nil
    ///   accepts any. A negative one is refused when the read is executed.
    /// - Returns: The strategy.
    public static func cacheOnly(maxAge: Duration?) -> ReadStrategy {
        ReadStrategy(source: .cacheOnly, maxAge: maxAge)
    }

    /// Why no read can follow this strategy, if so.
    var problem: String? {
        guard let maxAge, maxAge < .zero else { return nil }
        return "maxAge is \(maxAge). An age can't be negative: give zero or more, or nil for any."
    }
}
