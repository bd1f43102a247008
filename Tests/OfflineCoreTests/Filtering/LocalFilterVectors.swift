import Foundation
import Testing

@testable import OfflineCore

/// What a real server answered, and we from the rows alone.
@Suite(
    "Filters as PostgREST evaluates them", .enabled(if: Vectors.areThere, Vectors.absence),
    .timeLimit(.minutes(5)))
struct LocalFilterVectors {
    /// What came of a vector.
    enum Outcome: Hashable {
        case decided, undecidable
        case wrong(String)
    }

    @Test func `what follows from the rows is decided without types`() {
        for vector in LocalFilterVector.accepted {
            if vector.isFilterTypeFree { #expect(filter(vector) == .decided, "\(vector.id)") }
            if vector.isTypeFree { #expect(order(vector) == .decided, "\(vector.id)") }
        }
    }

    @Test func `what follows from the types is decided with them`() {
        for vector in LocalFilterVector.accepted {
            if vector.isFilterDecidable {
                #expect(filter(vector, vector.types) == .decided, "\(vector.id)")
            }
            if vector.isDecidable {
                #expect(order(vector, vector.types) == .decided, "\(vector.id)")
            }
        }
    }

    @Test func `what needs the server is undecidable, whatever is known of the types`() {
        for vector in LocalFilterVector.accepted {
            for types in [[:], vector.types] {
                if !vector.isFilterDecidable {
                    #expect(filter(vector, types) == .undecidable, "\(vector.id)")
                } else if !vector.isDecidable {
                    #expect(order(vector, types) == .undecidable, "\(vector.id)")
                }
            }
        }
    }

    @Test func `what the server refuses takes in no row`() {
        for vector in LocalFilterVector.all where vector.indexes == nil {
            // Without types, a literal that doesn't fit its column isn't told from others.
            for types in vector.isTypeFree ? [[:], vector.types] : [vector.types] {
                let isOpen =
                    filter(vector, types) == .undecidable || order(vector, types) == .undecidable
                #expect(isOpen, "\(vector.id)")
            }
        }
    }

    @Test func `nothing is decided wrongly, whatever is known of the types`() {
        for hasTypes in [false, true] {
            var decided = 0
            for vector in LocalFilterVector.accepted {
                let types = hasTypes ? vector.types : [:]
                let outcomes = [filter(vector, types), order(vector, types)]
                if outcomes == [.decided, .decided] { decided += 1 }
                for case .wrong(let reason) in outcomes {
                    Issue.record("\(vector.id), \(hasTypes ? "with" : "without") types: \(reason)")
                }
            }
            let count = LocalFilterVector.accepted.count
            print("\(hasTypes ? "With" : "Without") types \(decided) of \(count) are decided.")
        }
    }

    private func filter(
        _ vector: LocalFilterVector, _ types: [String: PostgresType] = [:]
    ) -> Outcome {
        let filter = RowFilter(of: vector.items, types: types, evidence: vector.evidence)
        var outcome = Outcome.decided
        for (index, row) in vector.rows.enumerated() {
            guard let admits = filter.admits(row.span) else {
                outcome = .undecidable
                continue
            }
            guard let expected = vector.indexes else { continue }
            if admits != expected.contains(index) { return .wrong("row \(index) is \(admits)") }
        }
        return outcome
    }

    /// Compares each pair of the rows that the server gave, or had where it refused.
    private func order(
        _ vector: LocalFilterVector, _ types: [String: PostgresType] = [:]
    ) -> Outcome {
        let order = RowOrder(of: vector.items, types: types, evidence: vector.evidence)
        let places = vector.indexes ?? Array(vector.rows.indices)
        let isOrdered = vector.indexes != nil && vector.items.contains { $0.name == "order" }
        var outcome = Outcome.decided
        for (rank, place) in places.enumerated() {
            for later in places[(rank + 1)...] {
                let (lhs, rhs) = (vector.rows[place], vector.rows[later])
                switch order.compare(lhs.span, rhs.span) {
                case .less: continue
                case .greater:
                    if isOrdered { return .wrong("row \(place) is behind row \(later)") }
                case .equal:
                    if isOrdered, vector.order == "total" {
                        return .wrong("row \(place) equals row \(later)")
                    }
                case .unequal, .undecidable: outcome = .undecidable
                }
            }
        }
        return outcome
    }
}
