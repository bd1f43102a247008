import OfflineCore

/// How an exchange ended, in a form to compare.
enum Outcome: Equatable {
    case answer(Int, String)
    case failed(TransportError.Stage, TransportError.Cause)
}

extension HTTPTransport {
    func outcome(of request: HTTPRequest) async -> Outcome {
        do throws(TransportError) {
            let answer = try await send(request)
            return .answer(answer.status, String(decoding: answer.body, as: UTF8.self))
        } catch {
            return .failed(error.stage, error.cause)
        }
    }

    func outcome(of request: HTTPRequest, toFile path: String) async -> Outcome {
        do throws(TransportError) {
            return .answer(try await download(request, toFile: path).status, "")
        } catch {
            return .failed(error.stage, error.cause)
        }
    }
}

extension HTTPRequest.Body {
    static func text(_ text: String) -> Self { .bytes(Bytes(text.utf8)) }
}

extension HTTPRequest.Limits {
    /// A limit for what never comes; what does come is there in time on the busiest machine.
    static let short = Duration.seconds(2)
}
