public import FoundationEssentials

/// Something that befell what is kept on the device, and that an app may want to tell its user.
@nonexhaustive
public enum Incident: Hashable, Sendable {
    /// The store could not be opened. It was moved to a place beside it, and a new one was opened.
    ///
    /// - Parameters:
    ///   - movedTo: The place.
    ///   - carriedWrites: How many writes could be read in it, of the queue and of the rejected ones: the
    ///     new one has them.
    case storeDamaged(movedTo: URL, carriedWrites: Int)
}

extension SupabaseOfflineClient {
    /// What befell the store when it was opened; it is logged as an error too.
    ///
    /// Each listener gets every incident of this client's opening, however late it listens, and the
    /// stream ends with the last.
    public var incidents: AsyncStream<Incident> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Incident.self, bufferingPolicy: .bufferingNewest(openingIncidents.count))
        for incident in openingIncidents { continuation.yield(incident) }
        continuation.finish()
        return stream
    }
}
