/// A row that a process has written which is killed.
package struct WrittenRow: Hashable, Codable, Sendable {
    package let table: String
    package let key: String

    package init(table: String, key: String) {
        self.table = table
        self.key = key
    }
}

/// What a write does.
package enum WrittenKind: String, Codable, Sendable {
    case insert, update, delete
}

/// A step of a write: that its call has begun, or that it has returned.
package struct HistoryEntry: Codable, Sendable {
    /// The write's number, which is also what it writes; later writes have greater ones.
    package let number: Int
    package let row: WrittenRow
    package let kind: WrittenKind
    /// Whether the call has returned with the word that the write is sent or kept.
    package let isAcknowledged: Bool

    package init(_ number: Int, _ row: WrittenRow, _ kind: WrittenKind, isAcknowledged: Bool) {
        self.number = number
        self.row = row
        self.kind = kind
        self.isAcknowledged = isAcknowledged
    }
}
