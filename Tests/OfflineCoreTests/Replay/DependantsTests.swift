import FoundationEssentials
import Testing

@testable import OfflineCore

@Suite("The writes that depend on another one", .timeLimit(.minutes(5)))
struct DependantsTests {
    private let dependants = Dependants { _ in TableFacts() }

    /// The numbers of the writes behind the first one that depend on it.
    private func followers(_ writes: QueuedWrite...) -> [UInt64] {
        let entries = Self.entries(writes)
        return dependants.followers(of: entries[0], in: entries).map(\.sequence)
    }

    private static func entries(_ writes: [QueuedWrite]) -> [QueueEntry] {
        writes.enumerated().map { QueueEntry(UInt64($0.offset), $0.element) }
    }

    // MARK: By their rows

    @Test func `are updates and deletes that name nothing but its rows`() {
        let parent = QueuedWrite.insert(#"[{"id":1},{"id":2}]"#)
        #expect(followers(parent, .update("{}", ["id": "eq.1"], id: 2)) == [1])
        #expect(followers(parent, .update("{}", ["id": "in.(1,2)"], id: 2)) == [1])
        #expect(followers(parent, .delete(["id": "eq.2"], id: 2)) == [1])
        #expect(
            followers(
                parent, QueuedWrite.update(id: 2).with { $0.request.appendGuard("a", "eq.1") })
                == [1])
    }

    @Test func `are none that are about other rows too`() {
        let parent = QueuedWrite.insert(#"[{"id":1},{"id":2}]"#)
        #expect(followers(parent, .update("{}", ["id": "eq.3"], id: 2)) == [])
        #expect(followers(parent, .update("{}", ["id": "in.(1,3)"], id: 2)) == [])
        #expect(followers(parent, .update("{}", ["t": "eq.1"], id: 2)) == [])
        #expect(followers(parent, .update("{}", ["id": "gte.1"], id: 2)) == [])
        #expect(followers(parent, .delete(["id": "eq.1"], of: "other", id: 2)) == [])
        #expect(followers(parent, .upsert(#"{"id":1}"#, id: 2)) == [])
        #expect(followers(parent, .insert(#"{"id":1}"#, id: 2)) == [])
        #expect(followers(parent, .call(id: 2)) == [])
    }

    @Test func `are none by their rows if it is no insert`() {
        for parent in [QueuedWrite.upsert(#"{"id":1}"#), .update(), .delete(), .call()] {
            #expect(followers(parent, .update(id: 2)) == [], "\(parent.operation)")
        }
    }

    @Test func `are none whose rows another write has brought meanwhile`() {
        let again = QueuedWrite.insert(#"{"id":1}"#, id: 3)
        let parent = QueuedWrite.insert(#"{"id":1}"#)
        #expect(followers(parent, .update(id: 2), again, .update(id: 4)) == [1])
        #expect(followers(parent, .upsert(#"{"id":1}"#, id: 3), .delete(id: 4)) == [])
    }

    // MARK: By their word

    @Test func `are those that were made to come after it, and after them`() {
        let writes: [QueuedWrite] = [
            .call(id: 1), .insert(#"{"id":2}"#, id: 2).with { $0.dependencies = [.numbered(1)] },
            .call(id: 3).with { $0.dependencies = [.numbered(9), .numbered(2)] },
            .update("{}", ["id": "eq.2"], id: 4), .update("{}", ["id": "eq.3"], id: 5),
            .call(id: 6).with { $0.dependencies = [.numbered(4)] }, .call(id: 7),
        ]
        let entries = Self.entries(writes)
        #expect(
            dependants.followers(of: entries[0], in: entries).map(\.sequence) == [1, 2, 3, 5])
        #expect(dependants.followers(of: entries[3], in: entries).map(\.sequence) == [5])
        #expect(dependants.followers(of: entries[6], in: entries) == [])
    }

    @Test func `are none before it`() {
        let entries = Self.entries([
            .call(id: 1).with { $0.dependencies = [.numbered(2)] }, .insert(#"{"id":1}"#, id: 2),
        ])
        #expect(dependants.followers(of: entries[1], in: entries) == [])
    }

    // MARK: Rejected with it

    private func ends(
        _ writes: [QueuedWrite], isKept: Bool = true
    ) -> [End] {
        let entries = Self.entries(writes)
        return dependants.ends(
            of: entries[0], .refusal, isKept: isKept, later: Array(entries.dropFirst())
        ).map { End($0.entry.sequence, $0.outcome, isKept: $0.isKept) }
    }

    private struct End: Equatable {
        let sequence: UInt64
        let outcome: MutationOutcome
        let isKept: Bool

        init(_ sequence: UInt64, _ outcome: MutationOutcome, isKept: Bool) {
            (self.sequence, self.outcome, self.isKept) = (sequence, outcome, isKept)
        }
    }

    @Test func `are rejected with it, and kept even where its caller was told`() {
        let dependant = End(1, .rejected(.dependency(on: .numbered(1))), isKept: true)
        for isKept in [true, false] {
            #expect(
                ends(
                    [.insert(#"{"id":1}"#), .update(id: 2), .update("{}", ["id": "eq.2"], id: 3)],
                    isKept: isKept)
                    == [End(0, .rejected(.refusal), isKept: isKept), dependant])
        }
    }

    @Test func `cancel each other out if one deletes all its rows`() {
        let writes: [QueuedWrite] = [.insert(#"{"id":1}"#), .update(id: 2), .delete(id: 3)]
        let rest = [End(1, .cancelledOut, isKept: false), End(2, .cancelledOut, isKept: false)]
        #expect(ends(writes) == [End(0, .cancelledOut, isKept: false)] + rest)
        // Its caller is told of the refusal all the same.
        #expect(
            ends(writes, isKept: false) == [End(0, .rejected(.refusal), isKept: false)] + rest)
    }

    @Test func `do not cancel each other out if a row is left`() {
        let parent = QueuedWrite.insert(#"[{"id":1},{"id":2}]"#)
        let ends = ends([parent, .delete(["id": "eq.1"], id: 2)])
        #expect(
            ends == [
                End(0, .rejected(.refusal), isKept: true),
                End(1, .rejected(.dependency(on: .numbered(1))), isKept: true),
            ])
        #expect(
            self.ends([parent, .delete(["id": "in.(2,1)"], id: 2)]).map(\.outcome)
                == [.cancelledOut, .cancelledOut])
    }

    @Test func `are rejected all the same if they only come after it`() {
        let after = QueuedWrite.insert(#"{"id":1}"#, into: "photos", id: 4)
            .with { $0.dependencies = [.numbered(1)] }
        let edit = QueuedWrite.update("{}", ["id": "eq.1"], of: "photos", id: 5)
        let rejection = MutationOutcome.rejected(.dependency(on: .numbered(1)))
        #expect(
            ends([.insert(#"{"id":1}"#), after, .update(id: 2), edit, .delete(id: 3)])
                == [
                    End(0, .cancelledOut, isKept: false), End(1, rejection, isKept: true),
                    End(2, .cancelledOut, isKept: false), End(3, rejection, isKept: true),
                    End(4, .cancelledOut, isKept: false),
                ])
        // Nor does an edit go that is about a row that somebody else has brought.
        let late = QueuedWrite.update(id: 5).with { $0.dependencies = [.numbered(1)] }
        #expect(
            ends([.insert(#"{"id":1}"#), .delete(id: 2), .upsert(#"{"id":1}"#, id: 3), late])
                == [
                    End(0, .cancelledOut, isKept: false), End(1, .cancelledOut, isKept: false),
                    End(3, rejection, isKept: true),
                ])
    }

    @Test func `leave alone what another write has brought back`() {
        let writes: [QueuedWrite] = [
            .insert(#"{"id":1}"#), .delete(id: 2), .insert(#"{"id":1}"#, id: 3), .update(id: 4),
        ]
        #expect(ends(writes).map(\.sequence) == [0, 1])
    }

    // MARK: Found later

    private static func rejected(_ writes: QueuedWrite...) -> [RejectedEntry] {
        writes.enumerated().map { index, write in
            RejectedEntry(UInt64(index), write, .refusal, at: Timestamp(microseconds: 0))
        }
    }

    @Test func `find the one that was rejected before`() {
        var rejected = Self.rejected(
            .insert(#"{"id":1}"#, id: 1), .update("{}", ["id": "eq.2"], id: 2),
            .insert(#"{"id":3}"#, into: "other", id: 3))
        func parent(of write: QueuedWrite) -> UUID? {
            dependants.parent(of: write, in: rejected)?.write.id
        }
        #expect(parent(of: .update(id: 9)) == .numbered(1))
        #expect(parent(of: .delete(id: 9)) == .numbered(1))
        #expect(parent(of: .update("{}", ["id": "eq.2"], id: 9)) == nil)
        #expect(parent(of: .update("{}", ["id": "eq.3"], id: 9)) == nil)
        #expect(parent(of: .update("{}", ["id": "eq.3"], of: "other", id: 9)) == .numbered(3))
        #expect(parent(of: .insert(#"{"id":1}"#, id: 9)) == nil)
        #expect(parent(of: .call(id: 9).with { $0.dependencies = [.numbered(2)] }) == .numbered(2))
        rejected[0].isReplaced = true
        #expect(parent(of: .update(id: 9)) == nil)
        let after = QueuedWrite.update(id: 9).with { $0.dependencies = [.numbered(1)] }
        #expect(parent(of: after) == .numbered(1))
    }

    @Test func `are about another write's rows once that has brought all of them`() {
        let rejected = Self.rejected(
            .insert(#"[{"id":1},{"id":2}]"#, id: 1), .insert(#"{"id":1}"#, into: "other", id: 2),
            .upsert(#"{"id":1}"#, id: 3))
        func replaced(by write: QueuedWrite) -> [UUID] {
            dependants.replaced(by: write.request, in: rejected).map(\.write.id)
        }
        #expect(replaced(by: .insert(#"[{"id":2},{"id":3},{"id":1}]"#, id: 9)) == [.numbered(1)])
        #expect(replaced(by: .upsert(#"[{"id":1},{"id":2}]"#, id: 9)) == [.numbered(1)])
        #expect(replaced(by: .insert(#"{"id":1}"#, into: "other", id: 9)) == [.numbered(2)])
        #expect(replaced(by: .insert(#"{"id":1}"#, id: 9)) == [])
        #expect(replaced(by: .update("{}", ["id": "in.(1,2)"], id: 9)) == [])
        #expect(replaced(by: .delete(["id": "in.(1,2)"], id: 9)) == [])
        #expect(replaced(by: .call(id: 9)) == [])
        let dryRun = QueuedWrite.insert(
            #"[{"id":1},{"id":2}]"#, headers: ["Prefer": "tx=rollback"], id: 9)
        #expect(replaced(by: dryRun) == [])
    }
}
