import Foundation
import OfflineTesting
import TestSupport
import WriteHistory

/// One life of a process: what the server does wrong meanwhile, and when the process is killed.
struct KillRound: Sendable {
    /// How a process ended.
    struct End: Sendable {
        /// Whether it was killed, and not through before.
        var isKilled = false
        /// Whether a call was under way when it was.
        var isInCall = false
        /// Whether a request was under way when it was.
        var isInRequest = false
    }

    let seed: UInt64
    let work: CrasherOrders.Work
    /// What the server does wrong, in order.
    let faults: [String]
    private let sign: CrasherSign
    private let count: Int

    init(using random: inout SplitMix64) {
        seed = random.next()
        let weather = Weather.allCases.randomElement(using: &random) ?? .calm
        faults = weather.faults(using: &random)
        let isWriting = Int.random(in: 0..<3, using: &random) > 0
        var signs: [CrasherSign] = [.open, .leaves, .leaves, .leaves, .answered]
        if isWriting {
            signs += [.begins, .begins, .acknowledged]
            work = .writing(
                tasks: Int.random(in: 1...3, using: &random),
                writes: Int.random(in: 20...150, using: &random))
        } else {
            work = .sending
        }
        sign = signs.randomElement(using: &random) ?? .open
        count = sign == .open ? 1 : Int.random(in: 1...(isWriting ? 90 : 12), using: &random)
    }

    /// Starts the process and kills it when it has said its sign so many times.
    func run(_ orders: CrasherOrders) throws -> End {
        let process = try ChildProgram("QueueCrasher")
        try process.tell(try JSONEncoder().encode(orders) + Data("\n".utf8))
        var said: [CrasherSign: Int] = [:]
        var end = End()
        while let line = process.line() {
            guard let sign = CrasherSign(rawValue: line) else {
                process.kill()
                throw SubprocessError(description: "the process says: \(line)")
            }
            said[sign, default: 0] += 1
            if sign == self.sign, said[sign] == count {
                process.kill()
                end.isKilled = true
            }
        }
        process.waitUntilExit()
        guard end.isKilled || said[.done] == 1 else {
            throw SubprocessError(description: "the process ended by itself")
        }
        end.isInCall = end.isKilled && said[.begins, default: 0] > said[.acknowledged, default: 0]
        end.isInRequest = end.isKilled && said[.leaves, default: 0] > said[.answered, default: 0]
        return end
    }
}

extension KillRound: CustomStringConvertible {
    var description: String { "\(work), \(faults.count) faults, killed at \(count). \(sign)" }
}

/// How the server is.
private enum Weather: CaseIterable {
    /// It fails with nothing.
    case calm
    /// It fails with many requests, in many ways.
    case stormy
    /// Nobody reaches it.
    case away

    func faults(using random: inout SplitMix64) -> [String] {
        switch self {
        case .calm: []
        case .stormy:
            (0..<24).map { _ in
                let fault = Self.faults.randomElement(using: &random) ?? ""
                return #"\#(fault),"after":\#(Int.random(in: 0...30, using: &random))"#
            }
        case .away: [#""fault":"close","times":null"#]
        }
    }

    /// What the server may do.
    ///
    /// None lets a request be carried out after its connection is gone, when
    /// the next process has already sent another: no client could tell.
    private static let faults = [
        #""fault":"close""#, #""fault":"drop_before_commit""#, #""fault":"drop_after_commit""#,
        #""fault":"drop_after_commit""#, #""fault":"cut_headers""#, #""fault":"cut_body""#,
        #""fault":"cut_body","chunked":true"#, #""fault":"unavailable","retry_after":0"#,
        #""fault":"unavailable","retry_after":null"#, #""fault":"pool_timeout""#,
        #""fault":"edge_error""#, #""fault":"rate_limited","retry_after":0"#,
        #""fault":"expired""#, #""fault":"paused""#, #""fault":"portal_page""#,
        #""fault":"portal_redirect""#, #""fault":"empty""#,
    ]
}
