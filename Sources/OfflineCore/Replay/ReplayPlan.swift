import FoundationEssentials

/// A queued write as it is sent: what it does to rows, or a function that nobody can see through.
enum ReplayPlan: Sendable {
    case rows(PlannedWrite)
    case function(invalidating: [ListKey.Table])

    /// - Throws: ``WriteProblem`` if the write can't be understood, as one that an older version kept.
    init(_ write: QueuedWrite, _ facts: TableFacts) throws(WriteProblem) {
        switch write.request.target {
        case .table: self = .rows(try PlannedWrite(write.request, facts))
        case .function: self = .function(invalidating: write.invalidates)
        }
    }

    /// Judges an answer to the request.
    func answer(_ response: HTTPResponse) -> WriteAnswer {
        switch self {
        case .rows(let write): WriteAnswer(response, to: write)
        case .function: WriteAnswer(toFunction: response)
        }
    }

    /// The effects of an acceptance on the lists of the device.
    func effects(_ account: AcceptedWrite.Account) -> [AcceptedWrite] {
        switch self {
        case .rows(let write):
            [
                AcceptedWrite(
                    table: ListKey(write.request).table, facts: write.facts, change: write.change,
                    account: account)
            ]
        case .function(let tables):
            tables.map { table in
                AcceptedWrite(
                    table: table, facts: TableFacts(), change: .unknown, account: .count(nil))
            }
        }
    }
}

extension PlannedWrite {
    /// What rows tell that were read because none was hit: the lists take them as they are.
    func effects(
        ofReading rows: [Bytes]?, _ account: AcceptedWrite.Account
    ) -> [AcceptedWrite] {
        let table = ListKey(request).table
        let missed = AcceptedWrite(
            table: table, facts: facts, change: change, account: account)
        let found = (rows ?? []).compactMap { row in (try? RowColumns(row.span)) ?? nil }
        guard !found.isEmpty else { return [missed] }
        return [
            missed,
            AcceptedWrite(
                table: table, facts: facts, change: .nothing,
                account: .rows(found, isWhole: true, isFull: true)),
        ]
    }
}

extension QueuedWrite {
    /// What is written about in logs.
    var name: String { "\(operation.rawValue) \(request.target.name)" }
}

extension UUID {
    /// The id as the library writes it.
    var lowercased: String { uuidString.lowercased() }
}
