import SupabaseOffline

/// A network that carries nothing, as in a tunnel.
final class Tunnel: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.notSent, .cannotConnect)
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.notSent, .cannotConnect)
    }

    func close() {}
}
