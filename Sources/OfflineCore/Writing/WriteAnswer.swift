/// What came of a write: the one place where the answer to one is judged.
enum WriteAnswer: Sendable {
    /// The server has carried it out, and says this of the rows.
    case accepted(AcceptedWrite.Account)
    /// The server has undone it, as it was asked to.
    case rolledBack
    /// The server has not carried it out, unless the refusal says that it may have.
    case refused(OfflineError.Reason, mayHaveTakenEffect: Bool)
    /// Nobody knows whether it was carried out.
    case unknown(ConnectivityFailure?)

    /// Judges an answer.
    ///
    /// A status alone says little: a gateway or a sign-in page answers 200 too. PostgREST shows itself by
    /// `Content-Range`, by `Preference-Applied`, or by the rows it was asked for.
    ///
    /// - Complexity: O(*n*) in the length of the answer.
    init(_ response: HTTPResponse, to write: PlannedWrite) {
        let request = write.request
        let rows = request.representation(in: response)
        switch ServerAnswer(response, to: .other, columns: write.facts.keys) {
        case .failure(.server(let error), _):
            self = .refused(.server(error), mayHaveTakenEffect: error.mayHaveTakenEffect)
        case .failure(.connectivity(let failure), _):
            guard request.isAccepted(by: response, rows) else {
                self = .unknown(failure)
                return
            }
            // The head is the server's, and only the rows have not come whole.
            self = .accepted(.count(nil))
        case .failure(let reason, _): self = .refused(reason, mayHaveTakenEffect: true)
        case .list, .other, .noRow:
            guard request.isAccepted(by: response, rows) else {
                self = .unknown(
                    ConnectivityFailure(
                        answeredWith: .foreignAnswer(status: response.status)))
                return
            }
            let isUndone = response.headers.applied.contains("tx=rollback")
            self =
                request.preference("tx") == "rollback" && isUndone
                ? .rolledBack : .accepted(request.account(of: response, rows))
        }
    }

    /// Judges an answer to the call of a function, which says nothing of rows.
    init(toFunction response: HTTPResponse) {
        switch ServerAnswer(response, to: .other, columns: KeyColumns([])) {
        case .failure(.server(let error), _):
            self = .refused(.server(error), mayHaveTakenEffect: error.mayHaveTakenEffect)
        case .failure(.connectivity(let failure), _): self = .unknown(failure)
        case .failure(let reason, _): self = .refused(reason, mayHaveTakenEffect: true)
        case .list, .other, .noRow:
            let isServers =
                response.headers["Content-Range"] != nil
                || response.headers["Preference-Applied"] != nil || !response.body.isEmpty
            // A function that returns nothing is answered without a body, and nobody else says 204.
            guard response.status == 204 || [200, 206].contains(response.status) && isServers
            else {
                self = .unknown(
                    ConnectivityFailure(
                        answeredWith: .foreignAnswer(status: response.status)))
                return
            }
            self = .accepted(.count(nil))
        }
    }

    /// Why it was not accepted, if so.
    var failure: OfflineError.Reason? {
        switch self {
        case .accepted, .rolledBack: nil
        case .refused(let reason, _): reason
        case .unknown(let failure): failure.map { .connectivity($0) } ?? .outcomeUnknown(nil)
        }
    }

    /// Judges a failed exchange.
    init(_ error: TransportError) {
        switch ServerAnswer(error) {
        case .failure(.connectivity(let failure), _):
            self =
                failure.stage == .notSent
                ? .refused(.connectivity(failure), mayHaveTakenEffect: false) : .unknown(failure)
        case .failure(let reason, _): self = .refused(reason, mayHaveTakenEffect: false)
        case .list, .other, .noRow: preconditionFailure("a failed exchange has no answer")
        }
    }
}

extension PostgrestRequest {
    /// Whether rows of the table come back, rather than a plan, CSV or a map.
    private var returnsRows: Bool {
        guard preference("return") == "representation" else { return false }
        let accepted = headers["Accept"] ?? MediaType.rows
        return [
            MediaType.rows, MediaType.object, MediaType.strippedRows, MediaType.strippedObject,
        ].contains(accepted)
    }

    /// Whether the server shows its plan, and may have done nothing else.
    var isExplained: Bool {
        headers["Accept"]?.hasPrefix(MediaType.plan) ?? false
    }

    /// The rows that an answer returns, by the names that they have in the table; nil if none.
    fileprivate func representation(in response: HTTPResponse) -> [RowColumns]? {
        guard returnsRows, !response.body.isEmpty else { return nil }
        let body = response.body
        let selection = RowSelection(Selection(of: items))
        guard let slices = body.rowSlices else { return nil }
        var rows: [RowColumns] = []
        for slice in slices {
            guard let row = selection.columns(of: body.span.extracting(slice)) else { return nil }
            rows.append(row)
        }
        return rows
    }

    fileprivate func isAccepted(by response: HTTPResponse, _ rows: [RowColumns]?) -> Bool {
        let statuses: Set<Int> = method == "POST" ? [200, 201] : [200, 204]
        guard statuses.contains(response.status) else { return false }
        return response.headers["Content-Range"] != nil
            || response.headers["Preference-Applied"] != nil || rows != nil
    }

    /// What an answer says of the rows that were written.
    fileprivate func account(
        of response: HTTPResponse, _ rows: [RowColumns]?
    ) -> AcceptedWrite.Account {
        if isExplained { return .mayHaveFailed }
        // PostgREST before 14.4 applies such a filter once more, to the rows as they are after the
        // write: what no longer passes is written and not told.
        let isFull = method == "DELETE" || !FilterParser.hasTree(items)
        if let rows {
            let isStripped = headers["Accept"]?.contains("nulls=stripped") ?? false
            let isWhole = RowSelection(Selection(of: items)).isWhole && !isStripped
            return .rows(rows, isWhole: isWhole, isFull: isFull)
        }
        guard isFull else { return .count(nil) }
        switch method {
        case "PATCH": return .count(response.total ?? response.headers.rangeLength)
        case "DELETE": return .count(response.total)
        default: return .count(nil)
        }
    }
}

extension HTTPHeaders {
    /// The preferences that the server has followed.
    fileprivate var applied: [String] {
        values(for: "Preference-Applied").flatMap { $0.split(separator: ",") }
            .map { String($0.drop { $0 == " " }) }
    }

    /// How many rows `Content-Range: 0-9/*` is about; none in `*/*`.
    fileprivate var rangeLength: Int? {
        guard let range = self["Content-Range"]?.split(separator: "/").first else { return nil }
        if range == "*" { return 0 }
        let bounds = range.split(separator: "-").compactMap { Int($0) }
        return bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[1] - bounds[0] + 1 : nil
    }
}
