import Testing

@testable import OfflineCore

@Suite("A refusal", .timeLimit(.minutes(5)))
struct RefusalClassTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let code: String?
        let status: Int
        let refusalClass: RefusalClass
        let mayHaveTakenEffect: Bool

        init(
            _ code: String?, _ status: Int, _ refusalClass: RefusalClass, perhaps: Bool = false
        ) {
            self.code = code
            self.status = status
            self.refusalClass = refusalClass
            mayHaveTakenEffect = perhaps
        }

        var testDescription: String { "\(code ?? "no code") with \(status)" }
        var error: PostgrestError { PostgrestError(status: status, code: code, message: "m") }
    }

    static let ofTheDatabase = [
        Example("08000", 503, .retry, perhaps: true), Example("08006", 503, .retry, perhaps: true),
        Example("09000", 500, .reject), Example("0L000", 403, .reject),
        Example("0P000", 403, .reject), Example("21000", 500, .reject),
        Example("21000", 400, .reject), Example("22000", 400, .reject),
        Example("22003", 400, .reject), Example("22007", 400, .reject),
        Example("22023", 400, .reject), Example("22023", 401, .auth),
        Example("22P02", 400, .reject), Example("23502", 400, .reject),
        Example("23503", 409, .conflict), Example("23505", 409, .conflict),
        Example("23514", 400, .reject), Example("23P01", 400, .reject),
        Example("25006", 405, .hold), Example("25001", 500, .retry),
        Example("28000", 403, .reject), Example("2D000", 500, .reject),
        Example("38000", 500, .reject), Example("39000", 500, .reject),
        Example("3B001", 500, .reject), Example("3F000", 400, .reject),
        Example("40001", 500, .retry), Example("40P01", 500, .retry),
        Example("40002", 500, .retry), Example("42501", 403, .reject),
        Example("42501", 401, .reject), Example("42601", 400, .reject),
        Example("42703", 400, .reject), Example("42883", 404, .reject),
        Example("42P01", 404, .reject), Example("42P17", 500, .reject),
        Example("428C9", 400, .reject), Example("44000", 400, .reject),
        Example("53000", 503, .retry), Example("53100", 503, .hold),
        Example("53300", 503, .retry), Example("53400", 500, .retry),
        Example("54000", 500, .reject), Example("54001", 500, .reject),
        Example("55006", 500, .retry), Example("55P03", 500, .retry),
        Example("57014", 500, .retry), Example("57P01", 503, .retry, perhaps: true),
        Example("57P02", 500, .retry, perhaps: true), Example("57P03", 500, .retry),
        Example("58030", 500, .retry), Example("F0001", 500, .hold),
        Example("HV000", 500, .retry), Example("P0001", 400, .reject),
        Example("P0002", 500, .reject), Example("XX000", 500, .retry, perhaps: true),
        Example("0A000", 400, .reject), Example("ZZ999", 400, .reject),
    ]

    static let ofPostgREST = [
        Example("PGRST000", 503, .retry), Example("PGRST001", 503, .retry, perhaps: true),
        Example("PGRST002", 503, .retry), Example("PGRST003", 504, .retry),
        Example("PGRST100", 400, .reject), Example("PGRST101", 405, .reject),
        Example("PGRST103", 416, .reject), Example("PGRST106", 406, .reject),
        Example("PGRST111", 500, .reject), Example("PGRST112", 500, .reject),
        Example("PGRST116", 406, .reject), Example("PGRST121", 500, .reject),
        Example("PGRST125", 404, .reject), Example("PGRST200", 400, .reload),
        Example("PGRST201", 300, .reject), Example("PGRST202", 404, .reload),
        Example("PGRST203", 300, .reject), Example("PGRST204", 400, .reload),
        Example("PGRST205", 404, .reload), Example("PGRST300", 500, .hold),
        Example("PGRST301", 401, .auth), Example("PGRST302", 401, .auth),
        Example("PGRST303", 401, .auth), Example("PGRSTX00", 500, .retry, perhaps: true),
        // A newer server's, by their status.
        Example("PGRST130", 400, .reject), Example("PGRST901", 503, .retry),
    ]

    /// Chosen by a function: the status counts, as the word of one who knows the rows.
    static let ofFunctions = [
        Example("PT400", 400, .reject), Example("PT401", 401, .reject),
        Example("PT402", 402, .reject), Example("PT403", 403, .reject),
        Example("PT404", 404, .reject), Example("PT408", 408, .retry),
        Example("PT409", 409, .reject), Example("PT425", 425, .retry),
        Example("PT429", 429, .retry), Example("PT503", 503, .retry),
        Example("PTxyz", 500, .retry), Example("123", 418, .reject), Example("mine", 599, .retry),
    ]

    static let withoutCode = [
        Example(nil, 400, .reject), Example(nil, 401, .auth), Example(nil, 402, .hold),
        Example(nil, 403, .hold), Example(nil, 404, .hold), Example(nil, 405, .reject),
        Example(nil, 406, .reject), Example(nil, 408, .retry, perhaps: true),
        Example(nil, 409, .reject), Example(nil, 413, .reject), Example(nil, 414, .reject),
        Example(nil, 422, .reject), Example(nil, 425, .retry), Example(nil, 429, .retry),
        Example(nil, 431, .reject), Example(nil, 499, .reject),
        Example(nil, 500, .retry, perhaps: true), Example(nil, 502, .retry, perhaps: true),
        Example(nil, 503, .retry, perhaps: true), Example(nil, 504, .retry, perhaps: true),
        Example(nil, 520, .retry, perhaps: true), Example(nil, 521, .retry),
        Example(nil, 522, .retry), Example(nil, 523, .retry),
        Example(nil, 524, .retry, perhaps: true), Example(nil, 525, .retry),
        Example(nil, 526, .hold), Example(nil, 530, .hold), Example(nil, 540, .hold),
        Example(nil, 544, .retry, perhaps: true), Example(nil, 546, .reject),
        Example(nil, 599, .retry, perhaps: true),
    ]

    @Test(arguments: ofTheDatabase + ofPostgREST + ofFunctions + withoutCode)
    func `asks for something, by its code and then its status`(_ example: Example) {
        #expect(example.error.refusalClass == example.refusalClass)
        #expect(example.error.mayHaveTakenEffect == example.mayHaveTakenEffect)
    }

    @Test func `has an example for every row of the table`() {
        let coded = (Self.ofTheDatabase + Self.ofPostgREST).compactMap { example in
            example.code.flatMap { code in
                RefusalTable.codes.firstIndex { $0.covers(code, status: example.status) }
            }
        }
        #expect(Set(coded) == Set(RefusalTable.codes.indices))
        let bare = Self.withoutCode.compactMap { example in
            RefusalTable.statuses.firstIndex { $0.statuses.contains(example.status) }
        }
        let ofTheNetwork = RefusalTable.statuses.indices.filter {
            RefusalTable.statuses[$0].meaning == nil
        }
        #expect(Set(bare + ofTheNetwork) == Set(RefusalTable.statuses.indices))
    }

    @Test(arguments: ofTheDatabase + ofPostgREST + ofFunctions + withoutCode)
    func `is the server's word to a read, and never a failure of the network`(_ example: Example) {
        let code = example.code.map { #""code":"\#($0)","# } ?? ""
        let response = HTTPResponse(
            status: example.status, headers: ["Content-Type": "application/json"],
            body: ContiguousArray(#"{\#(code)"message":"m"}"#.utf8))
        let answer = ServerAnswer(response, to: .list, columns: KeyColumns(["id"]))
        guard case .failure(let reason, let failure) = answer else {
            Issue.record("a refusal is no list")
            return
        }
        #expect(reason == .server(example.error))
        // What supabase-swift asks again for, and nothing else.
        #expect((failure == .busy(retryAfter: nil)) == [503, 520].contains(example.status))
    }

    /// Statuses that nobody who answers for the server gives: 1xx ends no exchange, 3xx leads
    /// elsewhere, a proxy and a network ask for a sign-in, and the rest is not HTTP.
    static let foreign = [0, 100, 199] + Array(300...308) + [399, 407, 511, 600, 999]

    @Test(arguments: foreign)
    func `of somebody on the way is a failure of the network`(_ status: Int) {
        let answer = ServerAnswer(
            HTTPResponse(status: status), to: .list, columns: KeyColumns(["id"]))
        guard case .failure(.connectivity(let failure), .outOfReach) = answer else {
            Issue.record("\(status) is not the server's")
            return
        }
        #expect(failure.cause == .foreignAnswer(status: status))
    }

    @Test func `every status is somebody's`() {
        for status in 0...999 where !(200...299).contains(status) {
            #expect(RefusalTable.statuses.contains { $0.statuses.contains(status) }, "\(status)")
        }
    }

    @Test(arguments: [
        ("PostgREST; error=42501", "42501"), ("PostgREST; next-hop=x;error=PGRST303", "PGRST303"),
        ("cdn; error=timeout", nil), ("PostgREST", nil), ("", nil),
    ])
    func `of a head has its code in a header`(_ value: String, _ code: String?) {
        let response = HTTPResponse(status: 403, headers: ["Proxy-Status": value])
        #expect(PostgrestError(response).code == code)
    }
}
