/// Lets the writes of an identity go one after the other, in the order in which they were made.
///
/// Two writes of one row that are on their way at once may reach the server in either order, and nobody
/// could tell afterwards which one stands.
actor WriteLine {
    private let runtime: OfflineRuntime
    private var count = 0
    /// The last write of each identity that has not ended.
    private var last: [String: (number: Int, task: Task<WriteLanding, Never>)] = [:]

    init(runtime: OfflineRuntime) { self.runtime = runtime }

    /// Makes a write once those before it have ended.
    ///
    /// - Parameters:
    ///   - identity: Whose write it is; one that is nobody's waits for none.
    ///   - write: Makes the write; it is told whether it had to wait.
    /// - Returns: The write. It is made whether or not anybody waits for it.
    func add(
        of identity: Identity?,
        _ write: @escaping @Sendable (_ hasWaited: Bool) async -> WriteLanding
    ) -> Task<WriteLanding, Never> {
        guard let identity else {
            return runtime.task(name: "write.send") { await write(false) }
        }
        count += 1
        let (number, previous) = (count, last[identity.name]?.task)
        let task = runtime.task(name: "write.send") {
            _ = await previous?.value
            let landing = await write(previous != nil)
            await self.end(number, of: identity)
            return landing
        }
        last[identity.name] = (number, task)
        return task
    }

    private func end(_ number: Int, of identity: Identity) {
        if last[identity.name]?.number == number { last[identity.name] = nil }
    }
}

/// What came of a write that nobody may be waiting for any more.
enum WriteLanding: Sendable {
    case accepted(HTTPResponse)
    case failed(any Error)
}
