import Synchronization

@testable import OfflineCore

/// Answers whoever the token names with their rows, and nobody with public ones, if at all.
struct SessionWorldServer: HTTPTransport {
    private let world: SessionWorld

    init(_ world: SessionWorld) { self.world = world }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let sent = world.noteRequest()
        await world.pause(upTo: 800)
        switch world.draw(10) {
        case 0: throw TransportError(.notSent, .cannotConnect)
        case 1: return HTTPResponse(status: 503, headers: ["Retry-After": "1"])
        default: break
        }
        guard let token = request.headers["Authorization"] else {
            return rows(of: "public", to: sent)
        }
        let version = world.state.withLock { $0.tokenVersion }
        for name in ["ada", "grace"]
        where token == "Bearer \(SessionWorld.token(name, version))" {
            await world.pause(upTo: 800)
            return rows(of: name, to: sent)
        }
        return HTTPResponse(
            status: 401, headers: ["Content-Type": "application/json"],
            body: ContiguousArray(#"{"code":"PGRST303","message":"JWT expired"}"#.utf8))
    }

    private func rows(
        of owner: String, to request: (number: Int, places: Set<Int>)
    ) -> HTTPResponse {
        world.noteAnswer(to: request)
        return HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json"],
            body: ContiguousArray(#"[{"owner":"\#(owner)","request":\#(request.number)}]"#.utf8))
    }

    func download(
        _ request: HTTPRequest, toFile path: String
    ) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.notSent, .file)
    }

    func close() {}
}
