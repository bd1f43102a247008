import Testing

@testable import OfflineCore

@Suite("Three-valued logic with what isn't known", .timeLimit(.minutes(5)))
struct TruthTests {
    private static let single: [Truth] = [.true, .false, .unknown]

    @Test func `is SQL's where everything is known`() {
        let and: [[Truth]] = [
            [.true, .false, .unknown], [.false, .false, .false], [.unknown, .false, .unknown],
        ]
        let or: [[Truth]] = [
            [.true, .true, .true], [.true, .false, .unknown], [.true, .unknown, .unknown],
        ]
        for (row, lhs) in Self.single.enumerated() {
            #expect(Self.single.map { lhs && $0 } == and[row])
            #expect(Self.single.map { lhs || $0 } == or[row])
        }
        #expect(Self.single.map { !$0 } == [.false, .true, .unknown])
    }

    @Test func `lets what is decided decide`() {
        #expect((.false && Truth.undecidable) == .false)
        #expect((Truth.undecidable && .false) == .false)
        #expect((.true || Truth.undecidable) == .true)
        #expect((.true && Truth.undecidable) == .undecidable)
        #expect((.false || Truth.undecidable) == .undecidable)
        #expect(!Truth.undecidable == .undecidable)
        #expect(!(.unknown && Truth.undecidable).isDecided)
    }

    @Test func `is what follows for each possible value, for all combinations`() {
        let all = (1...7).map { Truth(rawValue: $0) }
        func possible(_ truth: Truth) -> [Truth] { Self.single.filter { truth.contains($0) } }
        for lhs in all {
            for rhs in all {
                var both: Truth = []
                var either: Truth = []
                for left in possible(lhs) {
                    for right in possible(rhs) {
                        both.formUnion(left && right)
                        either.formUnion(left || right)
                    }
                }
                #expect((lhs && rhs) == both)
                #expect((lhs || rhs) == either)
            }
        }
    }

    @Test func `admits a row for true alone, and tells where that is open`() {
        #expect(Truth.true.admits == true)
        #expect(Truth.false.admits == false)
        #expect(Truth.unknown.admits == false)
        #expect(Truth([.false, .unknown]).admits == false)
        #expect(Truth.undecidable.admits == nil)
        #expect(Truth.trueOrFalse.admits == nil)
    }
}

@Suite("An order of two values", .timeLimit(.minutes(5)))
struct OrderingTests {
    @Test func `goes on with the rest while the heads are equal`() {
        #expect(Ordering.equal.followed(by: .greater) == .greater)
        #expect(Ordering.less.followed(by: .greater) == .less)
        #expect(Ordering.unequal.followed(by: .less) == .unequal)
    }

    @Test func `of heads that aren't known is still that of different values if the rests differ`()
    {
        #expect(Ordering.undecidable.followed(by: .less) == .unequal)
        #expect(Ordering.undecidable.followed(by: .equal) == .undecidable)
    }

    @Test func `that may be one of two is known as far as they agree`() {
        #expect(Ordering.less.or(.less) == .less)
        #expect(Ordering.less.or(.greater) == .unequal)
        #expect(Ordering.less.or(.equal) == .undecidable)
        #expect(Ordering.unequal.or(.less) == .unequal)
    }
}
