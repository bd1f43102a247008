/// What came of a request: the one place where a status, a body or a failure is judged.
enum ServerAnswer: Sendable {
    /// Rows, and where they are in the body.
    case list(RowDirectory)
    /// What was asked for, in another shape than a list.
    case other
    /// No row where one was optional.
    case noRow
    /// Nothing that could be returned; some failures are worth another attempt.
    case failure(OfflineError.Reason, RetrySchedule.Failure?)

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - shape: What was asked for.
    ///   - columns: The key columns of the table.
    /// - Complexity: O(*n*) in the bytes of a list.
    init(_ response: HTTPResponse, to shape: PostgrestRequest.Shape, columns: KeyColumns) {
        switch response.status {
        case 200..<300 where response.isHTML || (shape == .list && response.body.isEmpty):
            // A network's sign-in page.
            self = .unusable(.foreignAnswer(status: response.status))
        case 200..<300 where shape == .list:
            do throws(RowListError) {
                self = .list(try RowDirectory(scanning: response.body.span, columns: columns))
            } catch {
                self = .init(error, status: response.status)
            }
        case 200..<300 where response.isBrokenJSON:
            self = .unusable(.cutBody)
        case 200..<300:
            self = .other
        default:
            let error = PostgrestError(response)
            if error.code == nil, RefusalTable.meaning(ofStatus: response.status) == nil {
                self = .unusable(.foreignAnswer(status: response.status))
            } else if RetrySchedule.busyStatuses.contains(response.status) {
                self = .failure(.server(error), .busy(retryAfter: response.headers.retryAfter))
            } else if shape == .optionalRow, error.saysNoRow {
                self = .noRow
            } else {
                self = .failure(.server(error), nil)
            }
        }
    }

    /// Judges a failed exchange.
    init(_ error: TransportError) {
        switch error.cause {
        case .closed:
            self = .failure(.closed, nil)
        case .invalidRequest:
            self = .failure(
                .invalidRequest(
                    "The address or a header can't be sent: look for line breaks, and for a URL "
                        + "that is none."), nil)
        case .hostNotFound, .cannotConnect, .insecure, .connectionLost, .timedOut, .malformed,
            .cutShort, .file, .cancelled, .other:
            self = .failure(.connectivity(ConnectivityFailure(error)), .outOfReach)
        }
    }

    private init(_ error: RowListError, status: Int) {
        switch error {
        case .invalid:
            // PostgREST sends whole JSON or an error, so somebody on the way cut or changed this.
            self = .unusable(.cutBody)
        case .notAList, .tooLong:
            self = .failure(.unexpectedAnswer(status: status), nil)
        }
    }

    /// The server's refusal, if it refused.
    var refusal: PostgrestError? {
        if case .failure(.server(let error), _) = self { error } else { nil }
    }

    /// Whether the server does not take the token that it was sent.
    var refusesToken: Bool { refusal?.refusalClass == .auth }

    /// Whether the server has said something that it might say otherwise to somebody else.
    var isServersWord: Bool {
        switch self {
        case .list, .other, .failure(.server, _), .failure(.unexpectedAnswer, _): true
        case .noRow, .failure: false
        }
    }

    /// Whether it is what was asked for.
    var isServed: Bool {
        switch self {
        case .list, .other, .noRow: true
        case .failure: false
        }
    }

    /// Whether a limit of time was reached.
    var isTimeout: Bool {
        guard case .failure(.connectivity(let failure), _) = self,
            case .transport(let error) = failure.cause
        else { return false }
        return error.cause == .timedOut
    }

    private static func unusable(_ cause: ConnectivityFailure.Cause) -> ServerAnswer {
        .failure(.connectivity(ConnectivityFailure(answeredWith: cause)), .outOfReach)
    }
}

extension PostgrestError {
    /// Whether there were no rows where one was asked for.
    ///
    /// The code is the same for several; the details tell how many, before the word "rows".
    var saysNoRow: Bool {
        guard status == 406, code == "PGRST116", let details else { return false }
        let words = details.split(separator: " ")
        return zip(words, words.dropFirst()).contains { $0 == "0" && $1.hasPrefix("row") }
    }
}

extension HTTPResponse {
    fileprivate var isHTML: Bool { mediaType.hasPrefix("text/html") }

    /// Whether the body says that it is JSON and is not, or not all of it.
    ///
    /// An answer may have none: a function can return nothing.
    fileprivate var isBrokenJSON: Bool {
        mediaType.contains("json") && !body.isEmpty
            && (try? JSONScanner.validate(body.span)) == nil
    }

    private var mediaType: String {
        headers["Content-Type"]?.lowercasedASCII ?? ""
    }

    /// The total in `Content-Range: 0-9/42`, where the server counted.
    var total: Int? {
        headers["Content-Range"]?.split(separator: "/").last.flatMap { Int($0) }
    }
}
