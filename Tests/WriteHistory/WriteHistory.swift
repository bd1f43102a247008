/// What processes have written that were killed, by row, and what must have come of it.
///
/// A row has one writer at a time, so its writes have an order. A write whose call had not returned when
/// the process was killed may have been kept or not; all others must have come to the server, in order.
package struct WriteHistory {
    package struct Write: Sendable {
        package let number: Int
        package let kind: WrittenKind
        package fileprivate(set) var isAcknowledged = false
    }

    package private(set) var rows: [WrittenRow: [Write]] = [:]
    package private(set) var lastNumber = 0

    package init(_ entries: [HistoryEntry]) {
        for entry in entries {
            lastNumber = max(lastNumber, entry.number)
            if !entry.isAcknowledged {
                rows[entry.row, default: []].append(Write(number: entry.number, kind: entry.kind))
            } else if let index = rows[entry.row]?.lastIndex(where: { $0.number == entry.number }) {
                rows[entry.row]?[index].isAcknowledged = true
            }
        }
    }

    /// All writes.
    package var writes: [Write] { rows.values.flatMap(\.self) }
}

/// Something that has happened to a row on the server.
package struct ServerEvent: Codable, Sendable {
    package let row: WrittenRow
    package let kind: WrittenKind
    /// The number of the write; of the write before it, where the row was deleted.
    package let number: Int
    /// Whether all columns were those of that write.
    package let isWhole: Bool

    package init(_ row: WrittenRow, _ kind: WrittenKind, _ number: Int, isWhole: Bool = true) {
        self.row = row
        self.kind = kind
        self.number = number
        self.isWhole = isWhole
    }
}

// MARK: What must have come of it

extension WriteHistory {
    /// What is wrong with what the server has.
    ///
    /// - Parameters:
    ///   - found: The rows that are there, with the number of the write that each is of.
    ///   - events: All that has happened to the rows, in order.
    /// - Returns: The faults; none if all is right.
    package func faults(_ found: [WrittenRow: Int], _ events: [ServerEvent]) -> [String] {
        let events = Dictionary(grouping: events, by: \.row)
        let all = Set(rows.keys).union(found.keys).union(events.keys)
        return all.flatMap { row in
            faults(of: rows[row] ?? [], events[row] ?? [], found[row]).map {
                "\(row.table) \(row.key): \($0); written \(text(rows[row] ?? [])), "
                    + "happened \(text(events[row] ?? [])), there is \(found[row] as Int?)"
            }
        }
    }

    private func faults(of writes: [Write], _ events: [ServerEvent], _ found: Int?) -> [String] {
        var faults: [String] = []
        func expect(_ condition: Bool, _ fault: String) {
            if !condition { faults.append(fault) }
        }
        func count(_ kind: WrittenKind) -> Int { events.count { $0.kind == kind } }

        expect(events.allSatisfy(\.isWhole), "written by halves")
        expect(count(.insert) <= 1, "inserted twice")
        expect(count(.delete) <= 1, "deleted twice")
        expect(events.first.map { $0.kind == .insert } ?? true, "changed before it was there")
        expect(!events.dropLast().contains { $0.kind == .delete }, "back after it was deleted")
        for (event, next) in zip(events, events.dropFirst()) {
            expect(event.number <= next.number, "\(event.number) over \(next.number)")
        }
        for event in events where event.kind != .delete {
            expect(
                writes.contains { $0.number == event.number && $0.kind == event.kind },
                "\(event.number) was never written")
        }
        let last = events.last.flatMap { $0.kind == .delete ? nil : $0.number }
        expect(last == found, "it is not as it was left")

        let isThere = count(.insert) > 0
        for (index, write) in writes.enumerated() where write.isAcknowledged {
            switch write.kind {
            case .insert: expect(isThere, "insert \(write.number) is lost")
            case .update:
                // A later update may have taken it along, but nothing else makes up for it.
                let end = writes[index...].first { $0.kind != .update }?.number ?? .max
                let isDone = events.contains {
                    $0.kind == .update && (write.number..<end).contains($0.number)
                }
                expect(isDone || !isThere, "update \(write.number) is lost")
            case .delete: expect(count(.delete) == 1 || !isThere, "delete \(write.number) is lost")
            }
        }
        return faults
    }

    private func text(_ writes: [Write]) -> String {
        writes.map { "\($0.kind) \($0.number)\($0.isAcknowledged ? "" : "?")" }.description
    }

    private func text(_ events: [ServerEvent]) -> String {
        events.map { "\($0.kind) \($0.number)" }.description
    }
}
