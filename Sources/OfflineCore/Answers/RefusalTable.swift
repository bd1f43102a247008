/// What each code and each status says: the one table of error classes.
///
/// A code says more than a status, so it comes first. A body without a code is not PostgREST's but
/// that of a gateway before it. The codes and their statuses are PostgREST's (its error reference),
/// the statuses from 520 on Cloudflare's and Supabase's. `Failures.md` shows the same rows.
enum RefusalTable {
    /// What a refusal means.
    struct Meaning: Hashable {
        let refusalClass: RefusalClass
        let mayHaveTakenEffect: Bool

        init(_ refusalClass: RefusalClass, mayHaveTakenEffect: Bool = false) {
            self.refusalClass = refusalClass
            self.mayHaveTakenEffect = mayHaveTakenEffect
        }
    }

    /// A code, or all that begin alike.
    struct CodeRow {
        /// The code; a star at its end stands for anything.
        let code: String
        /// The status with which alone it means this; nil for any.
        let status: Int?
        let meaning: Meaning
        let words: String

        fileprivate init(
            _ code: String, status: Int? = nil, _ refusalClass: RefusalClass,
            mayHaveTakenEffect: Bool = false, _ words: String
        ) {
            self.code = code
            self.status = status
            meaning = Meaning(refusalClass, mayHaveTakenEffect: mayHaveTakenEffect)
            self.words = words
        }

        /// Whether this row is about a code.
        func covers(_ code: String, status: Int) -> Bool {
            guard self.status == nil || self.status == status else { return false }
            return self.code.hasSuffix("*")
                ? code.hasPrefix(self.code.dropLast()) : code == self.code
        }
    }

    /// Statuses of answers without a code.
    struct StatusRow {
        let statuses: ClosedRange<Int>
        /// Nil where the answer is not the server's, and so a failure of the network.
        let meaning: Meaning?
        let words: String

        fileprivate init(
            _ statuses: ClosedRange<Int>, _ meaning: Meaning?, _ words: String
        ) {
            self.statuses = statuses
            self.meaning = meaning
            self.words = words
        }

        fileprivate init(
            _ status: Int, _ refusalClass: RefusalClass, mayHaveTakenEffect: Bool = false,
            _ words: String
        ) {
            self.init(
                status...status, Meaning(refusalClass, mayHaveTakenEffect: mayHaveTakenEffect),
                words)
        }
    }

    /// What a code means.
    ///
    /// A function can choose its status (`PTxyz`, `PGRST`), and a newer server has newer codes: what
    /// is not listed goes by the status, as one that the database itself has chosen.
    static func meaning(of code: String, status: Int) -> Meaning {
        if let row = codes.first(where: { $0.covers(code, status: status) }) { return row.meaning }
        return Meaning(isTemporary(status) ? .retry : .reject)
    }

    /// What a status means in an answer without a code; nil if it is not the server's.
    static func meaning(ofStatus status: Int) -> Meaning? {
        statuses.first { $0.statuses.contains(status) }?.meaning
    }

    private static func isTemporary(_ status: Int) -> Bool {
        [408, 425, 429].contains(status) || status >= 500
    }

    /// The codes that mean something else than their status; the first that fits counts.
    static let codes: [CodeRow] = [
        CodeRow("08*", .retry, mayHaveTakenEffect: true, "connection exception"),
        CodeRow("09*", .reject, "triggered action exception"),
        CodeRow("21*", .reject, "cardinality violation, such as one upsert of a row twice"),
        CodeRow("22023", status: 401, .auth, "the role in the token is unknown"),
        CodeRow("23503", .conflict, "a foreign key: the other row is missing, or still refers"),
        CodeRow("23505", .conflict, "a unique key: the row is there already"),
        CodeRow("25006", .hold, "read-only transaction: a replica, or a full disk"),
        CodeRow("25*", .retry, "invalid transaction state"),
        CodeRow("2D*", .reject, "invalid transaction termination"),
        CodeRow("38*", .reject, "external routine exception"),
        CodeRow("39*", .reject, "external routine invocation exception"),
        CodeRow("3B*", .reject, "savepoint exception"),
        CodeRow("40*", .retry, "transaction rolled back: serialization failure, deadlock"),
        CodeRow("42P17", .reject, "a policy or a rule that never ends"),
        CodeRow("42501", .reject, "no privilege, or a row-level policy; 401 for the visitor"),
        CodeRow("53100", .hold, "the disk is full"),
        CodeRow("53*", .retry, "insufficient resources, such as too many connections"),
        CodeRow("54*", .reject, "program limit exceeded"),
        CodeRow("55*", .retry, "object not in the needed state, such as a lock timeout"),
        CodeRow("57P01", .retry, mayHaveTakenEffect: true, "the server is shutting down"),
        CodeRow("57P02", .retry, mayHaveTakenEffect: true, "the server has crashed"),
        CodeRow("57*", .retry, "an operator's intervention, such as a statement timeout (57014)"),
        CodeRow("58*", .retry, "system error"),
        CodeRow("F0*", .hold, "configuration file error"),
        CodeRow("HV*", .retry, "foreign data wrapper error"),
        CodeRow("P0*", .reject, "raised by a function or a trigger"),
        CodeRow("XX*", .retry, mayHaveTakenEffect: true, "internal error, of a pooler too"),
        CodeRow("PGRST001", .retry, mayHaveTakenEffect: true, "connection lost on the way"),
        CodeRow("PGRST00*", .retry, "no connection to the database, or no schema yet"),
        CodeRow("PGRST111", .reject, "a function has set bad headers"),
        CodeRow("PGRST112", .reject, "a function has set a bad status"),
        CodeRow("PGRST121", .reject, "a function has raised PGRST badly"),
        CodeRow("PGRST200", .reload, "unknown relationship"),
        CodeRow("PGRST202", .reload, "unknown function"),
        CodeRow("PGRST204", .reload, "unknown column"),
        CodeRow("PGRST205", .reload, "unknown table"),
        CodeRow("PGRST300", .hold, "the server has no secret for tokens"),
        CodeRow("PGRST30*", .auth, "the token is invalid or expired, or there is none"),
        CodeRow("PGRSTX*", .retry, mayHaveTakenEffect: true, "internal error of PostgREST"),
    ]

    /// The statuses of answers without a code; the first that fits counts.
    static let statuses: [StatusRow] = [
        StatusRow(0...199, nil, "no end of an exchange"),
        StatusRow(300...399, nil, "a redirect, which is not followed"),
        StatusRow(401, .auth, "the gateway refuses the key or the token"),
        StatusRow(402, .hold, "the project is restricted: its quota, or a payment"),
        StatusRow(403, .hold, "a firewall at the edge"),
        StatusRow(404, .hold, "no such project or route"),
        StatusRow(407...407, nil, "a proxy wants to know who asks"),
        StatusRow(408, .retry, mayHaveTakenEffect: true, "the request took too long"),
        StatusRow(425, .retry, "too early"),
        StatusRow(429, .retry, "too many requests"),
        StatusRow(400...499, Meaning(.reject), "any other: the request is at fault"),
        StatusRow(511...511, nil, "the network wants a sign-in (RFC 6585, 6)"),
        StatusRow(521, .retry, "the project refuses connections"),
        StatusRow(522, .retry, "connecting to the project took too long"),
        StatusRow(523, .retry, "the project is out of reach"),
        StatusRow(525, .retry, "no encrypted connection to the project"),
        StatusRow(526, .hold, "the project's certificate is invalid"),
        StatusRow(530, .hold, "the edge doesn't find the project"),
        StatusRow(540, .hold, "the project is paused"),
        StatusRow(546, .reject, "an edge function ran out of its limits"),
        StatusRow(
            500...599, Meaning(.retry, mayHaveTakenEffect: true),
            "any other: a gateway, the edge or the server failed"),
        StatusRow(600...999, nil, "no status of HTTP"),
    ]
}
