import SupabaseOffline
import Synchronization

/// The platform's network, which a test leads to a port where nobody listens.
///
/// Unlike a fault of the server, it concerns one client alone.
final class Detour: HTTPTransport {
    private let base = PlatformTransport.make()
    private let away = Mutex(false)

    /// Whether the server is out of reach.
    var isAway: Bool {
        get { away.withLock { $0 } }
        set { away.withLock { $0 = newValue } }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        // Port 1 is reserved and refuses at once.
        if isAway { request.url = "http://127.0.0.1:1/" }
        return try await base.send(request)
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        try await base.download(request, toFile: path)
    }

    func close() { base.close() }
}
