import Testing

@testable import OfflineCore

@Suite("A pattern", .timeLimit(.minutes(5)))
struct PatternTests {
    private func matches(_ text: String, _ filter: String, _ type: PostgresType = "text") -> Truth {
        RowFilter(["c": filter], types: ["c": type]).truth("{\"c\":\"\(text)\"}")
    }

    @Test(arguments: [
        ("Ada", "A%", true), ("Ada", "%a", true), ("Ada", "a%", false), ("Ada", "A_a", true),
        ("Ada", "_", false), ("", "%", true), ("", "_", false), ("abcabc", "%b%c", true),
        ("100%", "100\\%", true), ("1000", "100\\%", false), ("a_b", "a\\_b", true),
        ("axb", "a\\_b", false), ("a\\\\b", "a\\\\b", true), ("Zoë", "Zo_", true),
        ("Zoe\u{308}", "Zo_", false), ("Zoe\u{308}", "Zo__", true), ("aXbXc", "a%X%c", true),
        ("line\\nbreak", "line%break", true), ("aaaaaaaaaaaaaaaaaaaab", "%a%a%a%a%a%c", false),
    ])
    func `of like takes characters and gaps`(_ text: String, _ pattern: String, _ expected: Bool) {
        #expect(matches(text, "like.\(pattern)") == Truth(expected))
    }

    @Test func `of like that ends in a backslash is undecidable`() {
        #expect(matches("a\\\\", "like.a\\") == .undecidable)
    }

    @Test func `ignores the case of ASCII, and leaves that of other letters open`() {
        #expect(matches("Ada", "ilike.aDA") == .true)
        #expect(matches("Ada", "ilike.bob") == .false)
        #expect(matches("Éric", "ilike.éric") == .open)
        #expect(matches("Éric", "ilike.Éric") == .true)
        #expect(matches("Éric", "ilike.xric") == .false)
        #expect(matches("İx", "ilike.%x") == .open)
    }

    @Test func `may ignore case where the column's type isn't told`() {
        #expect(FilterCase("\"Ada\"", "like.A*", .true).truth() == .true)
        #expect(FilterCase("\"ada\"", "like.A*", .open).truth() == .open)
        #expect(FilterCase("\"bob\"", "like.A*", .false).truth() == .false)
    }

    @Test(arguments: [
        ("Ada", "^A", true), ("Ada", "da$", true), ("Ada", "^d", false), ("Ada", "A.a", true),
        ("Ada", "A.a*", true), ("aab", "^a{2}b$", true), ("aab", "^a{3,}b$", false),
        ("aab", "^a{1,2}b$", true), ("ab", "^(a|c)b$", true), ("bb", "^(?:a|c)b$", false),
        ("", "^$", true), ("a\\nb", "a.b", true), ("a\\nb", "^b", false), ("a.b", "a\\.b", true),
        ("axb", "a\\.b", false), ("a1", "^a\\d$", true), ("a_", "^\\w+$", true),
        ("a b", "\\s", true),
        ("x]y", "[]]", true), ("x-y", "^[a-]", false), ("x-y", "x[-]y", true),
        ("Ad", "[[:upper:]]d", true),
        ("ad", "[[:upper:]]d", false), ("b", "[^a]", true), ("a", "[^a]", false),
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "^(a*)*c$", false), ("color", "colou??r", true),
        ("ab", "b", true), ("ab", "", true), ("a", "a|b", true),
    ])
    func `of match is searched for`(_ text: String, _ pattern: String, _ expected: Bool) {
        #expect(matches(text, "match.\(pattern)") == Truth(expected), "\(pattern)")
    }

    @Test(arguments: [
        "*", "a**", "(a", "a)", "[a", "a{", "a{2", "a{3,2}", "a{256}", "(?=a)", "(?!a)", "(?i)a",
        "***=a", "\\m", "\\1", "(a)\\1", "[[.a.]]", "[[=a=]]", "[b-a]", "[[:nope:]]", "^*", "a|",
        "()", "\\", "(a{255}){255}", "a?+",
    ])
    func `outside of the common part of match is undecidable`(_ pattern: String) {
        #expect(matches("a", "match.\(pattern)") == .undecidable)
    }

    @Test func `of a locale's classes is open outside of ASCII`() {
        #expect(matches("É", "match.[[:upper:]]") == .open)
        #expect(matches("É", "match.\\w|x") == .open)
        #expect(matches("Éa", "match.\\w") == .true)
        #expect(matches("É", "match.[^[:alpha:]]") == .open)
    }

    @Test func `of imatch ignores case`() {
        #expect(matches("ADA", "imatch.^ada$") == .true)
        #expect(matches("ADA", "imatch.[a-z]{3}") == .true)
        #expect(matches("ADA", "imatch.[^a-z]") == .false)
        #expect(matches("É", "imatch.é") == .open)
        #expect(matches("ÉA", "imatch.b") == .false)
    }
}
