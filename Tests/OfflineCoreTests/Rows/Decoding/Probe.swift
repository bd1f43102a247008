import Foundation
import OfflineCore
import OfflineTesting
import Synchronization

extension CodingUserInfoKey {
    /// Where a ``Trace`` is.
    static let trace: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "trace") else {
            preconditionFailure("every text is a key")
        }
        return key
    }()
}

/// Decides what is asked of a decoder, and notes what it answered.
///
/// As long as two decoders answer the same, they are asked the same.
final class Trace: Sendable {
    private struct State {
        var random: SplitMix64
        var notes: [String] = []
        var budget = 120
    }

    private let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(random: SplitMix64(seed: seed))) }

    var notes: [String] { state.withLock { $0.notes } }

    func note(_ text: String) { state.withLock { $0.notes.append(text) } }

    func int(below limit: Int) -> Int {
        state.withLock { Int.random(in: 0..<limit, using: &$0.random) }
    }

    /// Whether to go deeper; not for ever.
    func mayNest() -> Bool {
        state.withLock {
            $0.budget -= 1
            return $0.budget > 0
        }
    }

    /// Notes what came of a question, and lets half of the failures go on.
    func ask(_ question: String, _ body: () throws -> String) throws {
        do {
            note("\(question): \(try body())")
        } catch {
            note("\(question): \(Failure(error))")
            if int(below: 4) == 0 { throw error }
        }
    }
}

/// A type that asks its decoder for anything.
struct Probe: Decodable {
    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int?

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let trace: Trace

    init(from decoder: any Decoder) throws {
        guard let trace = decoder.userInfo[.trace] as? Trace else { throw AppError() }
        self.trace = trace
        trace.note("probe at \(Failure.path(decoder.codingPath))")
        switch trace.int(below: 8) {
        case 0: try ask(single: decoder.singleValueContainer())
        case 1: try trace.ask("unkeyed") { try ask(unkeyed: decoder.unkeyedContainer()) }
        default:
            try trace.ask("keyed") { try ask(keyed: decoder.container(keyedBy: Key.self)) }
            if trace.int(below: 4) == 0 {
                try trace.ask("again") { try ask(keyed: decoder.container(keyedBy: Key.self)) }
                try trace.ask("or not") { try ask(unkeyed: decoder.unkeyedContainer()) }
            }
        }
    }

    private func ask(single container: any SingleValueDecodingContainer) throws {
        trace.note("nil \(container.decodeNil()) at \(Failure.path(container.codingPath))")
        for _ in 0..<2 {
            let call = trace.int(below: LeafCalls.single.count)
            try trace.ask("single \(call)") { try LeafCalls.single[call](container) }
        }
        if trace.mayNest() {
            try trace.ask("single probe") { try describe(container.decode(Probe.self)) }
        }
    }

    private func ask(keyed container: KeyedDecodingContainer<Key>) throws -> String {
        trace.note("container at \(Failure.path(container.codingPath))")
        for _ in 0..<trace.int(below: 9) {
            let key = Key(RowListWriter.names[trace.int(below: RowListWriter.names.count - 1)])
            let call = trace.int(below: LeafCalls.keyed.count)
            switch trace.int(below: 16) {
            case 0...3:
                try trace.ask("\(key.stringValue) \(call)") {
                    try LeafCalls.keyed[call](container, key)
                }
            case 4...7:
                try trace.ask("\(key.stringValue) \(call)?") {
                    try LeafCalls.keyedIfPresent[call](container, key)
                }
            case 8: trace.note("contains \(container.contains(key))")
            case 9: try trace.ask("nil") { "\(try container.decodeNil(forKey: key))" }
            case 10:
                // The same characters may be spelled in two ways.
                let names = container.allKeys.map {
                    $0.stringValue.decomposedStringWithCanonicalMapping
                }
                trace.note("keys \(names.sorted())")
            default: try nest(in: container, key)
            }
        }
        return "done"
    }

    private func nest(in container: KeyedDecodingContainer<Key>, _ key: Key) throws {
        guard trace.mayNest() else { return }
        switch trace.int(below: 7) {
        case 0: try trace.ask("probe") { try describe(container.decode(Probe.self, forKey: key)) }
        case 1:
            try trace.ask("probe?") {
                try describe(container.decodeIfPresent(Probe.self, forKey: key))
            }
        case 2:
            try trace.ask("keyed") {
                try ask(keyed: container.nestedContainer(keyedBy: Key.self, forKey: key))
            }
        case 3:
            try trace.ask("unkeyed") {
                try ask(unkeyed: container.nestedUnkeyedContainer(forKey: key))
            }
        case 4:
            try trace.ask("super") {
                try describe(Probe(from: container.superDecoder(forKey: key)))
            }
        case 5: try trace.ask("super") { try describe(Probe(from: container.superDecoder())) }
        default:
            try trace.ask("probes") { try describe(container.decode([Probe].self, forKey: key)) }
        }
    }

    private func ask(unkeyed container: any UnkeyedDecodingContainer) throws -> String {
        var container = container
        for _ in 0..<trace.int(below: 6) {
            let count = container.count.map(String.init) ?? "unknown"
            trace.note(
                "\(container.currentIndex) of \(count), end \(container.isAtEnd) "
                    + Failure.path(container.codingPath))
            let call = trace.int(below: LeafCalls.unkeyed.count)
            switch trace.int(below: 9) {
            case 0, 1: try trace.ask("\(call)") { try LeafCalls.unkeyed[call](&container) }
            case 2, 3:
                try trace.ask("\(call)?") { try LeafCalls.unkeyedIfPresent[call](&container) }
            case 4: try trace.ask("nil") { "\(try container.decodeNil())" }
            default: try nest(in: &container)
            }
        }
        return "done"
    }

    private func nest(in container: inout any UnkeyedDecodingContainer) throws {
        guard trace.mayNest() else { return }
        switch trace.int(below: 5) {
        case 0: try trace.ask("probe") { try describe(container.decode(Probe.self)) }
        case 1: try trace.ask("probe?") { try describe(container.decodeIfPresent(Probe.self)) }
        case 2:
            try trace.ask("keyed") {
                try ask(keyed: container.nestedContainer(keyedBy: Key.self))
            }
        case 3: try trace.ask("unkeyed") { try ask(unkeyed: container.nestedUnkeyedContainer()) }
        default: try trace.ask("super") { try describe(Probe(from: container.superDecoder())) }
        }
    }

    private func describe<T>(_ value: T) -> String { "\(T.self)" }
    private func describe<T>(_ value: T?) -> String { value == nil ? "nil" : "\(T.self)" }
}
