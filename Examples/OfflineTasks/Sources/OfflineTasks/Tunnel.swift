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

    /// Says what the device's own monitor would say in here.
    static let signal: @Sendable () -> AsyncStream<Bool> = {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(false)
        return stream
    }
}
