/// Why a write can't be kept until the server is there.
@nonexhaustive
public enum NotQueueable: Hashable, Sendable {
    /// A row to insert lacks the primary key, so nobody could tell whether it had arrived.
    case missingPrimaryKey
    /// A row to upsert has neither the primary key nor all columns of `onConflict`.
    case missingConflictColumns
    /// The update would change a column of the primary key.
    case changesPrimaryKey
    /// A filter is on another table than the one that is written.
    case embeddedFilter
    /// The write has an order or a limit: the rows that it hits depend on the moment.
    case orderOrLimit
    /// It brings its own authorization, which is never stored.
    case ownAuthorization
    /// It was to be tried and undone.
    case dryRun
    /// It asks for the server's plan.
    case explain
    /// Its session names no user, to whom it could belong.
    case noUser
}

extension NotQueueable: CustomStringConvertible {
    /// Why, and the way out.
    public var description: String {
        switch self {
        case .missingPrimaryKey:
            "A row lacks the primary key, so it can't wait for the network: nobody could tell whether "
                + "it had arrived. Make the key on the device, or name the table in uuidKeys."
        case .missingConflictColumns:
            "A row has neither the primary key nor all columns of onConflict, so it can't wait for the "
                + "network."
        case .changesPrimaryKey:
            "An update of a primary key can't wait for the network. Delete the row and insert another."
        case .embeddedFilter:
            "A write with a filter on another table can't wait for the network. Filter by the "
                + "table's own columns."
        case .orderOrLimit:
            "A write with an order or a limit can't wait for the network. Name the rows with filters."
        case .ownAuthorization:
            "A write with its own authorization can't wait for the network: it is never stored."
        case .dryRun: "A dry run is never kept."
        case .explain: "A request for a plan is never kept."
        case .noUser: "The session names no user, to whom a kept write could belong."
        }
    }
}

extension PostgrestRequest {
    /// Why a request can't be kept, whatever it does; nil if it can.
    var notQueueable: NotQueueable? {
        if hasOwnSession { return .ownAuthorization }
        if prefers("tx") { return .dryRun }
        return isExplained ? .explain : nil
    }
}

extension PlannedWrite {
    /// Why the write can't be kept; nil if it can.
    var notQueueable: NotQueueable? {
        if let obstacle = request.notQueueable { return obstacle }
        switch change {
        case .insert(let rows):
            return rows.allSatisfy { $0.key(facts.keys) != nil } ? nil : .missingPrimaryKey
        case .upsert(let rows, let conflict, _):
            let isNamed = rows.allSatisfy { row in
                row.key(facts.keys) != nil || conflict.map { row.key($0) != nil } ?? false
            }
            if isNamed { return nil }
            return conflict == nil ? .missingPrimaryKey : .missingConflictColumns
        case .update(let columns, _):
            if facts.keys.names.contains(where: { columns.value(ofName: $0) != nil }) {
                return .changesPrimaryKey
            }
            return problemOfFilters
        case .delete: return problemOfFilters
        case .nothing, .unknown: return nil
        }
    }

    private var problemOfFilters: NotQueueable? {
        for item in request.items {
            switch ItemKey(item.name) {
            case .order, .page: return .orderOrLimit
            case .filter, .logic:
                if !FilterParser.hasFilter([item]) { return .embeddedFilter }
            case .reserved: continue
            }
        }
        return nil
    }

    /// The keys of the rows that it is about, as far as they are named; nil if it may be about others.
    var soleKeys: [RowKey]? {
        switch change {
        case .insert(let rows), .upsert(let rows, _, _):
            let keys = rows.compactMap { $0.key(facts.keys) }
            return keys.count == rows.count ? keys : nil
        case .update(_, let filter), .delete(let filter):
            guard filter.isOfPinsAlone, filter.columns == facts.keySet else { return nil }
            return filter.keys(pinning: facts.keyNames)
        case .nothing, .unknown: return nil
        }
    }
}

extension ParsedFilter {
    /// The keys that a row must have one of, as the filter spells them; nil if it doesn't pin each column
    /// of the key.
    ///
    /// A text that looks like a number counts as one, as it does in a row's key.
    fileprivate func keys(pinning names: [String]) -> [RowKey]? {
        var keys: [[Bytes]] = [[]]
        for name in names {
            guard let texts = pins[name] else { return nil }
            keys = keys.flatMap { key in texts.map { key + [$0.jsonString] } }
        }
        let found = keys.compactMap { RowKey(values: $0) }
        return found.count == keys.count ? found : nil
    }
}
