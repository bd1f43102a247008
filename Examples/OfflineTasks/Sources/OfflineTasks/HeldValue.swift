/// A value of the app's that the library listens to, and that stays as it is.
actor HeldValue<Value: Sendable> {
    private var untold: Value?
    private let heard = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingNewest(1))
    private let end = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingNewest(1))

    init(_ value: Value) { untold = value }

    /// The values, for a client's configuration.
    nonisolated var updates: @Sendable () -> AsyncStream<Value> {
        { AsyncStream(unfolding: { await self.next() }) }
    }

    /// Waits until the library has taken in the value: before, it goes by what it knew last.
    func waitUntilHeard() async {
        for await _ in heard.stream {}
    }

    private func next() async -> Value? {
        if let value = untold {
            untold = nil
            return value
        }
        // Whoever asks for another value has taken in the first.
        heard.continuation.finish()
        for await _ in end.stream {}
        return nil
    }
}
