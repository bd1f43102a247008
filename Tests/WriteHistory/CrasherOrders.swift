package import Foundation

/// What the process is to do that is killed.
package struct CrasherOrders: Codable, Sendable {
    package enum Work: Codable, Sendable {
        /// Writes from so many tasks at once, so many writes each.
        case writing(tasks: Int, writes: Int)
        /// Sends what earlier runs have left.
        case sending
    }

    package let url: URL
    package let key: String
    /// Tokens of one user, each as good as the others.
    package let tokens: [String]
    /// Where the client keeps everything.
    package let directory: URL
    /// Where the process notes what it writes.
    package let history: String
    /// What the names of the tables begin with.
    package let tables: String
    package let seed: UInt64
    package let work: Work

    package init(
        url: URL, key: String, tokens: [String], directory: URL, history: String, tables: String,
        seed: UInt64, work: Work
    ) {
        self.url = url
        self.key = key
        self.tokens = tokens
        self.directory = directory
        self.history = history
        self.tables = tables
        self.seed = seed
        self.work = work
    }
}

/// What the process says of itself, a line each, for whoever wants to kill it at that moment.
package enum CrasherSign: String, CaseIterable, Sendable {
    /// The client is open.
    case open
    /// A call begins.
    case begins
    /// A call has returned: the write is sent or kept.
    case acknowledged
    /// A request leaves.
    case leaves
    /// An answer is there, or it is known that none comes.
    case answered
    /// There is nothing left to be done.
    case done
}

/// The tables, by what their keys are.
package enum CrasherTable: String, CaseIterable, Sendable {
    case uuid, number, text

    /// The table's name.
    package func name(_ prefix: String) -> String { "\(prefix)_\(rawValue)" }
}

/// The columns of a row as a write leaves them; all of them tell its number.
package struct CrasherColumns: Encodable, Sendable {
    package let v: Int
    package let echo: String
    package let body: String
    package let at: Date

    package init(_ number: Int) {
        v = number
        echo = "write \(number)"
        body = String(repeating: "x", count: number % 97 * 40)
        at = Date(timeIntervalSince1970: 1_767_225_600 + Double(number) / 1_000)
    }

    /// Whether a record of SQL is as some write has left it.
    package static func isWhole(_ record: String) -> String {
        """
        \(record).echo = 'write ' || \(record).v \
        and \(record).body = repeat('x', (\(record).v % 97 * 40)::int) \
        and \(record).at = timestamptz '2026-01-01T00:00:00Z' + \(record).v * interval '1 millisecond'
        """
    }
}
