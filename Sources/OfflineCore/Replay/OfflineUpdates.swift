/// The newest value of something that changes: first the value now, then each later one.
///
/// A slow listener skips to the newest, and equal values are not repeated. It ends when the client is
/// closed.
public struct OfflineUpdates<Element: Equatable & Sendable>: AsyncSequence, Sendable {
    /// It never throws.
    public typealias Failure = Never

    private let ticks: AsyncStream<Int>
    private let load: @Sendable () async -> Element?

    /// - Parameters:
    ///   - ticks: Say "look again"; the first comes at once.
    ///   - load: Looks; nil if there is nothing to be told now.
    init(_ ticks: AsyncStream<Int>, _ load: @escaping @Sendable () async -> Element?) {
        self.ticks = ticks
        self.load = load
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
        Iterator(ticks: ticks.makeAsyncIterator(), load: load)
    }

    /// Listens.
    public struct Iterator: AsyncIteratorProtocol {
        /// It never throws.
        public typealias Failure = Never

        fileprivate var ticks: AsyncStream<Int>.Iterator
        fileprivate let load: @Sendable () async -> Element?
        private var last: Element?

        fileprivate init(
            ticks: AsyncStream<Int>.Iterator, load: @escaping @Sendable () async -> Element?
        ) {
            self.ticks = ticks
            self.load = load
        }

        /// The next value; nil at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> Element? {
            while await ticks.next(isolation: actor) != nil {
                guard let value = await load(), value != last else { continue }
                last = value
                return value
            }
            return nil
        }
    }
}
