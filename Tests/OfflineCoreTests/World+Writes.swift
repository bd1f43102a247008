import OfflineTesting
import Testing

@testable import OfflineCore

extension World {
    /// What the device has of a list, without asking the server.
    struct Kept: Equatable, Sendable {
        let text: String
        let isStale: Bool

        init(_ text: String, isStale: Bool = false) {
            self.text = text
            self.isStale = isStale
        }
    }

    func kept(_ read: PostgrestFilterBuilder) async throws -> Kept {
        let response = try await read.execute()
        return Kept(response.text, isStale: response.isStale)
    }

    /// Lets the device have a list, as the server answers it now, and waits until it is stored.
    func keep(_ json: String, _ read: PostgrestFilterBuilder) async throws {
        network.answer(json: json)
        try await read.execute()
        await client.reads.waitUntilStored()
    }
}

extension ScriptedTransport {
    /// Scripts PostgREST's answer to a write.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - range: The header `Content-Range`.
    ///   - json: The rows that are returned; nil for none.
    ///   - gate: Holds the answer back until it is opened.
    func accept(
        _ status: Int = 201, range: String = "*/*", json: String? = nil, after gate: Gate? = nil
    ) {
        let headers: HTTPHeaders = ["Content-Range": range]
        guard let json else {
            return answer(HTTPResponse(status: status, headers: headers), after: gate)
        }
        answer(status: status, headers: headers, json: json, after: gate)
    }

    /// Scripts a refusal of PostgREST's.
    func refuse(_ status: Int, _ code: String) {
        answer(status: status, json: #"{"code":"\#(code)","message":"no"}"#)
    }
}
